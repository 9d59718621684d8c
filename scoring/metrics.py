"""The published metrics for pairs of HTML tables by name, with what each one claims about its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scoring.error_rates import cer, wer
from scoring.grits import grits_con, grits_top
from scoring.teds import teds
from scoring.tlag import tlag

Ratios = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Metric:
    """A score of HTML gold and prediction (gold first): one number, or precision, recall and f1.

    ``equal`` is the value of a document that has a table against itself, ``least`` and ``most`` are the bounds that
    hold for all pairs (None: there is none), ``symmetric`` says that gold and prediction may change places (which
    swaps precision and recall). ``reference`` names the program whose values it has, or the definition.
    """

    score: Callable[[str, str], float | Ratios]
    reference: str
    equal: float = 1.0
    least: float | None = 0.0
    most: float | None = 1.0
    symmetric: bool = True


_IBM = "metric.py of ibm-aur-nlp/PubTabNet 8ffde90"
_MICROSOFT = "grits.py of microsoft/table-transformer 16d124f"
_KENSHO = "grits-metric 0.7.0"
_OWN = "TEDS on trees of rows and cells, Proofgrid"

# Each published metric in its usual mode.
USUAL = ("tlag", "teds", "teds_struct", "grits_con", "grits_top", "cer", "wer")

METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        "tlag": Metric(lambda gold, pred: tlag(gold, pred).to_json(), "T-LAG of PulseBench-Tab, April 2026"),
        "teds": Metric(lambda gold, pred: teds(gold, pred).score, _IBM, least=None),
        "teds_struct": Metric(lambda gold, pred: teds(gold, pred, structure_only=True).score, _IBM, least=None),
        "grits_con": Metric(lambda gold, pred: grits_con(gold, pred).to_json(), _MICROSOFT, symmetric=False),
        "grits_top": Metric(lambda gold, pred: grits_top(gold, pred).to_json(), _MICROSOFT, symmetric=False),
        "cer": Metric(lambda gold, pred: cer(gold, pred).rate, "jiwer 4.0.0", equal=0.0, most=None, symmetric=False),
        "wer": Metric(lambda gold, pred: wer(gold, pred).rate, "jiwer 4.0.0", equal=0.0, most=None, symmetric=False),
        "teds_normalised": Metric(lambda gold, pred: teds(gold, pred, mode="normalised").score, _OWN),
        "teds_struct_normalised": Metric(
            lambda gold, pred: teds(gold, pred, structure_only=True, mode="normalised").score, _OWN
        ),
        "grits_con_kg": Metric(lambda gold, pred: grits_con(gold, pred, mode="kg").to_json(), _KENSHO, symmetric=False),
        "grits_top_kg": Metric(lambda gold, pred: grits_top(gold, pred, mode="kg").to_json(), _KENSHO, symmetric=False),
    }
)
