"""The scored documents of a project, from kept scores: what results, reports and comparisons of runs are made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from scoring.report import SCORING_VERSION
from store import documents
from store.attempts import Attempt
from store.blind_rows import BASE_OF
from store.db import Db
from store.diagnoses import diagnoses, state
from store.documents import Document
from store.extractions import OVER_DOCUMENTS, WHOLE
from store.gold import Gold
from store.kept_scores import SHAPE, KeptScore, Wanted, kept_scores
from store.kept_times import kept_times
from store.kept_values import Told
from store.scores import ScoredDocument, ScoredTable, failing_first, newest
from store.work_time import CorrectionTime

# So many lists of scored documents are kept in the memory: the runs of a project or two.
MOST_LISTS = 8
# When more documents than these have changed, all are read again.
MOST_CHANGED = 500

_GOLD = f"""select g.id, g.document, g.position, g.name, g.table_type, {BASE_OF} as base, g.added_by, d.project,
    coalesce((select max(revision) from edit where edit.gold = g.id), 0) as revision,
    (select verdict from verdict v where v.gold = g.id and verdict in ('accept', 'reopen') order by rowid desc limit 1)
        is 'accept' as is_accepted,
    not exists (select 1 from verdict v where v.gold = g.id)
    and not exists (select 1 from extracted_table t join extraction on extraction.id = t.extraction
        where t.id = g.extracted_table and not {WHOLE}) as is_untouched
from first_pass g join document d on d.id = g.document where {{where}} order by g.document, g.position"""

_EXTRACTIONS = f"""select d.id as document, min(extraction.id) as id, extraction.run, extraction.received_at,
    trim(run.extractor || ' ' || run.version) as extractor
from document d join extraction on extraction.document = d.id join run on run.id = extraction.run
where {OVER_DOCUMENTS} and (:run is null or run.id = :run) and {{where}} group by d.id"""

_ATTEMPTS = """select a.document, a.run, a.number, a.outcome, a.reason, a.seconds, a.extraction, a.made_at,
    min(a.id) as least
from attempt a join document d on d.id = a.document where (:run is null or a.run = :run) and {where}
group by a.document, a.extraction"""

_KINDS = "select project, name, max(id) as newest from table_type group by project, name"

_ENDED = "{0}.began_ms + {0}.active_ms + {0}.idle_ms + {0}.hidden_ms + {0}.waiting_ms"
# New work also takes from older work of the same person at the same time.
_CHANGED = f"""select id from document where rowid > :document
union select document from extraction where rowid > :extraction
union select document from attempt where rowid > :attempt
union select document from gold where rowid > :gold
union select g.document from edit e join gold g on g.id = e.gold where e.rowid > :edit
union select g.document from verdict v join gold g on g.id = v.gold where v.rowid > :verdict
union select g.document from diagnosis n join gold g on g.id = n.gold where n.rowid > :diagnosis
union select g.document from table_type t join document d on d.project = t.project
    join gold g on g.document = d.id and g.table_type = t.name where t.rowid > :table_type
union select g.document from activity a join gold g on g.id = a.gold where a.rowid > :activity
union select g.document from activity a join activity o on o.person = a.person and o.began_ms < {_ENDED.format("a")}
    and {_ENDED.format("o")} > a.began_ms join gold g on g.id = o.gold where a.rowid > :activity"""


@dataclass(frozen=True, slots=True)
class _Table:
    """A gold table and all that tells whether and how it is scored."""

    gold: Gold
    revision: int
    kind: int | None
    """The newest version of its table type."""
    is_accepted: bool
    is_untouched: bool

    @property
    def rests_on(self) -> list[int | None]:
        """What any score in its document follows from, as far as it is of this table."""
        return [self.gold.id, self.revision, self.kind]


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the database holds for some documents, read with one query for each kind."""

    documents: Sequence[Document]
    tables: Mapping[int, Sequence[_Table]]
    first: Mapping[int, dict[str, Any]]
    chosen: Mapping[int, dict[str, Any]]
    failures: Mapping[tuple[int, int | None], Attempt]


@dataclass(frozen=True, slots=True)
class _List:
    """The documents of a project as last scored, in their order and by their id, and how far the reader saw."""

    newest: Mapping[str, int]
    by_id: Mapping[int, ScoredDocument]
    in_order: tuple[ScoredDocument, ...]


def scored_documents(
    db: Db, reader: Database, *, project: str | None = None, run: int | None = None, told: Told | None = None
) -> tuple[ScoredDocument, ...]:
    """The documents with at least one accepted table, failing ones first, then by name.

    Only tables whose score no longer holds are compared anew; ``told`` hears how far that has come.
    """
    now = newest(reader)
    lists: dict[tuple[str | None, int | None], _List] = db.remembered.setdefault("scored documents", {})
    last = lists.pop((project, run), None)
    if last is None or last.newest != now:
        last = _brought_up_to_date(db, reader, project, run, told, last, now)
    lists[project, run] = last
    while len(lists) > MOST_LISTS:
        lists.pop(next(iter(lists)), None)
    return last.in_order


