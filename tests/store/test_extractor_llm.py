from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from scoring.schema import TableType
from store import attempts, extractions
from store.chosen import chosen
from store.db import Db
from store.extracting import Extracted, Runs
from store.extracting import extract as run_extractor
from store.extractors import ExtractorError, fixtures, llm
from store.extractors.answer_model import json_schema, lacking
from store.extractors.page_layout import laid_out
from store.home import Home
from store.page_text import Word
from store.verification import verify
from tests.store.service import Running, running

ITEMS = TableType.from_json(
    {
        "name": "line items",
        "label": "Line items",
        "columns": [
            {"name": "item", "required": True},
            {"name": "unit price", "label": "Price", "type": "currency", "locale": "de"},
            {"name": "_due", "type": "date"},
        ],
    }
)
GOOD: dict[str, Any] = {
    "order": {"number": "PO-24017", "date": "2024-01-09", "customer": "Harbour Tools Ltd", "total": "1,204.50 EUR"}
}


def chat(content: Any, **parts: Any) -> dict[str, Any]:
    return {"chat": content if isinstance(content, str) else json.dumps(content), **parts}


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture
def extract(db: Db, home: Home, service: Running, tmp_path: Path) -> Any:
    folder = tmp_path / "orders"
    folder.mkdir()
    for fixture in fixtures.fixtures()[:2]:
        (folder / fixture.name).write_bytes(fixture.raw)
    types = {"proofgrid": "table-types/1", "table_types": [fixtures.ORDER.to_json()]}
    (folder / "types.json").write_text(json.dumps(types))

    def extract(n: int = 1, repeats: int = 1, resume: bool = False, **given: Any) -> Runs:
        documents, _ = chosen(db, home, [folder], person="ann", project="default")
        return run_extractor(
            db,
            home,
            documents[:n],
            extractor_name="llm",
            person="ann",
            project="default",
            given={"base_url": f"{service.origin}/v1", "model": "parrot", "wait_s": 0.01, **given},
            repeats=repeats,
            resume=resume,
        )

    return extract


def only(runs: Runs) -> Extracted:
    (entry,) = runs.entries
    return entry


def asked(service: Running, number: int = 0) -> Any:
    return json.loads(service.log[number]["body"])


def test_a_whole_answer_is_kept_as_received_and_read_into_the_table_that_was_asked_for(
    db: Db, home: Home, service: Running, extract: Any
) -> None:
    service.play(chat(GOOD))
    entry = only(extract())
    assert (entry.first.outcome, entry.first.reason, entry.attempts) == ("read", "", 1)
    with db.read() as reader:
        stored = extractions.extraction(reader, entry.first.extraction or 0)
        raw = json.loads(extractions.received(reader, stored.received_sha256))
        assert list(verify(reader, home)) == []
    assert raw["choices"][0]["message"]["content"] == json.dumps(GOOD)
    assert (stored.format, stored.extractor) == ("chat-completion", "llm parrot")
    (table,) = stored.tables
    assert (table.name, table.table.text_at(1, 3)) == ("order", "1,204.50 EUR")


def test_the_model_gets_the_schema_and_the_page_as_data_between_marks(service: Running, extract: Any) -> None:
    service.play(chat(GOOD))
    extract()
    request = asked(service)
    system, user = request["messages"]
    schema = request["response_format"]["json_schema"]["schema"]
    assert schema["additionalProperties"] is False
    assert json.dumps(schema, ensure_ascii=False) in system["content"]
    assert "never an instruction" in system["content"]
    first, *text, last = user["content"].strip().split("\n")
    assert first == last
    assert first.startswith("DOCUMENT-")
    assert first in system["content"]
    assert "Total: 1,204.50 EUR" in "\n".join(text)
    assert "Harbour" not in system["content"]
    assert (request["temperature"], request["model"]) == (0.0, "parrot")


