"""Long arithmetic ends when somebody asks, and answers right when it is asked again."""

import threading

import pytest

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.types.cancelling import cancelled_by, check_cancelled
from app.core.types.errors import Cancelled
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.graphs import chain_graph
from tests.core.machines import desktop

WORKLOAD = Workload(ModelRef("catalog", "chain"), None, Plan(batch_size=48))


class After:
    """Asks for the end when it has been looked at so many times."""

    def __init__(self, looks):
        self.left = looks

    def __call__(self):
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("looks", [0, 1, 3, 5, 20])
def test_a_prediction_is_called_off_and_asked_again(looks):
    estimator = Estimator(chain_graph())
    with pytest.raises(Cancelled), cancelled_by(After(looks)):
        estimator.predict(WORKLOAD, desktop(), Knowledge())
    assert estimator.predict(WORKLOAD, desktop(), Knowledge()) == Estimator(chain_graph()).predict(
        WORKLOAD, desktop(), Knowledge()
    )


def test_who_asks_does_so_in_its_own_thread():
    seen = []

    def other():
        check_cancelled()
        seen.append("went on")

    with cancelled_by(lambda: True):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    check_cancelled()
    assert seen == ["went on"]
