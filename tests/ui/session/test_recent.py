"""What was used lately: newest first, no repetition, bounded, and written only when it changes."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.ui.session.recent import MOST, Recent, dataset_key, model_key


class Memory:
    """Counts what is written."""

    def __init__(self):
        self.writes = 0
        self._models, self._datasets = (), ()

    @property
    def recent_models(self):
        return self._models

    @recent_models.setter
    def recent_models(self, models):
        self._models, self.writes = models, self.writes + 1

    @property
    def recent_datasets(self):
        return self._datasets

    @recent_datasets.setter
    def recent_datasets(self, datasets):
        self._datasets, self.writes = datasets, self.writes + 1


@given(st.lists(st.sampled_from("abcdefghij"), max_size=30))
def test_the_newest_stands_first_and_nothing_twice(names):
    memory = Memory()
    recent = Recent(memory)
    for name in names:
        recent.note(Workload(ModelRef("catalog", name), Dataset(name)))
    newest = list(dict.fromkeys(reversed(names)))[:MOST]
    assert [m.name for m in memory.recent_models] == newest
    assert [d.name for d in memory.recent_datasets] == newest
    assert [m.name for m in Recent(memory).models] == newest


def test_another_plan_writes_nothing():
    memory = Memory()
    recent = Recent(memory)
    assert recent.note(Workload(ModelRef("catalog", "resnet50"), Dataset("cifar10")))
    writes = memory.writes
    assert not recent.note(Workload(ModelRef("catalog", "resnet50"), Dataset("cifar10"), Plan(batch_size=7)))
    assert memory.writes == writes


def test_two_functions_of_one_file_are_two_models():
    first, second = (ModelRef("code", f"net.py:{name}", "/x/net.py", name) for name in ("small", "large"))
    assert model_key(first) != model_key(second)
    assert dataset_key(Dataset("net.py:small", "code", "/x/net.py", function="small")) != dataset_key(
        Dataset("net.py:large", "code", "/x/net.py", function="large")
    )
