"""Backups of a home in which people work, restored elsewhere and held against what was there."""

from __future__ import annotations

import json
import sqlite3
import threading
import zipfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from scoring.table import from_rows
from store import api_keys, people
from store.backup import back_up, restore
from store.db import Db, NotFound, StoreError
from store.documents import documents
from store.edits import SetText, TextChange
from store.extractions import Run
from store.gold import NewEdit, add_edits, current, history
from store.home import Home
from store.releases import make_release, releases
from store.reviews import add_verdict
from store.rights import NotAllowed
from store.verification import verify
from tests.stored_documents import put_answer, put_document, put_gold

ROWS = [["item", "price"], ["bolt", "1.20"]]


@pytest.fixture
def golds(db: Db, home: Home) -> dict[str, int]:
    """Two projects with a document each, its extraction, and accepted gold of one edit."""
    made = {}
    for project in ("north", "south"):
        document = put_document(db, home, f"{project}.pdf", ROWS, project=project)
        raw = f"as received for {project}".encode()
        put_answer(db, document, Run("acme", "1"), ("lines", from_rows(ROWS, header_rows=1)), raw=raw)
        key = made[project] = put_gold(db, document, from_rows(ROWS, header_rows=1)).id
        add_edits(db, key, [_edit(f"{project}-1", "1.20", "1.30")], person="ann", after=0)
        add_verdict(db, key, verdict="accept", person="ann", id=f"v-{project}", at_revision=1)
        make_release(db, project=project, name="first", person="ann")
    return made


def _edit(name: str, old: str, new: str) -> NewEdit:
    return NewEdit(name, SetText((TextChange(1, 1, old, new),)))


def _restored(file: Path, folder: Path) -> tuple[Db, Home]:
    there = Home(folder)
    restore(file, there)
    return Db(there.database), there


def test_a_restored_home_has_all_and_verifies(db: Db, home: Home, golds: dict[str, int], tmp_path: Path) -> None:
    made = back_up(db, home, tmp_path / "all.zip", person="ann")
    assert (made.documents, made.missing) == (2, ())
    there, place = _restored(tmp_path / "all.zip", tmp_path / "there")
    with db.read() as here, there.read() as reader:
        assert list(verify(reader, place)) == []
        assert documents(reader) == documents(here)
        assert releases(reader) == releases(here)
        for key in golds.values():
            assert history(reader, key) == history(here, key)
            assert current(there, reader, key) == current(db, here, key)


def test_a_project_goes_elsewhere_with_its_gold_and_release_and_nothing_of_another(
    db: Db, home: Home, golds: dict[str, int], tmp_path: Path
) -> None:
    people.add_person(db, "ada@example.org", role="admin", by="root", name="Ada")
    api_keys.make_key(db, person="Ada", by="Ada")
    back_up(db, home, tmp_path / "north.zip", person="Ada", project="north")
    there, place = _restored(tmp_path / "north.zip", tmp_path / "there")
    with db.read() as here, there.read() as reader:
        assert list(verify(reader, place)) == []
        assert [each.name for each in documents(reader)] == ["north.pdf"]
        assert [each.project for each in releases(reader)] == ["north"]
        assert history(reader, golds["north"]) == history(here, golds["north"])
        assert (people.people(reader), api_keys.api_keys(reader)) == ((), ())
    for path in (p for p in (tmp_path / "there").rglob("*") if p.is_file()):
        raw = path.read_bytes()
        assert b"south" not in raw, path
        assert b"ada@example.org" not in raw, path


def test_people_work_on_while_it_is_made_and_it_is_of_one_moment(
    db: Db, home: Home, golds: dict[str, int], tmp_path: Path
) -> None:
    key = golds["north"]
    add_verdict(db, key, verdict="reopen", person="ann", id="again", at_revision=1)
    over = threading.Event()

    def work() -> None:
        number = 1
        while not over.is_set():
            edit = _edit(f"more-{number}", f"1.{29 + number}", f"1.{30 + number}")
            number = add_edits(db, key, [edit], person="ann", after=number)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        made = [back_up(db, home, tmp_path / f"{number}.zip", person="bob") for number in range(3)]
    finally:
        over.set()
        worker.join()
    assert [one.missing for one in made] == [(), (), ()]
    for number in range(3):
        there, place = _restored(tmp_path / f"{number}.zip", tmp_path / f"there-{number}")
        with there.read() as reader:
            assert list(verify(reader, place)) == []


def test_a_restored_home_goes_on_being_append_only(db: Db, home: Home, golds: dict[str, int], tmp_path: Path) -> None:
    back_up(db, home, tmp_path / "north.zip", person="ann", project="north")
    there, _ = _restored(tmp_path / "north.zip", tmp_path / "there")
    with pytest.raises(sqlite3.IntegrityError), there.write() as writer:
        writer.execute("delete from edit")


def test_a_home_that_holds_data_is_left_alone(db: Db, home: Home, golds: dict[str, int], tmp_path: Path) -> None:
    back_up(db, home, tmp_path / "all.zip", person="ann")
    before = home.database.read_bytes()
    with pytest.raises(StoreError, match="holds data already"):
        restore(tmp_path / "all.zip", home)
    assert home.database.read_bytes() == before


