"""The tables of the database, as a list of small migrations."""

from __future__ import annotations

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

MIGRATIONS = Migrations("proofgrid")

APPEND_ONLY = {
    "received": ("sha256",),
    "extraction": ("id",),
    "extracted_table": ("id",),
    "gold": ("id",),
    "edit": ("id",),
    "activity": ("id",),
    "verdict": ("id",),
    "table_type": ("id",),
}
# "insert or replace" deletes without firing a delete trigger, so the unique keys are guarded too.
UNIQUE = {
    "extraction": ("document", "run", "received"),
    "extracted_table": ("extraction", "position"),
    "gold": ("document", "name"),
    "edit": ("gold", "revision"),
}


@MIGRATIONS()
def m001_documents(db: Database) -> None:
    """Documents, pages and table types."""
    for statement in (
        """create table document (
            id integer primary key,
            project text not null,
            sha256 text not null,
            name text not null,
            media_type text not null,
            bytes integer not null,
            doc_type text not null default '',
            conditions text not null default '[]',
            added_at text not null,
            added_by text not null,
            unique (project, sha256)
        )""",
        """create table page (
            document integer not null references document(id),
            number integer not null,
            width real not null,
            height real not null,
            primary key (document, number)
        )""",
        """create table table_type (
            id integer primary key,
            project text not null,
            name text not null,
            signature text not null,
            body text not null,
            added_at text not null
        )""",
    ):
        db.execute(statement)


@MIGRATIONS()
def m002_extractions(db: Database) -> None:
    """What extractors returned: bytes as received, runs, extractions and the tables read from them."""
    for statement in (
        "create table received (sha256 text primary key, name text not null, body blob not null)",
        """create table run (
            id integer primary key,
            project text not null,
            extractor text not null,
            version text not null default '',
            parameters text not null default '{}',
            repeat integer not null default 1,
            started_at text not null,
            unique (project, extractor, version, parameters, repeat)
        )""",
        """create table extraction (
            id integer primary key,
            document integer not null references document(id),
            run integer not null references run(id),
            received text not null references received(sha256),
            format text not null,
            notes text not null,
            received_at text not null,
            received_by text not null,
            unique (document, run, received)
        )""",
        """create table extracted_table (
            id integer primary key,
            extraction integer not null references extraction(id),
            position integer not null,
            name text not null,
            body text not null,
            sha256 text not null,
            notes text not null,
            unique (extraction, position)
        )""",
    ):
        db.execute(statement)


@MIGRATIONS()
def m003_gold(db: Database) -> None:
    """Gold tables, the edits on them, the time they took and the verdicts about them."""
    for statement in (
        """create table gold (
            id integer primary key,
            document integer not null references document(id),
            position integer not null,
            name text not null,
            table_type text not null default '',
            base text not null check (base in ('extraction', 'import', 'blank')),
            extracted_table integer references extracted_table(id),
            body text not null,
            sha256 text not null,
            added_at text not null,
            added_by text not null,
            unique (document, name)
        )""",
        """create table edit (
            id text primary key,
            gold integer not null references gold(id),
            revision integer not null,
            body text not null,
            undoes text references edit(id),
            source text not null,
            person text not null,
            made_at text not null,
            stored_at text not null,
            active_ms integer not null check (active_ms >= 0),
            unique (gold, revision)
        )""",
        """create table activity (
            id text primary key,
            gold integer not null references gold(id),
            person text not null,
            client text not null,
            phase text not null,
            started_at text not null,
            active_ms integer not null check (active_ms >= 0),
            idle_ms integer not null check (idle_ms >= 0),
            hidden_ms integer not null check (hidden_ms >= 0),
            gaps text not null,
            cells text not null,
            seen text not null,
            stored_at text not null
        )""",
        "create index activity_by_gold on activity (gold, person)",
        """create table verdict (
            id text primary key,
            gold integer not null references gold(id),
            revision integer not null,
            verdict text not null check (verdict in ('accept', 'reopen', 'skip', 'flag')),
            reason text not null,
            person text not null,
            at text not null
        )""",
        "create index verdict_by_gold on verdict (gold)",
        """create table derived (
            gold integer not null references gold(id),
            kind text not null,
            signature text not null,
            body text not null,
            primary key (gold, kind)
        )""",
    ):
        db.execute(statement)


