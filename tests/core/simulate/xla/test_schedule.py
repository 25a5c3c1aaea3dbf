import pytest

from app.core.simulate.xla.fusion import fuse_instructions
from app.core.simulate.xla.schedule import breadth_first, with_copies, with_ordered_copies
from tests.core.xla_modules import Maker


def fused(make):
    return fuse_instructions(make.module, batch_size=16)


def learning(*, read_late):
    """One weight, its gradient, and a reader on which the new value does or does not depend."""
    make = Maker()
    forward = make.add("call", 0)
    gradient = make.add("call", forward, size=make.module.instructions[0].size)
    new = make.update(0, gradient)
    if read_late:
        make.root(make.add("call", 0, gradient))
    return make, new


def test_a_weight_that_is_read_beside_its_update_is_copied_and_all_read_the_copy():
    make, new = learning(read_late=True)
    found = with_copies(fused(make), make.module.resident)
    copies = [i for i, k in found.items() if k.instruction.opcode == "copy"]
    assert len(copies) == 1
    assert [i for i, k in found.items() if 0 in k.operands] == copies
    assert copies[0] in found[new].operands


def test_a_weight_whose_every_reader_comes_before_its_update_is_not_copied():
    make, _ = learning(read_late=False)
    assert "copy" not in {k.instruction.opcode for k in with_copies(fused(make), make.module.resident).values()}


def test_breadth_first_runs_what_needs_nothing_before_everything_else():
    make = Maker()
    first = make.add("call")
    make.root(make.add("call", first), late := make.add("call"))
    order = breadth_first(fused(make))
    assert order.index(late) < order.index(first + 1)


@pytest.mark.parametrize("late", [True, False])
def test_in_a_known_order_only_a_weight_that_is_read_after_its_new_value_is_copied(late):
    make, new = learning(read_late=True)
    kernels = fused(make)
    reader = max(i for i, k in kernels.items() if 0 in k.operands and i != new)
    others = [i for i in kernels if i not in (reader, new)]
    found, order = with_ordered_copies(kernels, [*others, *((new, reader) if late else (reader, new))])
    copies = [i for i, k in found.items() if k.instruction.opcode == "copy"]
    assert len(copies) == late
    assert sorted(order) == sorted(found)
    if late:
        assert order.index(copies[0]) == order.index(new) - 1
        assert 0 not in found[reader].operands


def test_what_is_written_together_needs_no_copy_of_each_other():
    make, new = learning(read_late=True)
    kernels = fused(make)
    reader = max(i for i, k in kernels.items() if 0 in k.operands and i != new)
    order = [*(i for i in kernels if i not in (reader, new)), new, reader]
    assert with_ordered_copies(kernels, order, [(new, reader)])[0].keys() == kernels.keys()