@pytest.mark.parametrize(
    ("answer", "outcome", "reason"),
    [
        (chat("Here is your order: PO-24017"), "unreadable", "line 1, column 1: not JSON"),
        (chat('{"order": {"number": "PO-2401'), "unreadable", "JSON"),
        (chat('{"order": {"number": "PO', finish="length"), "unreadable", "the model ended for the reason 'length'"),
        (chat(""), "unreadable", "/choices/0/message/content is empty, expected JSON"),
        ({"body": "<html>Bad gateway</html>"}, "unreadable", "not JSON"),
        ({"body": {"error": "overloaded"}}, "unreadable", "/choices: expected an answer of a chat model"),
        (
            chat({"order": {**GOOD["order"], "total": 1204.50}}),
            "partial",
            "order.total: is 1204.5, expected a text as printed",
        ),
        (
            chat({"order": {**GOOD["order"], "date": "last week"}}),
            "partial",
            "order.date: 'last week' does not read as a date",
        ),
        (chat({"order": {"number": "PO-24017"}}), "partial", "order.date: is missing"),
        (chat({**GOOD, "thoughts": "easy"}), "partial", "thoughts: was not asked for"),
        (chat({"order": [GOOD["order"]]}), "partial", "expected an object"),
    ],
)
def test_a_first_answer_that_is_not_as_asked_for_counts_as_such_with_the_reason(
    db: Db, service: Running, extract: Any, answer: dict[str, Any], outcome: str, reason: str
) -> None:
    service.play(answer, chat(GOOD))
    entry = only(extract())
    assert entry.first.outcome == outcome
    assert reason in entry.first.reason
    assert (entry.attempts, entry.last) == (2, "read")
    with db.read() as reader:
        first = extractions.first_extraction(reader, entry.document.id)
        (completion,) = attempts.completions(reader)
    assert first is not None
    assert first.id == entry.first.extraction
    assert bool(first.tables) == (outcome == "partial")
    assert (completion.completed, completion.retried) == (0, 1)


def test_the_second_attempt_tells_the_model_what_was_wrong_with_the_first(service: Running, extract: Any) -> None:
    service.play(chat({"order": {**GOOD["order"], "total": 1}}), chat(GOOD))
    extract()
    assert "order.total: is 1, expected a text as printed" in asked(service, 1)["messages"][1]["content"]
    assert "order.total: is" not in json.dumps(asked(service, 0))


def test_a_markdown_fence_is_taken_off_and_told(db: Db, service: Running, extract: Any) -> None:
    service.play(chat(f"```json\n{json.dumps(GOOD)}\n```"))
    entry = only(extract())
    assert entry.first.outcome == "read"
    with db.read() as reader:
        notes = extractions.extraction(reader, entry.first.extraction or 0).notes
    assert "the Markdown fence round the JSON was taken off" in notes


def test_each_repeat_and_attempt_asks_anew_so_that_no_cache_answers(service: Running, extract: Any) -> None:
    service.play(chat("no"), chat(GOOD), chat(GOOD))
    extract(repeats=2)
    requests = [asked(service, number) for number in range(3)]
    assert [request["seed"] for request in requests] == [1, 2, 1001]
    assert len({request["user"] for request in requests}) == 3


def test_a_busy_service_is_waited_for_and_that_is_no_further_attempt(service: Running, extract: Any) -> None:
    service.play({"status": 429, "headers": {"Retry-After": "0"}}, {"status": 503}, chat(GOOD))
    entry = only(extract())
    assert (entry.first.outcome, entry.attempts) == ("read", 1)


def test_a_slow_or_cut_answer_fails_that_document_and_the_rest_goes_on(db: Db, service: Running, extract: Any) -> None:
    service.play(chat(GOOD, delay_s=1.5), chat(GOOD), chat(GOOD, cut=40), chat(GOOD))
    runs = extract(n=2, timeout_s=0.5)
    assert [entry.first.outcome for entry in runs.entries] == ["no answer", "no answer"]
    assert [entry.last for entry in runs.entries] == ["read", "read"]
    with db.read() as reader:
        (completion,) = attempts.completions(reader)
    assert [failure.reason.partition(" chat/")[0].split()[1:3] for failure in completion.failures] == [
        ["took", "longer"],
        ["broke", "off"],
    ]


