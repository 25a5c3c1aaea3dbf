from dataclasses import replace

from app.core.simulate.precision import cast_graph
from app.core.simulate.program_builder import build_program
from app.core.simulate.xla.fusion import fuse_instructions
from app.core.simulate.xla.lowering import lower
from app.core.simulate.xla.schedule import with_copies
from tests.core.graphs import chain_graph

BATCH = 16


def module_of(graph, *, on_host=True):
    return lower(build_program(graph, "adam", kernels="xla"), graph, batch_size=BATCH, on_host=on_host)


def copied(graph, **how):
    """Roles and layers of the residents that are copied before they are written over."""
    module = module_of(graph, **how)
    kernels = with_copies(fuse_instructions(module, batch_size=BATCH), module.resident)
    copies = [k for i, k in kernels.items() if i >= module.resident and k.node.opcode == "copy"]
    return [(module.nodes[o].role, k.node.layer) for k in copies for o in k.operands if o < module.resident]


def test_under_a_scaled_loss_old_slots_are_copied_because_the_weight_is_computed_from_them_too():
    slots = copied(cast_graph(chain_graph(), "mixed_float16"))
    assert sorted(slots) == [("optimizer_state", 0)] * 2 + [("optimizer_state", 1)] * 2


def test_without_a_scaled_loss_the_weight_is_computed_from_the_new_slots():
    assert copied(cast_graph(chain_graph(), "mixed_bfloat16")) == []
    assert copied(cast_graph(chain_graph(), "float16")) == []


def test_every_variable_has_one_new_value():
    module = module_of(cast_graph(chain_graph(), "mixed_float16"))
    assert sorted(n.updates for n in module.nodes if n.updates is not None) == list(range(2 * 3))


def test_an_embedding_keeps_the_condition_and_so_does_a_card():
    mixed = cast_graph(chain_graph(), "mixed_float16")
    rows = tuple(replace(v, sparse_gradient=True) for v in mixed.variables)
    assert copied(replace(mixed, variables=rows)) == []
    assert copied(mixed, on_host=False) == []
