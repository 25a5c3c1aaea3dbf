"""The messages of TensorFlow's profiles and of XLA's answers, for the protobuf that TensorFlow brings along.

Only the fields that are read here are named; all others are passed over.  Where TensorFlow keeps its own generated
classes changes from version to version, and what one protoc generated runs with few versions of protobuf; descriptors
made when they are needed run with all.  Texts are read as bytes: a profile may hold some that are no UTF-8.

Sources: tsl/profiler/protobuf/xplane.proto, xla/service/hlo.proto, xla/xla_data.proto.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from app.core.types.text import phrase

_PACKAGE = "willittrain"
_SCALARS = {"double": 1, "int64": 3, "uint64": 4, "bool": 8, "bytes": 12}
"""``FieldDescriptorProto.Type`` (google/protobuf/descriptor.proto)."""
_MESSAGE, _OPTIONAL, _REPEATED = 11, 1, 3

_MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "XSpace": {"planes": (1, "XPlane*")},
    "XPlane": {
        "name": (2, "bytes"),
        "lines": (3, "XLine*"),
        "event_metadata": (4, "EventNames*"),
        "stat_metadata": (5, "StatNames*"),
    },
    "XLine": {"id": (1, "int64"), "name": (2, "bytes"), "timestamp_ns": (3, "int64"), "events": (4, "XEvent*")},
    "XEvent": {
        "metadata_id": (1, "int64"),
        "offset_ps": (2, "int64"),
        "duration_ps": (3, "int64"),
        "stats": (4, "XStat*"),
    },
    "XStat": {
        "metadata_id": (1, "int64"),
        "double_value": (2, "double"),
        "uint64_value": (3, "uint64"),
        "int64_value": (4, "int64"),
        "str_value": (5, "bytes"),
        "bytes_value": (6, "bytes"),
        "ref_value": (7, "uint64"),
    },
    "EventNames": {"key": (1, "int64"), "value": (2, "XEventMetadata")},
    "StatNames": {"key": (1, "int64"), "value": (2, "XStatMetadata")},
    "XEventMetadata": {"name": (2, "bytes"), "stats": (5, "XStat*")},
    "XStatMetadata": {"name": (2, "bytes")},
    "HloProto": {"hlo_module": (1, "HloModuleProto"), "buffer_assignment": (3, "BufferAssignmentProto")},
    "HloModuleProto": {"computations": (3, "HloComputationProto*")},
    "HloComputationProto": {"instructions": (2, "HloInstructionProto*")},
    "HloInstructionProto": {"name": (1, "bytes"), "metadata": (7, "OpMetadata")},
    "OpMetadata": {"op_name": (2, "bytes")},
    "BufferAssignmentProto": {"buffer_allocations": (3, "BufferAllocationProto*")},
    "BufferAllocationProto": {
        "size": (2, "int64"),
        "is_thread_local": (3, "bool"),
        "is_entry_computation_parameter": (5, "bool"),
        "is_constant": (12, "bool"),
    },
}
"""Message to field to number and type; ``*`` stands for any number of them.  A map is a list of entries."""


def parse(message: str, content: bytes) -> Any:
    """A message of that name, its fields as attributes.

    Raises:
        ValueError: The bytes are no such message.
    """
    from google.protobuf.message import DecodeError

    try:
        return _class_of(message).FromString(content)
    except DecodeError as error:
        raise ValueError(phrase("these bytes are no {message}: {error}", message=message, error=error)) from error


@cache
def _class_of(message: str) -> Any:
    """The class of a message; protobuf before 4.22 has another function for it."""
    from google.protobuf import message_factory

    found = _pool().FindMessageTypeByName(f"{_PACKAGE}.{message}")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(found)
    return message_factory.MessageFactory(_pool()).GetPrototype(found)


@cache
def _pool() -> Any:
    """All messages, described."""
    from google.protobuf import descriptor_pb2, descriptor_pool

    file = descriptor_pb2.FileDescriptorProto(name=f"{_PACKAGE}.proto", package=_PACKAGE)
    for message, fields in _MESSAGES.items():
        described = file.message_type.add(name=message)
        for name, (number, kind) in fields.items():
            one = kind.removesuffix("*")
            field = described.field.add(name=name, number=number, type=_SCALARS.get(one, _MESSAGE))
            field.label = _REPEATED if kind.endswith("*") else _OPTIONAL
            if one not in _SCALARS:
                field.type_name = f".{_PACKAGE}.{one}"
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return pool
