from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A machine under load is slow now and then, which says nothing about the code.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@dataclass(frozen=True)
class ScoredPair:
    """Two HTML tables and what the published programs made of them."""

    name: str
    gold: str
    pred: str
    reference: dict[str, Any]

    def ok(self, metric: str) -> bool:
        return bool(self.reference["status"][metric] == "ok")


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of the larger corpora, which are not part of the project."""
    folder = Path(os.environ.get("PROOFGRID_CORPORA", Path(__file__).parents[3] / "shared"))
    if not (folder / "pairs").is_dir():
        pytest.skip(f"{folder} has no folder pairs; PROOFGRID_CORPORA names the folder of the corpora")
    return folder


@pytest.fixture(scope="session")
def scored_pairs(corpora: Path) -> list[ScoredPair]:
    pairs = map(json.loads, (corpora / "pairs" / "pairs.jsonl").read_text().splitlines())
    scores = map(json.loads, (corpora / "pairs" / "reference_scores.jsonl").read_text().splitlines())
    return [
        ScoredPair(pair["id"], pair["gold_html"], pair["pred_html"], scored)
        for pair, scored in zip(pairs, scores, strict=True)
    ]
