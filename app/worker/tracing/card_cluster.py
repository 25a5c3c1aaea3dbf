"""A machine with a CUDA card, as TensorFlow's graph optimizer sees it: none needs to be there.

For a card Grappler turns images to channels first, but where tensor cores compute in half precision, and puts
transposes around what stays as it is, each an operation with a result of its own that is ready long before the
backward pass needs it (core/grappler/optimizers/generic_layout_optimizer.cc; the layout optimizer looks at the
devices' kind and compute capability only).
"""

from __future__ import annotations

from typing import Any

CARD = "/job:localhost/replica:0/task:0/device:GPU:0"
ARCHITECTURE = "8.6"
"""A card with tensor cores for both kinds of 16 bits.  In float32 all capabilities get the same graph."""


def place_on_card(definition: Any) -> None:
    """Say of every operation that it runs on the card, since a build without kernels for one would not."""
    for nodes in (definition.node, *(f.node_def for f in definition.library.function)):
        for node in nodes:
            node.device = CARD


def card_cluster() -> Any:
    """A cluster of one machine with one card."""
    from tensorflow.core.protobuf.device_properties_pb2 import DeviceProperties, NamedDevice
    from tensorflow.python.grappler.cluster import Cluster

    card = DeviceProperties(
        type="GPU",
        vendor="NVIDIA",
        frequency=1500,
        num_cores=32,
        memory_size=1 << 33,
        environment={"architecture": ARCHITECTURE},
    )
    host = DeviceProperties(type="CPU", frequency=3000, num_cores=4, memory_size=1 << 34)
    return Cluster(
        devices=[NamedDevice(name=CARD, properties=card), NamedDevice(name=CARD.replace("GPU", "CPU"), properties=host)]
    )
