"""Who waits for whom while kernels become one, against searching the graph anew."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.simulate.xla.fusion import Kernel
from app.core.simulate.xla.hlo import Instruction
from app.core.simulate.xla.waiting import Waiting
from app.core.types.stepgraph import PerBatch


def kernels_of(operands):
    return {i: Kernel(Instruction("map", (), PerBatch()), dict.fromkeys(reads, False)) for i, reads in operands.items()}


@st.composite
def graphs(draw):
    count = draw(st.integers(2, 24))
    names = draw(st.permutations(range(3 * count)))[:count]
    return {
        name: set(draw(st.lists(st.sampled_from(names[:place]), max_size=3))) if place else set()
        for place, name in enumerate(names)
    }


def searched(operands, groups, kernel, other):
    """Is there a way from a kernel to another that it reads, members of a group being one."""
    group_of = {member: group for group in groups for member in group}
    seen, ahead = set(), {kernel}
    while ahead:
        one = ahead.pop()
        for member in group_of.get(one, (one,)):
            for read in operands[member] - set(group_of.get(one, (one,))):
                if read not in seen:
                    seen.add(read)
                    seen.update(group_of.get(read, ()))
                    ahead.add(read)
    return other in seen


@given(graphs(), st.data())
def test_whoever_waits_for_one_of_several_waits_for_all_of_them_and_for_what_those_wait_for(operands, data):
    waiting, groups = Waiting(kernels_of(operands)), []
    for _ in range(data.draw(st.integers(0, 3))):
        free = [i for i in operands if not any(i in group for group in groups)]
        chosen = data.draw(st.lists(st.sampled_from(free), max_size=3, unique=True)) if free else []
        apart = [i for i in chosen if not any(waiting.connected(i, j) for j in chosen if j != i)]
        if len(apart) > 1:
            waiting.join(apart)
            groups.append(tuple(apart))
    for kernel in operands:
        for other in operands:
            inside = any(kernel in group and other in group for group in groups)
            if kernel != other and not inside:
                assert waiting.waits(kernel, other) == searched(operands, groups, kernel, other)
