"""Tables in CSV files, parsed by TensorFlow while training, as a pipeline from disk does."""

from __future__ import annotations

from typing import Any

from app.core.types.workload import Dataset, Plan
from app.worker.data.fit import check_numbers
from app.worker.data.plan import calls_at_once
from app.worker.models.built import BuiltModel
from app.worker.scanning.tables import table_columns

_BUCKETS = 2**20


def samples(built: BuiltModel, dataset: Dataset, plan: Plan) -> Any:
    """Rows of numbers and their labels; a label that is text becomes a number by its hash.

    Raises:
        BadDataset: The table does not suit the model.
    """
    import tensorflow as tf

    path = dataset.path or ""
    columns, delimiter = table_columns(path)
    check_numbers(built, (len(columns.numeric),), dataset.name)
    selected = sorted((*columns.numeric, *(() if columns.label is None else (columns.label,))))
    text = columns.label if columns.label_is_text else None
    defaults: list[Any] = [tf.constant([""] if index == text else [0.0]) for index in selected]
    table = tf.data.experimental.CsvDataset(
        path, defaults, header=columns.has_header, select_cols=selected, field_delim=delimiter
    )

    def split(*cells: Any) -> tuple[Any, Any]:
        by_column = dict(zip(selected, cells, strict=True))
        label = tf.constant(0.0) if columns.label is None else by_column[columns.label]
        if columns.label_is_text:
            label = tf.strings.to_hash_bucket_fast(label, _BUCKETS)
        return tf.stack([by_column[index] for index in columns.numeric]), label

    return table.map(split, num_parallel_calls=calls_at_once(plan))
