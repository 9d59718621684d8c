"""Parquet: data sets of tables in HTML, one a row with its sample, as PulseBench-Tab and others on Hugging Face."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from store.formats.contract import FormatError, Read
from store.formats.html_pieces import Piece, numbered
from store.pages import PageSize

# pyarrow takes long to load: it is imported by those who read Parquet.
if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

_MAGIC = b"PAR1"
# The first that is there counts; those in the second place are what was predicted, in the third the truth.
_SAMPLES = ("sample_id", "document", "filename", "file_name", "image_id", "imgid", "id", "name", "image.path")
_PREDICTIONS = ("prediction_html", "predicted_html", "pred_html", "prediction", "html_prediction")
_TRUTHS = ("ground_truth_html", "gt_html", "html", "html_table", "table_html", "text_as_html", "ground_truth")
_ROWS_AT_ONCE = 200
_MOST_TEXT = 500_000_000


def sniff(raw: bytes, name: str) -> bool:
    """Whether the bytes begin as Parquet does."""
    return raw.startswith(_MAGIC)


def read(raw: bytes, *, name: str, pages: Sequence[PageSize] = ()) -> Read:
    """The tables of each row, of the document that the row's sample names.

    Read are the column of a sample's name and one of HTML: of a prediction, else of the truth; of a
    file with ``.gold.`` in its name the truth comes first. Images are not read. Raises FormatError
    for a file without such columns, and for a damaged one.
    """
    # OSError, ValueError, KeyError and NotImplementedError are the kinds that pyarrow's own errors are of.
    try:
        with _opened(raw) as file:
            sample, html, others = _columns(file, gold_first=".gold." in name.lower())
            tables, notes = numbered(_pieces(file, sample, html))
    except FormatError:
        raise
    except (OSError, ValueError, KeyError, NotImplementedError, TypeError, OverflowError, MemoryError) as wrong:
        raise FormatError(f"the Parquet file is damaged ({str(wrong)[:200]}): get it again") from None
    if others:
        notes = (*notes, f"column {html} was read, not {' and '.join(others)}")
    if len({table.document for table in tables}) < 2:
        tables = tuple(replace(table, document="") for table in tables)
    return Read(tables, notes)


def _opened(raw: bytes) -> ParquetFile:
    from pyarrow.parquet import ParquetFile

    return ParquetFile(io.BytesIO(raw))


def _columns(file: ParquetFile, *, gold_first: bool) -> tuple[str, str, list[str]]:
    """The columns of samples and of HTML, and the columns of HTML that are passed over."""
    texts = [
        file.schema.column(place).path
        for place in range(len(file.schema))
        if str(file.schema.column(place).logical_type).startswith("String")
    ]
    kinds = (_TRUTHS, _PREDICTIONS) if gold_first else (_PREDICTIONS, _TRUTHS)
    html = [column for kind in kinds for column in kind if column in texts]
    if not html:
        raise FormatError(
            f"columns of text: {', '.join(texts[:20]) or 'none'}; expected one of HTML, "
            f"named {', '.join(_TRUTHS[:3])} or {', '.join(_PREDICTIONS[:3])}"
        )
    sample = next((column for column in _SAMPLES if column in texts), "")
    return sample, html[0], html[1:]


def _pieces(file: ParquetFile, sample: str, html: str) -> Iterator[Piece]:
    row, length = 0, 0
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=[column for column in (sample, html) if column]):
        for entry in batch.to_pylist():
            text = entry.get(html) or ""
            length += len(text)
            if length > _MOST_TEXT:
                raise FormatError(f"row {row}: more than {_MOST_TEXT:,} characters of HTML; split the file")
            yield Piece(text, f"row {row}", document=_sample(entry, sample, row))
            row += 1


def _sample(entry: dict[str, object], column: str, row: int) -> str:
    outer, _, inner = column.partition(".")
    found = entry.get(outer)
    if inner and isinstance(found, dict):
        found = found.get(inner)
    return PurePosixPath(found).name if isinstance(found, str) and found else f"row {row}"
