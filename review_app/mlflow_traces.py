"""The steps of extractions as MLflow traces: each attempt at a document, and each table that was read and scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlite_utils import Database

from review_app.tracked_runs import Results
from store.attempts import attempts

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Trace

_KEY, _MAIN = "proofgrid.key", "proofgrid.main"
_FOUND_AT_ONCE, _DELETED_AT_ONCE = 500, 100


@dataclass(frozen=True)
class Step:
    """One step: its beginning and end in nanoseconds since 1970, what went in, what came out, and what was wrong."""

    name: str
    kind: str
    began_ns: int
    ended_ns: int
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    error: str = ""


@dataclass(frozen=True)
class Traced:
    """The steps by which one document was extracted; ``key`` is that of its run."""

    key: str
    whole: Step
    steps: tuple[Step, ...]


def steps(results: Results, reader: Database) -> Iterator[Traced]:
    """The steps of each document that was tried; what was imported has no attempts, and takes no time."""
    for scored in results.found:
        entry = results.compared(scored)
        extraction = entry.tables[0].comparison.extraction
        run = extraction.run if extraction else entry.failure.run if entry.failure else None
        if run is None:
            continue
        tries = [
            Step(
                f"attempt {one.number}",
                "TOOL",
                _ns(one.made_at) - round(one.seconds * 1e9),
                _ns(one.made_at),
                {
                    "document": entry.document.name,
                    "extractor": extraction.extractor if extraction else results.extractor,
                },
                {"outcome": one.outcome},
                "" if one.outcome == "read" else one.reason or one.outcome,
            )
            for one in attempts(reader, entry.document.id, run)
        ]
        received = _ns(extraction.received_at) if extraction else tries[-1].ended_ns
        read = {"format": extraction.format, "received_sha256": extraction.received_sha256} if extraction else {}
        tables = [
            Step(
                table.comparison.label,
                "PARSER",
                received,
                received,
                read,
                {
                    "rows": table.comparison.first_table.n_rows,
                    "columns": table.comparison.first_table.n_cols,
                    "notes": list(table.comparison.first.remarks) if table.comparison.first else [],
                    "cell_f1": table.report.exact.f1,
                    "passed": table.report.passed,
                },
                "" if table.comparison.first else "nothing was extracted",
            )
            for table in entry.tables
        ]
        found = (*tries, *tables)
        whole = Step(
            entry.document.name,
            "CHAIN",
            min(one.began_ns for one in found),
            max(one.ended_ns for one in found),
            {"document": entry.document.name, "sha256": entry.document.sha256},
            {"tables": len(entry.tables), "passed": entry.passed if entry.has_verdict else None},
        )
        yield Traced(results.document_key(entry), whole, found)


def add_traces(client: MlflowClient, experiment: str, run: str, main: str, traces: Iterable[Traced]) -> int:
    """Log the traces that are not there yet under a run; how many those were. What is half there is made anew."""
    import mlflow
    from mlflow.entities import SpanStatus, SpanStatusCode

    known = _known(client, experiment, main)
    made = 0
    for traced in traces:
        if traced.key in known:
            continue
        whole = traced.whole
        root = mlflow.start_span_no_context(
            whole.name,
            span_type=whole.kind,
            inputs=dict(whole.inputs),
            tags={_KEY: traced.key, _MAIN: main},
            metadata={"mlflow.sourceRun": run},
            experiment_id=experiment,
            start_time_ns=whole.began_ns,
        )
        for step in traced.steps:
            span = mlflow.start_span_no_context(
                step.name,
                span_type=step.kind,
                parent_span=root,
                inputs=dict(step.inputs),
                # A trace has its tags from its end on; before, only its steps tell whose it is.
                attributes={_KEY: traced.key},
                start_time_ns=step.began_ns,
            )
            status = SpanStatus(SpanStatusCode.ERROR, step.error) if step.error else SpanStatusCode.OK
            span.end(outputs=dict(step.outputs), status=status, end_time_ns=step.ended_ns)
        root.end(outputs=dict(whole.outputs), end_time_ns=whole.ended_ns)
        made += 1
    return made


def _known(client: MlflowClient, experiment: str, main: str) -> set[str]:
    """The keys of the traces that are whole; those that were interrupted are deleted."""
    begun = [
        trace.info.trace_id
        for trace in _found(client, experiment, "trace.status = 'IN_PROGRESS'", spans=True)
        if any(str(span.get_attribute(_KEY)).startswith(main) for span in trace.data.spans)
    ]
    for at in range(0, len(begun), _DELETED_AT_ONCE):
        client.delete_traces(experiment, trace_ids=begun[at : at + _DELETED_AT_ONCE])
    return {trace.info.tags[_KEY] for trace in _found(client, experiment, f"tag.`{_MAIN}` = '{main}'", spans=False)}


def _found(client: MlflowClient, experiment: str, where: str, *, spans: bool) -> Iterator[Trace]:
    token = None
    while True:
        page = client.search_traces(
            locations=[experiment],
            filter_string=where,
            max_results=_FOUND_AT_ONCE,
            page_token=token,
            include_spans=spans,
        )
        yield from page
        token = page.token
        if not token:
            return


def _ns(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000) * 1_000_000
