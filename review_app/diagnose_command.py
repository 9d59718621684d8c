"""The command that asks a language model for the causes of errors."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from review_app.exits import EXIT_CHECK_FAILED
from review_app.extract_commands import given_parameters, parameters_option, set_option
from review_app.opening import acting, expect_known, home_option, json_option, opened
from review_app.wording import count, in_words


@click.command()
@home_option
@click.option("--project", default=None, help="Only this project; by default all.")
@click.option("--run", type=int, default=None, help="Number of the run to look at; by default the first extraction.")
@parameters_option
@set_option
@json_option
def diagnose(
    home: Path | None, project: str | None, run: int | None, file: Path | None, settings: tuple[str, ...], as_json: bool
) -> None:
    """Ask a language model why tables were extracted wrongly, and keep its answer beside the cause by the rules.

    Only accepted tables with errors are asked about, and none twice in the same state. The model gets the
    differences and chooses among the causes of docs/causes.md; nothing that it says changes a score. Nothing leaves
    the machine unless base_url says so.

    Exit status: 1 where the model gave no answer that can be taken for some table.

    Example: proofgrid diagnose --project invoices --set model=qwen3
    """
    from review_app.score_report import diagnosis_line
    from store.comparison import Comparison
    from store.diagnoses import Diagnosis
    from store.diagnosing import diagnose as ask
    from store.diagnosing import settled
    from store.scores import compared_documents

    entries: list[tuple[Comparison, Diagnosis, bool]] = []

    def told(comparison: Comparison, made: Diagnosis, new: bool) -> None:
        entries.append((comparison, made, new))
        if not as_json:
            by_rules = f"mostly {in_words(made.by_rules)}"
            click.echo(f"{comparison.document.name}, {comparison.label}: {by_rules}; {diagnosis_line(made)}")

    with opened(home) as (db, _):
        parameters = settled(given_parameters(file, settings))
        with db.read() as reader:
            expect_known(reader, project=project, run=run)
            found = [
                table.comparison
                for document in compared_documents(db, reader, project=project, run=run)
                for table in document.tables
            ]
        ask(db, found, parameters, person=acting(db), told=told)
    refused = sum(made.agrees is None for _, made, _ in entries)
    if as_json:
        click.echo(json.dumps([_plain(*entry) for entry in entries], ensure_ascii=False, indent=1))
    else:
        agreed = sum(made.agrees is True for _, made, _ in entries)
        new = sum(new for _, _, new in entries)
        known = f" ({len(entries) - new} known before)" if new < len(entries) else ""
        click.echo(
            f"{count(len(entries), 'table')} with errors{known}: the model agrees with the rules about {agreed}."
        )
    if refused:
        sys.exit(EXIT_CHECK_FAILED)


def _plain(comparison: Any, made: Any, new: bool) -> dict[str, Any]:
    return {"document": comparison.document.name, "table": comparison.gold.name, "new": new, **made.to_json()}
