import pytest

from app.core.types.errors import InvalidWorkload
from app.core.types.plan import Plan
from app.core.types.plans import plan_words


@pytest.mark.parametrize("name", ["clipnorm", "global_clipnorm", "clipvalue"])
@pytest.mark.parametrize("limit", [0.0, -1.0, float("nan"), float("inf")])
def test_a_limit_that_keras_would_ignore_is_refused(name, limit):
    with pytest.raises(InvalidWorkload, match=r"impossible Clip.*above 0.*leave it out"):
        Plan(**{name: limit})


def test_gradients_are_clipped_in_one_way_only():
    with pytest.raises(InvalidWorkload, match=r"one way only.*clipnorm=1, clipvalue=0.5.*Keras refuses"):
        Plan(clipnorm=1.0, clipvalue=0.5)


@pytest.mark.parametrize("decay", [-0.1, float("nan")])
def test_weights_cannot_decay_backwards(decay):
    with pytest.raises(InvalidWorkload, match="Weight decay"):
        Plan(weight_decay=decay)


def test_another_way_to_hold_the_data_is_refused():
    with pytest.raises(InvalidWorkload, match=r"pipeline, array.*'list'"):
        Plan(data="list")


def test_the_usual_plan_needs_no_words():
    assert plan_words(Plan()) == ()
    words = plan_words(Plan(ema=True, global_clipnorm=1.0, weight_decay=0.01, data="array"))
    assert words == ("data as one array", "Clip all by norm: 1", "Weight decay: 0.01", "moving average")


@pytest.mark.parametrize(
    ("plan", "rule", "words"),
    [
        (Plan(optimizer="sgd"), "sgd", ()),
        (Plan(optimizer="sgd", momentum=0.9), "sgd+momentum", ("Momentum: 0.9",)),
        (
            Plan(optimizer="sgd", momentum=0.9, nesterov=True),
            "sgd+momentum+nesterov",
            ("Momentum: 0.9", "Nesterov momentum"),
        ),
        (Plan(optimizer="sgd", nesterov=True), "sgd", ()),
        (Plan(momentum=0.9), "adam", ()),
        (Plan(amsgrad=True), "adam+amsgrad", ("AMSGrad",)),
        (Plan(optimizer="rmsprop", centered=True), "rmsprop+centered", ("Centered",)),
    ],
)
def test_a_variant_counts_with_the_optimizers_that_have_it(plan, rule, words):
    assert (plan.rule, plan_words(plan)) == (rule, words)