@pytest.mark.parametrize(
    "damage",
    [
        *("bytes", "longer", "missing", "path", "unlisted", "twice", "manifest", "no text", "list", "deep", "cut"),
        *("no database", "newer", "huffman"),
    ],
)
def test_a_damaged_or_hostile_backup_is_refused_and_nothing_is_there(
    db: Db, home: Home, golds: dict[str, int], tmp_path: Path, damage: str
) -> None:
    good, bad = tmp_path / "all.zip", tmp_path / "bad.zip"
    back_up(db, home, good, person="ann")
    with zipfile.ZipFile(good) as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    one = next(name for name in inside if name.startswith("documents/"))
    manifest = json.loads(inside["manifest.json"])
    match damage:
        case "bytes":
            inside[one] = b"%PDF" + inside[one][4:][::-1]
        case "longer":
            inside[one] += b"0" * 10_000_000
        case "missing":
            del inside[one]
        case "path":
            manifest["files"]["../../outside"] = manifest["files"][one]
            inside["../../outside"] = inside[one]
        case "unlisted":
            inside["../../outside"] = b"evil"
        case "manifest":
            manifest["format"] = "something else"
        case "no text":
            manifest["files"] = {name: 7 for name in manifest["files"]}
        case "list":
            manifest["files"] = list(manifest["files"])
        case "no database" | "newer":
            if damage == "no database":
                inside["proofgrid.db"] = b"no database at all" * 1000
            else:
                (tmp_path / "newer.db").write_bytes(inside["proofgrid.db"])
                with closing(sqlite3.connect(tmp_path / "newer.db")) as newer:
                    newer.execute("update _sqlite_migrations set name = 'of tomorrow' where rowid = 1")
                    newer.commit()
                inside["proofgrid.db"] = (tmp_path / "newer.db").read_bytes()
            raw = inside["proofgrid.db"]
            manifest["files"]["proofgrid.db"] = {"bytes": len(raw), "sha256": sha256(raw).hexdigest()}
    inside["manifest.json"] = b"[" * 200_000 if damage == "deep" else json.dumps(manifest).encode()
    with zipfile.ZipFile(bad, "w") as archive:
        for name, raw in inside.items():
            archive.writestr(name, raw)
        if damage == "twice":
            with pytest.warns(UserWarning, match="Duplicate name"):
                archive.writestr(one, b"another")
    if damage == "huffman":
        with zipfile.ZipFile(good) as archive:
            at = archive.getinfo("proofgrid.db").header_offset
        bad.write_bytes((raw := good.read_bytes())[: at + 42] + b"\xff" * 20 + raw[at + 62 :])
    if damage == "cut":
        bad.write_bytes(good.read_bytes()[:-100])
    there = Home(tmp_path / "deep" / "there")
    with pytest.raises(StoreError, match=r"bad\.zip"):
        restore(bad, there)
    assert not there.folder.parent.exists()
    assert not list(tmp_path.rglob("outside"))


def test_a_file_that_the_manifest_does_not_list_is_named(
    db: Db, home: Home, golds: dict[str, int], tmp_path: Path
) -> None:
    back_up(db, home, tmp_path / "all.zip", person="ann")
    with zipfile.ZipFile(tmp_path / "all.zip", "a") as archive:
        archive.mkdir("documents")
        archive.writestr("../../evil", b"evil")
    with pytest.raises(StoreError, match=r"holds '\.\./\.\./evil', which its manifest\.json does not list"):
        restore(tmp_path / "all.zip", Home(tmp_path / "there"))


def test_a_refused_restore_leaves_a_folder_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "there" / "documents").mkdir(parents=True)
    (tmp_path / "there" / "notes.txt").write_text("mine")
    (tmp_path / "bad.zip").write_bytes(b"nothing")
    with pytest.raises(StoreError):
        restore(tmp_path / "bad.zip", Home(tmp_path / "there"))
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == ["documents", "notes.txt"]


def test_a_document_whose_file_is_gone_is_named_and_the_rest_is_kept(
    db: Db, home: Home, golds: dict[str, int], tmp_path: Path
) -> None:
    with db.read() as reader:
        home.document_file(documents(reader, project="south")[0].sha256).unlink()
    made = back_up(db, home, tmp_path / "all.zip", person="ann")
    assert (made.documents, made.missing) == (1, ("south.pdf",))


def test_who_may_not_export_makes_no_backup(db: Db, home: Home, golds: dict[str, int], tmp_path: Path) -> None:
    people.add_person(db, "ada@example.org", role="admin", by="root", name="Ada")
    people.add_person(db, "olga@example.org", role="owner", by="Ada", name="Olga")
    back_up(db, home, tmp_path / "north.zip", person="Olga", project="north")
    with pytest.raises(NotAllowed):
        back_up(db, home, tmp_path / "all.zip", person="Olga")
    with pytest.raises(NotFound, match="expected one of: north, south"):
        back_up(db, home, tmp_path / "west.zip", person="Ada", project="west")
    assert [path.name for path in tmp_path.glob("*.zip")] == ["north.zip"]
