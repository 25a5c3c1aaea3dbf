"""What was tried in vain is told, with what it would bring and why it does not help."""

from dataclasses import replace

from app.core.advising.conditions import would_matter
from app.core.advising.recommend import recommend
from app.core.advising.tried import tried_in_vain
from app.core.pipeline.input_cost import assumed_cost
from app.core.predict.time import sample_elements
from app.core.types.errors import InvalidWorkload
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.machines import desktop
from tests.core.types.test_advice import ARRAYS, ESTIMATOR, SMALL_CARD, predict


def told(plan):
    """What is recommended for a plan, and what was tried besides."""
    workload = Workload(ModelRef("catalog", "chain"), ARRAYS, plan)
    machine = desktop(SMALL_CARD)
    cost = assumed_cost(ARRAYS, machine, sample_elements(ESTIMATOR.graph))

    def same_trace(changed):
        if changed.traced != plan.traced:
            raise InvalidWorkload("not traced")
        return predict(changed, machine)

    now = predict(plan, machine)
    found = recommend(workload, now, same_trace, ESTIMATOR.graph, cost=cost)
    return found, tried_in_vain(workload, now, same_trace, ESTIMATOR.graph, cost, found), workload, now, cost


def test_every_other_batch_says_why_it_is_not_recommended():
    found, tried, _, now, _ = told(Plan(batch_size=32))
    assert now.fit.verdict == "fits"
    batches = {one.change.changes["batch_size"]: one for one in tried if "batch_size" in one.change.changes}
    assert {16, 64} <= set(batches) | {one.changes.get("batch_size") for one in found}
    assert all(one.reason for one in tried)
    assert all(one.change.after.memory_bytes for one in tried)


def test_what_is_recommended_is_not_among_what_was_tried_in_vain():
    found, tried, _, _, _ = told(Plan(batch_size=32))
    assert not [one for one in tried if one.change.changes in [each.changes for each in found]]


def test_the_shortest_epoch_stands_first():
    epochs = [one.change.after.epoch_s or 0.0 for one in told(Plan(batch_size=32))[1]]
    assert epochs == sorted(epochs)


def test_a_smaller_batch_is_a_way_to_a_smaller_memory():
    _, tried, _, _, _ = told(Plan(batch_size=32))
    half = next(one for one in tried if one.change.changes == {"batch_size": 16})
    assert half.smaller
    assert half.change.after.memory_bytes < half.change.before.memory_bytes


def test_ram_disk_and_card_each_say_from_when_on_they_would_matter():
    _, _, workload, now, cost = told(Plan(batch_size=32))
    parts = [text.partition(":")[0] for text in would_matter(workload, now, cost)]
    assert parts[:3] == ["RAM", "Disk", "Card"]
    assert parts[3].startswith("Memory of")


def test_without_a_dataset_nothing_is_said_of_ram_and_disk():
    _, _, workload, now, _ = told(Plan(batch_size=32))
    parts = [text.partition(":")[0] for text in would_matter(replace(workload, dataset=None), now, None)]
    assert "RAM" not in parts
    assert "Disk" not in parts
