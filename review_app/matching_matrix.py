"""The rows of a gold table against those that were extracted: how similar each two are, and which were matched."""

from __future__ import annotations

import json
from html import escape

from store.comparison import Comparison

# Larger ones say nothing to the eye, or fill the disk; the pairs are told in any case.
MOST_SHOWN, MOST_STORED = 10_000, 250_000
_STYLE = """
:root { color-scheme: light dark; }
body { font: 13px/1.4 system-ui, sans-serif; margin: 16px; background: Canvas; color: CanvasText; }
table { border-collapse: collapse; } th { font-weight: 500; text-align: start; padding: 2px 6px; white-space: nowrap; }
thead th { writing-mode: vertical-rl; text-align: end; max-height: 180px; overflow: hidden; }
tbody th, thead th { max-width: 320px; overflow: hidden; text-overflow: ellipsis; }
td { min-width: 30px; height: 24px; text-align: center; font-variant-numeric: tabular-nums; font-size: 11px; }
td.chosen { outline: 2px solid CanvasText; outline-offset: -2px; font-weight: 700; }
"""


def to_json(found: Comparison) -> str:
    """Pairs of (gold, extracted) data rows from 0, rows without a partner, and all similarities unless too many."""
    at = found.alignment
    size = (len(at.gold_texts), len(at.pred_texts))
    header, pred_header = at.gold_header, at.pred_header
    whole = size[0] * size[1] <= MOST_STORED
    return json.dumps(
        {
            "gold_rows": size[0],
            "extracted_rows": size[1],
            "matched_by": at.how,
            "pairs": [[gold - header, pred - pred_header] for gold, pred in at.data_rows],
            "missed": [row - header for row in at.missed if row >= header],
            "extra": [row - pred_header for row in at.extra if row >= pred_header],
            "duplicates": [row - pred_header for row in at.duplicates],
            "similarity": [[round(float(each), 4) for each in row] for row in at.similarity] if whole else None,
        },
        ensure_ascii=False,
    )


def html(found: Comparison) -> str:
    """The matrix as one page: gold rows down, extracted rows across, chosen pairs framed."""
    at = found.alignment
    gold, pred = at.gold_texts, at.pred_texts
    title = f"{found.document.name}: {found.label}"
    if len(gold) * len(pred) > MOST_SHOWN:
        body = f"<p>{len(gold):,} by {len(pred):,} rows are too many to show; matching_matrix.json has the pairs.</p>"
    elif not gold or not pred:
        side = "gold" if pred else "the extraction"
        body = f"<p>There is nothing to match: {side} has no rows.</p>"
    else:
        across = "".join(f"<th scope='col' dir='auto'>{escape(_row(row))}</th>" for row in pred)
        lines = []
        for row, values, chosen in zip(gold, at.similarity, at.matching, strict=True):
            cells = "".join(
                f"<td{' class=chosen' if taken else ''} style='background:rgb(31 95 208/{value:.2f})"
                f"{';color:#fff' if value > 0.55 else ''}'>{value:.2f}</td>"
                for value, taken in zip(values.tolist(), chosen.tolist(), strict=True)
            )
            lines.append(f"<tr><th scope='row' dir='auto'>{escape(_row(row))}</th>{cells}</tr>")
        head = f"<thead><tr><th scope='col'>gold \u2193 extracted \u2192</th>{across}</tr></thead>"
        body = f"<table>{head}<tbody>{''.join(lines)}</tbody></table>"
    how = f"<p>Matching: {escape(at.how)}. Similarity 0 to 1; a frame is round each pair that was matched.</p>"
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        f"<style>{_STYLE}</style></head><body><h3>{escape(title)}</h3>{how}{body}</body></html>\n"
    )


def _row(texts: tuple[str, ...]) -> str:
    shown = " | ".join(texts)
    return shown if len(shown) <= 60 else shown[:59] + "\u2026"