def _brought_up_to_date(
    db: Db,
    reader: Database,
    project: str | None,
    run: int | None,
    told: Told | None,
    last: _List | None,
    now: Mapping[str, int],
) -> _List:
    where, values, known = "(:project is null or d.project = :project)", {"project": project, "run": run}, {}
    if last is not None and last.newest["time_erased"] == now["time_erased"]:
        changed = [key for (key,) in reader.execute(_CHANGED, dict(last.newest))]
        if len(changed) <= MOST_CHANGED:
            where += f" and d.id in ({', '.join(map(str, changed))})"
            known = {key: entry for key, entry in last.by_id.items() if key not in set(changed)}
    known.update({entry.document.id: entry for entry in _scored(db, reader, where, values, told)})
    return _List(now, known, failing_first(known.values()))


def _scored(
    db: Db, reader: Database, where: str, values: Mapping[str, Any], told: Told | None
) -> Iterator[ScoredDocument]:
    facts = _facts(reader, where, values)
    accepted = [table for beside in facts.tables.values() for table in beside if table.is_accepted]
    wanted = [_wanted(facts, table, values["run"]) for table in accepted]
    scores = {each.gold: score for each, score in zip(wanted, kept_scores(db, reader, wanted, told), strict=True)}
    signatures = {each.gold: each.signature for each in wanted}
    times = kept_times(db, reader, scores)
    told_of = diagnoses(reader)
    nothing = CorrectionTime()

    def scored(table: _Table) -> ScoredTable:
        key, extraction = table.gold.id, facts.chosen.get(table.gold.document)
        score: KeptScore = scores[key]
        return ScoredTable(
            gold=table.gold,
            label=score.label,
            first=score.first,
            report=score.sums,
            causes=score.causes,
            extractor=extraction["extractor"] if extraction else "",
            received_at=extraction["received_at"] if extraction else "",
            time=times.get(key, nothing),
            edits=table.revision,
            diagnosis=told_of.get((key, state(table.revision, score.first))) if told_of else None,
            rests_on=signatures[key],
        )

    def document(entry: Document) -> ScoredDocument:
        beside, extraction = facts.tables.get(entry.id, ()), facts.chosen.get(entry.id)
        attempt = facts.failures.get((entry.id, extraction["id"] if extraction else None))
        still_open = sum(not table.is_accepted and not _is_offered(table, beside) for table in beside)
        tables = tuple(scored(table) for table in beside if table.is_accepted)
        return ScoredDocument(entry, tables, still_open, attempt if attempt and attempt.outcome != "read" else None)

    return map(document, facts.documents)


def _facts(reader: Database, where: str, values: Mapping[str, Any]) -> _Facts:
    kinds = {(entry["project"], entry["name"]): entry["newest"] for entry in reader.query(_KINDS)}
    tables: dict[int, list[_Table]] = {}
    for entry in reader.query(_GOLD.format(where=where), dict(values)):
        kind = kinds.get((entry.pop("project"), entry["table_type"]))
        revision, accepted, untouched = (entry.pop(name) for name in ("revision", "is_accepted", "is_untouched"))
        table = _Table(Gold(**entry), revision, kind, bool(accepted), bool(untouched))
        tables.setdefault(entry["document"], []).append(table)
    failures = {}
    for entry in reader.query(_ATTEMPTS.format(where=where), dict(values)):
        del entry["least"]
        failures[entry["document"], entry["extraction"]] = Attempt(**entry)
    first, chosen = (
        {entry["document"]: entry for entry in reader.query(_EXTRACTIONS.format(where=where), {**values, "run": run})}
        for run in (None, values["run"])
    )
    return _Facts(documents.documents_where(reader, where, values), tables, first, chosen, failures)


def _wanted(facts: _Facts, table: _Table, run: int | None) -> Wanted:
    key = table.gold.document
    first, chosen = facts.first.get(key), facts.chosen.get(key)
    # Tables beside it are part of it: they tell which table of the extraction is this one, and name causes.
    rests_on = [other.rests_on for other in facts.tables[key]]
    signature = json.dumps([SCORING_VERSION, SHAPE, first and first["id"], chosen and chosen["id"], rests_on])
    # A run is named also where it is the first: then nobody asks the page for readings.
    return Wanted(table.gold.id, chosen["id"] if chosen else 0, chosen["run"] if chosen else run, signature)


def _is_offered(table: _Table, beside: Iterable[_Table]) -> bool:
    """As ``gold.is_offered``."""
    from_import = any(other.gold.base == "import" for other in beside)
    return table.gold.base == "extraction" and from_import and table.is_untouched and not table.revision
