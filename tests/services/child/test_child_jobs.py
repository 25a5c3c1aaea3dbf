"""What a child is asked."""

import json

from app.core.types.plans import plan_from_json
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.child.child_jobs import trace_request


def test_the_child_is_told_everything_that_changes_the_traced_step():
    plan = Plan(
        8,
        "sgd",
        "mixed_bfloat16",
        remat=True,
        freeze=("conv*",),
        mode="inference",
        lora_rank=4,
        int8=True,
        sequence_length=64,
        image_size=(48, 64),
    )
    workload = Workload(ModelRef("catalog", "x"), Dataset("d", sample_shape=(8, 8, 3)), plan, (9, 9, 3), 4)
    told = json.loads(json.dumps(trace_request(workload).arguments))
    assert plan_from_json(told).traced == plan.traced
    assert (told["input_shape"], told["classes"], told["dataset"]["sample_shape"]) == ([9, 9, 3], 4, [8, 8, 3])
