"""The README of each sample and of the whole folder, written from what the generator did."""

from __future__ import annotations

from collections.abc import Sequence

from sample_docs.generator.reading import Sample, Slip, TrueTable

FORMATS = {"json": "JSON", "csv": "CSV", "html": "HTML"}


def of_sample(sample: Sample) -> str:
    """What the document is, how it was made, and every imperfection of its first extraction."""
    lines = [
        f"# {sample.title}",
        "",
        sample.about,
        "",
        "| file | what it is |",
        "| --- | --- |",
        f"| `{sample.document}` | the document |",
        f"| `{sample.first_name}` | the first extraction, as received |",
        f"| `table_types.json` | {_table_types(sample)} |",
    ]
    if sample.finished:
        lines.append("| `gold.json` | the corrected answer |")
    lines += ["", "## How it was made", "", sample.made, "All names, addresses, numbers and companies are invented."]
    lines += [f"\n{note}" for note in sample.notes]
    lines += [
        "",
        "## What is wrong with the first extraction",
        "",
        "The extractor is invented; its mistakes are of the kinds that real ones make. Row 1 is the first row below "
        "the "
        "header; a column without one name is counted from 1.",
        "",
        "| table | row | column | printed | first extraction | confidence | why this happens |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for table in sample.truth:
        for slip in sorted(sample.slips[table.name], key=lambda slip: (slip.row, slip.col)):
            lines.append("| " + " | ".join(_row(table, slip)) + " |")
    lines += ["", "## State", "", _state(sample), ""]
    return "\n".join(lines)


def _table_types(sample: Sample) -> str:
    names = ", ".join(f"`{table_type['name']}`" for table_type in sample.table_types)
    return f"the columns and checks of {names}" if names else "empty: the table is a grid without a table type"


def _row(table: TrueTable, slip: Slip) -> tuple[str, ...]:
    true = {(cell.row, cell.col): cell for cell in table.cells}
    header_rows = 1 + max(cell.row for cell in table.cells if cell.header == "column")
    cell = true.get((slip.row, slip.col))
    printed = cell.printed if cell is not None else ""
    name = next(
        (one.printed for one in table.cells if one.header == "column" and one.row == 0 and one.col == slip.col), ""
    )
    if header_rows > 1:
        name = str(slip.col + 1)
    row = "header" if slip.row < header_rows else str(slip.row - header_rows + 1)
    right = true.get((slip.row, slip.col + 1))
    whole = slip.kind in ("missed", "doubled", "invented")
    read = {
        "misread": f"`{slip.read}`" if slip.read else "nothing",
        "unsure": "right",
        "merged": f"`{printed} {right.printed if right else ''}`",
        "slid": f"in column {slip.to + 1}",
        "missed": "the row is missing",
        "doubled": "the row is there twice",
        "invented": f"a row `{' / '.join(slip.cells)}` after it",
        "span": f"spans {slip.spans[0]} × {slip.spans[1]} (rows × columns)",
    }[slip.kind]
    no_confidence = slip.kind == "unsure" and slip.confidence is None
    confidence = "none" if no_confidence else "" if slip.confidence is None else f"{slip.confidence:g}"
    shown = "" if whole else f"`{printed}`"
    return table.name, row, "" if whole else name, shown, read, confidence, slip.why


def _state(sample: Sample) -> str:
    slips = [slip for table in sample.truth for slip in sample.slips[table.name]]
    if sample.finished:
        return "Finished: `gold.json` holds the right answer, so that scores can be shown at once."
    counted = {
        "cell to correct": sum(
            2 if slip.kind in ("merged", "slid") else slip.kind in ("misread", "span") for slip in slips
        ),
        "missed row to add": sum(slip.kind == "missed" for slip in slips),
        "row to delete": sum(slip.kind in ("doubled", "invented") for slip in slips),
    }
    work = ", ".join(
        f"{number} {what if number == 1 else what.replace(' to', 's to')}" for what, number in counted.items() if number
    )
    return f"Not finished: there is no `gold.json`, and the document waits for a reviewer. Work to do: {work}."


def overview(samples: Sequence[Sample]) -> str:
    """The README of the folder: all samples in one table, fonts and licences."""
    rows = [
        f"| [{sample.slug}]({sample.slug}/README.md) | {sample.title} | {FORMATS[sample.first_name.rsplit('.')[-1]]} "
        f"| {'finished' if sample.finished else 'open'} |"
        for sample in samples
    ]
    return "\n".join(
        [
            "# Sample documents",
            "",
            "Eight documents of the kinds that people really have, made by the project itself, each with the first "
            "extraction of an invented extractor, the table types that it needs, and for half of them the corrected "
            "answer. "
            "The others are open, so that there is something to review.",
            "",
            "| folder | document | first extraction | state |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
            "The README in each folder lists every mistake of the first extraction. All people, companies, banks, "
            "addresses "
            "and numbers are invented: telephone numbers come from ranges kept free for drama, web addresses end in "
            "`.example`, account and tax numbers are no valid ones.",
            "",
            "## Making them again",
            "",
            "```",
            "pip install '.[samples]'",
            "python -m sample_docs.generate",
            "```",
            "",
            "writes all files of this folder but the fonts, the same bytes each time with the same versions of the "
            "libraries. The generator knows where it drew each text; the boxes in `gold.json` and in the first "
            "extractions "
            "come from there. One module in `generator/` makes one document; the mistakes stand in its `SLIPS`.",
            "",
            "## Fonts",
            "",
            "`fonts/` holds parts of Noto Sans, Noto Serif, Noto Serif Display, Noto Sans Math, Noto Sans Arabic and "
            "Noto "
            "Sans CJK JP, cut to the signs that the samples need with `python -m sample_docs.generator.fonts`. They "
            "are under "
            "the SIL Open Font License 1.1, `fonts/OFL.txt`. The documents and data are under the licence of the "
            "project.",
            "",
        ]
    )