@MIGRATIONS()
def m004_append_only(db: Database) -> None:
    """The database itself refuses to change or delete what was received, read, edited and judged."""
    for table in APPEND_ONLY:
        for event in ("update", "delete"):
            db.execute(
                f"create trigger {table}_no_{event} before {event} on {table} begin "
                f"select raise(abort, '{table} is append-only: {event} refused'); end"
            )
    for number, (table, columns) in enumerate((*APPEND_ONLY.items(), *UNIQUE.items())):
        same = " and ".join(f"{column} = new.{column}" for column in columns)
        db.execute(
            f"create trigger {table}_no_replace_{number} before insert on {table} "
            f"when exists (select 1 from {table} where {same}) begin "
            f"select raise(abort, '{table} is append-only: replace refused'); end"
        )


@MIGRATIONS()
def m005_comments(db: Database) -> None:
    """What people say about cells, tables and edits."""
    db.execute(
        """create table comment (
            id text primary key,
            gold integer not null references gold(id),
            thread text not null,
            kind text not null check (kind in ('comment', 'resolve', 'reopen', 'reason')),
            row_id text,
            col_id text,
            edit text references edit(id),
            text text not null,
            person text not null,
            made_at text not null,
            stored_at text not null
        )"""
    )
    db.execute("create index comment_by_gold on comment (gold)")
    append_only(db, "comment", "id")


@MIGRATIONS()
def m006_guidelines(db: Database) -> None:
    """Words for the people who review a kind of table, and who has read which version of them."""
    db.execute(
        """create table guidelines (
            id integer primary key,
            project text not null,
            table_type text not null,
            sha256 text not null,
            text text not null,
            added_at text not null
        )"""
    )
    db.execute("create index guidelines_by_type on guidelines (project, table_type)")
    db.execute(
        """create table guidelines_read (
            guidelines integer not null references guidelines(id),
            person text not null,
            read_at text not null,
            primary key (guidelines, person)
        )"""
    )
    append_only(db, "guidelines", "id")


@MIGRATIONS()
def m007_work_time(db: Database) -> None:
    """Work time that holds for any cut-off; cells seen apart from it; what people say about their time.

    Old stretches keep their sums and have no pauses, so that they count the same under every cut-off. Times can be
    deleted, and set to 0 in the edit log, for a person who asked for it: ``time_erased`` says so.
    """
    erased = "exists (select 1 from time_erased e where e.person = old.person and e.at >= old.stored_at)"
    same = " and ".join(
        f"new.{column} is old.{column}"
        for column in ("id", "gold", "revision", "body", "undoes", "source", "person", "made_at", "stored_at")
    )
    for statement in (
        "create table time_erased (id integer primary key, person text not null, at text not null)",
        """create table timing_choice (
            id integer primary key,
            person text not null,
            is_on integer not null check (is_on in (0, 1)),
            at text not null
        )""",
        """create table time_adjustment (
            id text primary key,
            gold integer references gold(id),
            person text not null,
            minutes real not null,
            reason text not null,
            stored_at text not null
        )""",
        """create table pause_answer (
            id text primary key,
            gold integer not null references gold(id),
            person text not null,
            gap_ms integer not null check (gap_ms >= 0),
            was_working integer not null check (was_working in (0, 1)),
            at text not null,
            stored_at text not null
        )""",
        """create table seen_cell (
            gold integer not null references gold(id),
            person text not null,
            row_id text not null,
            col_id text not null,
            primary key (gold, person, row_id, col_id)
        ) without rowid""",
        """insert or ignore into seen_cell select gold, person, json_extract(value, '$[0]'), json_extract(value, '$[1]')
            from activity, json_each(activity.seen)""",
        "alter table activity add column waiting_ms integer not null default 0 check (waiting_ms >= 0)",
        "alter table activity add column load_ms integer not null default 0 check (load_ms >= 0)",
        "alter table activity add column pauses text",
        "alter table activity add column away text",
        "alter table activity add column began_ms integer not null default 0",
        "alter table activity add column skew_ms integer not null default 0",
        "drop trigger activity_no_update",
        "update activity set began_ms = cast(round((julianday(started_at) - 2440587.5) * 86400000) as integer)",
        "create index activity_by_person on activity (person, began_ms)",
        "create index activity_by_client on activity (client)",
    ):
        db.execute(statement)
    _refuse(db, "activity", "update")
    for table in ("time_erased", "timing_choice", "time_adjustment", "pause_answer"):
        append_only(db, table, "id")
    for table in ("activity", "time_adjustment", "pause_answer"):
        db.execute(f"drop trigger {table}_no_delete")
        _refuse(db, table, "delete", unless=erased)
    db.execute("drop trigger edit_no_update")
    _refuse(db, "edit", "update", unless=f"new.active_ms = 0 and {same} and {erased}")


