"""Scopes that TensorFlow numbered are told from layers whose names end in numbers."""

from __future__ import annotations

from app.worker.tracing.operation_layers import settled_scopes

LAYERS = ["conv2d", "conv2d_1", "conv2d_2", "dense", "dense_1", "flatten"]


def test_names_of_a_step_that_entered_every_scope_twice():
    operations = [f"net_1/{scope}/Relu" for scope in ("conv2d_1", "conv2d_1_2", "conv2d_2_1", "dense_1", "dense_1_2")]
    assert settled_scopes(LAYERS, operations) == {("net_1/", "conv2d_1"): "conv2d", ("net_1/", "dense_1"): "dense"}


def test_names_that_are_as_they_should_be_stay():
    assert settled_scopes(LAYERS, [f"net/{layer}/Relu" for layer in LAYERS]) == {}


def test_a_layer_that_is_used_twice_does_not_take_anothers_scope():
    operations = ["net/dense/MatMul", "net/dense_1/MatMul", "net/dense_1_1/MatMul"]
    assert settled_scopes(LAYERS, operations) == {}


def test_forward_and_backward_settle_each_other():
    operations = ["net/dense_1/MatMul", "gradient_tape/net/dense_1_2/MatMul"]
    assert settled_scopes(LAYERS, operations) == {("net/", "dense_1"): "dense"}


def test_scopes_inside_different_layers_do_not_settle_each_other():
    operations = ["net/block/dense_1/MatMul", "net/other/dense_1_2/MatMul"]
    assert settled_scopes([*LAYERS, "block", "other"], operations) == {}
