import pytest

from app.core.simulate.program import Buffer, Op, Program
from app.core.simulate.xla.softmax_rows import rows_of_softmaxes
from app.core.types.stepgraph import PerBatch

IMAGE, ROW = PerBatch(0, 4000), PerBatch(0, 40)


def program(kind, *backward):
    """Scores, what is made of them, and operations of the gradient over further buffers."""
    buffers = [Buffer(size, "activations") for size in (IMAGE, IMAGE, IMAGE, IMAGE, ROW)]
    return Program(buffers=buffers, ops=[Op(kind, (0,), (1,), ()), *backward])


@pytest.mark.parametrize(
    ("kind", "backward"),
    [
        ("Softmax", (Op("Mul", (2, 1), (3,), (), phase="backward"), Op("Sum", (3,), (4,), (), phase="backward"))),
        ("LogSoftmax", (Op("Sum", (1,), (4,), (), phase="backward"),)),
    ],
)
def test_the_sum_of_its_gradient_says_how_many_rows_a_softmax_has(kind, backward):
    assert rows_of_softmaxes(program(kind, *backward)) == {1: ROW}


def test_nobody_says_it_where_there_is_no_gradient():
    assert rows_of_softmaxes(program("Softmax", Op("Sum", (1,), (4,), ()))) == {}