@MIGRATIONS()
def m008_what_readers_say(db: Database) -> None:
    """What the reader of a file said of a table beside its cells: repairs, place on the page, confidence, place in it.

    Older tables have their repairs among their notes.
    """
    for column in ("repairs", "boxes", "confidence"):
        db.execute(f"alter table extracted_table add column {column} text not null default '[]'")
    db.execute("alter table extracted_table add column place text not null default ''")


@MIGRATIONS()
def m009_attempts(db: Database) -> None:
    """Each try of an extractor at a document: how long it took, and what came of it."""
    db.execute(
        """create table attempt (
            id integer primary key,
            document integer not null references document(id),
            run integer not null references run(id),
            number integer not null,
            outcome text not null check (outcome in ('read', 'partial', 'unreadable', 'no answer')),
            reason text not null,
            seconds real not null,
            received text references received(sha256),
            extraction integer references extraction(id),
            made_at text not null,
            made_by text not null,
            unique (run, document, number)
        )"""
    )
    append_only(db, "attempt", "id")
    db.execute(
        "create trigger attempt_once before insert on attempt when exists (select 1 from attempt "
        "where run = new.run and document = new.document and number = new.number) begin "
        "select raise(abort, 'attempt is append-only: replace refused'); end"
    )


@MIGRATIONS()
def m010_diagnosis(db: Database) -> None:
    """What a language model said of the cause of a table's errors, beside the cause that the rules give."""
    db.execute(
        """create table diagnosis (
            id integer primary key,
            gold integer not null references gold(id),
            state text not null,
            model text not null,
            parameters text not null,
            cause text not null,
            by_rules text not null,
            agrees integer check (agrees in (0, 1)),
            confidence real,
            evidence text not null,
            explanation text not null,
            attempts integer not null,
            refused text not null,
            answers text not null,
            made_at text not null,
            made_by text not null
        )"""
    )
    db.execute("create index diagnosis_by_gold on diagnosis (gold)")
    append_only(db, "diagnosis", "id")


def append_only(db: Database, table: str, key: str) -> None:
    """Let the database itself refuse to change, delete or replace the rows of a table."""
    for event in ("update", "delete"):
        _refuse(db, table, event)
    db.execute(
        f"create trigger {table}_no_replace before insert on {table} "
        f"when exists (select 1 from {table} where {key} = new.{key}) begin "
        f"select raise(abort, '{table} is append-only: replace refused'); end"
    )


def _refuse(db: Database, table: str, event: str, *, unless: str = "0") -> None:
    db.execute(
        f"create trigger {table}_no_{event} before {event} on {table} when not ({unless}) begin "
        f"select raise(abort, '{table} is append-only: {event} refused'); end"
    )
