from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.xla.assignment import assign
from app.core.simulate.xla.fusion import Kernel, fuse_instructions
from app.core.simulate.xla.hlo import Scratch
from app.core.simulate.xla.schedule import breadth_first, with_copies
from app.core.types.stepgraph import PerBatch
from tests.core.simulate.xla.test_fusion import modules
from tests.core.xla_modules import IMAGE, WEIGHT, Maker

BATCH = 16
BYTES = IMAGE.at(BATCH)


def assigned(make):
    kernels = with_copies(fuse_instructions(make.module, batch_size=BATCH), make.module.resident)
    return assign(kernels, breadth_first(kernels), make.module, BATCH)


def block(make, batch_size=BATCH):
    return assigned(make).profile(batch_size)[0].max(initial=0)


def test_what_one_kernel_makes_with_a_sum_is_written_over_nothing():
    make = Maker()
    image = make.add("call")
    gradient = make.add("map", image)
    total = make.add("reduce", gradient, size=WEIGHT)
    make.root(gradient, total)
    kernels = {
        i: Kernel(n, dict.fromkeys(n.operands, n.opcode == "map")) for i, n in enumerate(make.module.instructions)
    }

    def most(*together):
        return assign(kernels, list(kernels), make.module, BATCH, together).profile(BATCH)[0].max()

    assert most() == BYTES + WEIGHT.fixed
    assert most((gradient, total)) == 2 * BYTES + WEIGHT.fixed


def test_of_a_chain_of_calls_two_results_live_at_once():
    make = Maker()
    last = make.add("call")
    for _ in range(5):
        last = make.add("call", last)
    make.root(last)
    assert block(make) == 2 * BYTES


def test_an_elementwise_result_is_written_over_the_operand_that_ends_with_it():
    make = Maker()
    image = make.add("call")
    other = make.add("call")
    total = make.add("map", image, other)
    make.root(make.add("call", total), other)
    assert block(make) == 3 * BYTES  # both, then the sum over the first, the second still wanted, and the call's


def test_what_comes_out_of_a_tuple_is_not_written_over():
    make = Maker()
    library = make.add("call")
    other = make.add("call", size=PerBatch())
    activation = make.add("map", library)
    make.root(activation, other)
    kernels = {
        i: Kernel(n, dict.fromkeys(n.operands, n.opcode == "map")) for i, n in enumerate(make.module.instructions)
    }

    def alive(*together):
        groups = (together,) if together else ()
        return assign(kernels, list(kernels), make.module, BATCH, groups).profile(BATCH)[0].max()

    assert alive() == BYTES
    assert alive(library, other) == 2 * BYTES  # it is one of a kernel's two results
    make.module.instructions[library].scratch = Scratch(PerBatch(16), 16)
    assert alive() == 2 * BYTES


def test_another_layout_is_never_written_over_its_operand():
    make = Maker()
    make.root(make.add("call", make.add("copy", make.add("call"))))
    assert len(assigned(make).buffers) == 4


def test_a_scatter_takes_over_what_it_adds_to():
    make = Maker()
    zeros = make.add("spread")
    make.root(make.add("call", zeros, make.add("call", size=PerBatch(4)), in_place=zeros))
    assert block(make) == BYTES + 4


def test_an_output_lives_to_the_end():
    make = Maker()
    kept = make.add("call")
    last = make.add("call")
    for _ in range(4):
        last = make.add("call", last)
    make.root(last)
    make.module.outputs, make.module.roots = {kept}, make.module.roots | {kept}
    assert block(make) == 3 * BYTES


def vacant_weight():
    """A weight that is copied at once, work in between, and its update at the end."""
    make = Maker()
    forward = make.add("call", 0, size=WEIGHT)
    work = make.add("call", make.add("call", forward, size=WEIGHT), size=WEIGHT)
    make.update(0, make.add("call", work, size=WEIGHT))
    make.root(make.add("call", 0, work, size=WEIGHT))
    return make


def test_a_result_finds_room_where_an_old_weight_was():
    found = assigned(vacant_weight())
    live, reusing = found.profile(1)
    assert reusing
    assert sum(b.size.fixed for i, b in enumerate(found.buffers) if i in reusing) >= WEIGHT.fixed
    assert live.max() < sum(b.size.fixed for b in found.buffers)


def test_what_is_larger_than_the_old_weight_does_not_fit_there():
    make = Maker()
    forward = make.add("call", 0)
    work = make.add("call", make.add("call", forward))
    make.update(0, make.add("call", work, size=WEIGHT))
    make.root(make.add("call", 0, work))
    found = assigned(make)
    _, reusing = found.profile(BATCH)
    assert all(found.buffers[i].size == WEIGHT for i in reusing)


def test_an_update_that_adds_rows_into_the_old_value_needs_no_memory():
    make = Maker()
    rows = make.add("call", size=PerBatch(8))
    new = make.add("call", 0, rows, size=WEIGHT, in_place=0, updates=0)
    make.module.roots.add(new)
    assert block(make) == 8


@given(make=modules(), batch=st.integers(1, 64))
def test_the_profile_is_never_negative_and_guests_only_lower_it(make, batch):
    found = assigned(make)
    live, reusing = found.profile(batch)
    assert live.min(initial=0) >= 0
    everything = sum(b.size.at(batch) for b in found.buffers)
    assert live.max(initial=0) <= everything
    assert all(0 <= b.start <= b.end < found.moments for b in found.buffers)
    assert reusing <= set(range(len(found.buffers)))