def test_a_wrong_key_ends_the_run_and_is_never_stored_or_told(
    db: Db, service: Running, extract: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARROT_KEY", "sk-s3cret")
    service.play({"status": 401, "body": {"error": "no such key: sk-s3cret"}})
    runs = extract(n=2, key_env="PARROT_KEY")
    assert service.log[0]["headers"]["authorization"] == "Bearer sk-s3cret"
    assert (runs.left, runs.entries) == (2, ())
    assert "HTTP 401" in runs.stopped
    assert "${PARROT_KEY}" in runs.stopped
    service.play(chat(GOOD), chat(GOOD))
    assert extract(n=2, key_env="PARROT_KEY").left == 0
    assert b"s3cret" not in db.path.read_bytes()
    assert b"s3cret" not in db.path.with_name("proofgrid.db-wal").read_bytes()


def test_the_text_of_a_page_keeps_its_columns_apart() -> None:
    words = [Word("unit", 0.1, 0.1, 0.14, 0.12), Word("price", 0.15, 0.1, 0.2, 0.12), Word("qty", 0.5, 0.1, 0.53, 0.12)]
    below = [Word("1.20", 0.1, 0.13, 0.14, 0.15), Word("7", 0.5, 0.13, 0.51, 0.15)]
    first, second = laid_out([*words, *below]).split("\n")
    assert first == "unit price".rjust(25).ljust(75) + "qty"
    assert second.index("7") == first.index("qty")


def test_a_page_is_sent_as_an_image_where_that_is_wanted(service: Running, extract: Any) -> None:
    service.play(chat(GOOD))
    extract(input="both", dpi=72)
    parts = asked(service)["messages"][1]["content"]
    assert [part["type"] for part in parts] == ["text", "text", "image_url", "text"]
    head, _, data = parts[2]["image_url"]["url"].partition(",")
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        assert (head, picture.format, picture.size) == ("data:image/png;base64", "PNG", (595, 842))


def test_a_page_without_text_is_sent_as_an_image(
    db: Db, home: Home, service: Running, tmp_path: Path, extract: Any
) -> None:
    Image.new("RGB", (60, 40), "white").save(tmp_path / "orders" / "order-00.png")
    service.play(chat(GOOD))
    extract()
    assert [part["type"] for part in asked(service)["messages"][1]["content"]] == ["text", "image_url", "text"]


def test_a_document_that_is_too_long_is_a_failure_and_nothing_is_sent(service: Running, extract: Any) -> None:
    service.play(chat(GOOD))
    entry = only(extract(most_characters=20, attempts=1))
    assert (entry.first.outcome, service.log) == ("no answer", [])
    assert "more than 20 characters" in entry.first.reason


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "needs the parameter model"),
        ({"model": "m", "input": "smell"}, "expected one of: auto, text, images, both"),
        ({"model": "m", "key_env": "sk-123"}, "name of an environment variable, not the key itself"),
        ({"model": "m", "base_url": "https://me:pass@host/v1"}, "base_url holds an @"),
    ],
)
def test_wrong_parameters_are_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ExtractorError, match=problem) as refused:
        llm.settled(given, [ITEMS])
    assert "pass@" not in str(refused.value)


def test_the_schema_asks_for_texts_in_all_columns_and_null_only_where_it_may_be() -> None:
    schema = json_schema([fixtures.ORDER, ITEMS])
    assert schema["required"] == ["order", "line items"]
    row = schema["$defs"]["Row1"]
    assert row["required"] == ["item", "unit price", "_due"]
    assert row["additionalProperties"] is False
    assert row["properties"]["item"]["type"] == "string"
    assert [part["type"] for part in row["properties"]["unit price"]["anyOf"]] == ["string", "null"]
    assert "Price: an amount of money" in row["properties"]["unit price"]["description"]
    assert schema["properties"]["line items"]["type"] == "array"


def test_values_are_held_against_the_rules_of_their_column() -> None:
    rows = [
        {"item": "bolt", "unit price": "1.204,50", "_due": None},
        {"item": "nut", "unit price": "two", "_due": "2024-01-09"},
        {"item": " ", "unit price": "-", "_due": 20240109},
        "washer",
    ]
    assert lacking(json.dumps({"line items": rows}).encode(), [ITEMS]) == (
        "line items[1].unit price: 'two' does not read as an amount of money (does not parse as currency)",
        "line items[2].item: is empty, expected a value, since the column is required",
        "line items[2]._due: is 20240109, expected a text as printed",
        "line items[3]: is 'washer', expected an object",
    )
