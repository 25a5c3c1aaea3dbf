"""Transformers on other cards, from data sheets and scaled from one card, against NeuSight's measured steps.

    python -m studies.accuracy.time_neusight [--data FOLDER] [--json]

Table: ``neusight_e2e_measured_and_predicted.csv`` (sitar-lab/NeuSight, MIT): PyTorch 2.1 in float32 without TF32,
operation by operation, one card.  The graph is written down here from the networks' published configurations.
Rows of several cards, of fused kernels and of the mixture of experts are left out.  NeuSight's times of single
kernels are a source of `app.core.timing.card_architectures`.  This table was first looked at when the model was made;
it then showed that two shares of that source were applied wrongly (the A100's power limit counted twice, CDNA's
matrix cores forgotten).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.core.timing.card_rates import card_rates
from app.core.timing.card_steptime import CardWork
from app.core.timing.card_transfer import CardCase, data_sheet_interval
from app.core.types.stepgraph import ModelFacts, Operation, PerBatch, StepGraph
from app.core.types.text import verbatim
from app.services.advisor import Advisor
from studies.accuracy.command import finish, parser, read_table
from studies.accuracy.figures import Pair
from studies.accuracy.product import open_advisor
from studies.accuracy.published import machine_with
from studies.accuracy.step_times import Timed, answer_of, cells_table, groups_table, one_card_table

TABLE = "neusight_e2e_measured_and_predicted.csv"
CARDS = {
    "NVIDIA_H100_80GB_HBM3": "H100 SXM 80GB",
    "NVIDIA_A100-PCIE-40GB": "A100 PCIe 40GB",
    "NVIDIA_L4": "L4",
    "NVIDIA_A100_80GB_PCIe": "A100 PCIe 80GB",
    "Tesla_V100-PCIE-32GB": "Tesla V100 PCIe 32GB",
    "Tesla_T4": "Tesla T4",
    "Tesla_P100-PCIE-16GB": "Tesla P100 PCIe 16GB",
    "Tesla_P4": "Tesla P4",
    "AMD_Instinct_MI100": "Instinct MI100",
    "AMD_Instinct_MI210": "Instinct MI210",
    "AMD_Instinct_MI250": "Instinct MI250X (each of its two dies)",
}
FLOAT = 4
PASSES_OF_TRAINING = 3
"""A backward pass takes two products where the forward pass took one, and moves as much again twice."""


@dataclass(frozen=True)
class Transformer:
    """The published configuration of a network."""

    layers: int
    width: int
    heads: int
    vocabulary: int
    element_wise_gelu: int = 8
    """Kernels of the activation: eight of the tanh form written in Python, one of a built-in."""


NETWORKS = {
    "bert_large": Transformer(24, 1024, 16, 30522, 1),
    "gpt2_large": Transformer(36, 1280, 20, 50257),
    "gpt3_xl": Transformer(24, 3072, 24, 50257),
    "gpt3_27": Transformer(32, 2560, 32, 50257),
    "opt_13": Transformer(24, 2048, 32, 50272, 1),
}


def main() -> None:
    """Predict every row of a plain transformer on one card."""
    given = parser(__doc__).parse_args()
    records = read_table(given.data, TABLE)
    found = [timed for _, timed in predict(open_advisor(), records)]
    answer = answer_of("neusight_e2e", found, len(records))
    finish(answer, as_json=given.json, tables=(groups_table(found), cells_table(found), one_card_table(answer)))


def predict(advisor: Advisor, records: list[dict[str, str]]) -> list[tuple[dict[str, str], Timed]]:
    """The product's answer from data sheets for every row of a plain transformer on one card, beside the row."""
    usable = [r for r in records if not r["option"] and r["model_name"] in NETWORKS and r["label_all_e2e_latency"]]
    found = []
    for r in usable:
        gpu = replace(machine_with(advisor, CARDS[r["device"]]).gpus[0], tensor_tf32_flops_per_s=None)
        graph = graph_of(NETWORKS[r["model_name"]], int(r["seqlen"]), train=r["mode"] == "train")
        rates = card_rates(gpu, "float32")
        assert rates is not None
        batch = int(r["batch"])
        step = CardWork(graph, "sgd").step(rates, batch, xla=False)
        assert step is not None
        low, high = data_sheet_interval(gpu)
        pair = Pair(step.step_s, float(r["label_all_e2e_latency"]) / 1e3, step.step_s * low, step.step_s * high)
        flops = sum(op.flops.at(batch) for op in graph.operations)
        bound = step.as_step_time().bound_by
        case = CardCase(step, gpu, "float32")
        settings = (r["seqlen"], r["mode"])
        found.append((r, Timed(CARDS[r["device"]], gpu, r["model_name"], batch, settings, pair, flops, bound, case)))
    return found


class _Writer:
    """Writes operations down; sizes are those of one sample, weights are fixed."""

    def __init__(self) -> None:
        self.sizes: list[PerBatch] = []
        self.operations: list[Operation] = []

    def product(self, rows: float, inner: float, columns: float, *, weights: bool = True, many: int = 1) -> None:
        """``many`` products of rows x inner by inner x columns; the second operand is a weight or another result."""
        second = inner * columns * many * FLOAT
        given = self._new(rows * inner * many * FLOAT), self._new(0, second) if weights else self._new(second)
        result = self._new(rows * columns * many * FLOAT)
        work = PerBatch(0, 2.0 * rows * inner * columns * many)
        self.operations.append(Operation("MatMul", given, (result,), flops=work))

    def element_wise(self, elements: float, kernels: int = 1, operands: int = 1) -> None:
        """Kernels that read and write every element."""
        for _ in range(kernels):
            given = tuple(self._new(elements * FLOAT) for _ in range(operands))
            self.operations.append(Operation("Mul", given, (self._new(elements * FLOAT),)))

    def _new(self, per_sample: float, fixed: float = 0) -> int:
        self.sizes.append(PerBatch(fixed, per_sample))
        return len(self.sizes) - 1


def graph_of(network: Transformer, length: int, *, train: bool) -> StepGraph:
    """One step of a transformer for sequences of a length."""
    written = _Writer()
    for _ in range(PASSES_OF_TRAINING if train else 1):
        for _ in range(network.layers):
            _layer(written, network, length)
        written.element_wise(length * network.width)
        written.product(length, network.width, network.vocabulary)
    facts = ModelFacts("transformer", verbatim("by hand"), 0, 0, ())
    return StepGraph(facts, "float32", "inference", (), (), tuple(written.sizes), tuple(written.operations))


def _layer(written: _Writer, network: Transformer, length: int) -> None:
    """Attention and the two dense layers, each after a normalisation and with a residual."""
    width, heads = network.width, network.heads
    scores = heads * length * length
    written.element_wise(length * width)
    written.product(length, width, 3 * width)
    written.element_wise(3 * length * width)
    written.product(length, width / heads, length, weights=False, many=heads)
    written.element_wise(scores, kernels=3)
    written.product(length, length, width / heads, weights=False, many=heads)
    written.element_wise(length * width)
    written.product(length, width, width)
    written.element_wise(length * width, operands=2)
    written.element_wise(length * width)
    written.product(length, width, 4 * width)
    written.element_wise(4 * length * width, kernels=network.element_wise_gelu)
    written.product(length, 4 * width, width)
    written.element_wise(length * width, operands=2)


if __name__ == "__main__":
    main()
