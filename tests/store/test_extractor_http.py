from __future__ import annotations

import base64
import json
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from store.extractors import Answer, ExtractorError, Job, NoAnswer, http
from store.extractors.calls import retry_after
from store.extractors.fixtures import fixtures
from store.pages import PageSize
from tests.store.service import Running, running

RECORDS = {"line_items": [{"item": "bolt", "qty": 2}]}
QUICK = {"wait_s": 0.01, "interval_s": 0.01}


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture
def extract(service: Running, tmp_path: Path) -> Any:
    file = tmp_path / "document"
    file.write_bytes(fixtures()[0].raw)

    def extract(repeat: int = 1, name: str = "order.pdf", **given: Any) -> Answer:
        settled = http.settled({"url": f"{service.origin}/analyze", **QUICK, **given}, ())
        return http.extract(Job(file, name, "application/pdf", [PageSize(1, 595, 842)], settled, repeat=repeat))

    return extract


def test_the_bytes_are_uploaded_and_the_answer_is_kept_as_received(service: Running, extract: Any) -> None:
    service.play({"body": '{"line_items":   [ {"price": 1.20} ]}'})
    assert extract() == Answer(b'{"line_items":   [ {"price": 1.20} ]}', "", ".json")
    (asked,) = service.log
    assert (asked["method"], asked["path"]) == ("POST", "/analyze")
    assert asked["headers"]["content-type"] == "application/pdf"
    assert asked["body"] == fixtures()[0].raw


def test_a_document_is_sent_inside_json_as_base64(service: Running, extract: Any) -> None:
    service.play({"body": RECORDS})
    extract(upload="base64", body={"source": {"data": "data:{media_type};base64,{base64}"}, "pages": [1, "{name}"]})
    body = json.loads(service.log[0]["body"])
    assert body["pages"] == [1, "order.pdf"]
    kind, _, data = body["source"]["data"].partition(";base64,")
    assert (kind, base64.b64decode(data)) == ("data:application/pdf", fixtures()[0].raw)


def test_any_name_of_a_document_can_stand_in_address_and_headers(service: Running, extract: Any) -> None:
    service.play({"body": RECORDS})
    extract(name="Müller #1?.pdf", url=f"{service.origin}/analyze/{{name}}", headers={"X-Name": "{name}"})
    (asked,) = service.log
    assert asked["path"] == "/analyze/M%C3%BCller%20%231%3F.pdf"
    assert asked["headers"]["x-name"].encode("latin-1").decode() == "Müller #1?.pdf"


def test_a_key_that_ends_in_a_line_break_is_sent_without_and_a_broken_one_is_not_told(
    service: Running, extract: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "s3cret\n")
    service.play({"body": RECORDS})
    extract(headers={"X-Api-Key": "${SOME_KEY}"})
    assert service.log[0]["headers"]["x-api-key"] == "s3cret"
    monkeypatch.setenv("SOME_KEY", "s3cret\nmore")
    with pytest.raises(ExtractorError, match="a header holds signs that it may not") as refused:
        extract(headers={"X-Api-Key": "${SOME_KEY}"})
    assert "s3cret" not in str(refused.value)


def test_a_document_is_sent_as_a_form(service: Running, extract: Any) -> None:
    service.play({"body": RECORDS})
    extract(upload="multipart", field="document", fields={"mode": "tables"})
    body = service.log[0]["body"]
    assert b'name="document"; filename="order.pdf"' in body
    assert fixtures()[0].raw in body
    assert b'name="mode"\r\n\r\ntables' in body


def test_a_job_is_polled_by_its_operation_location_until_it_is_done(service: Running, extract: Any) -> None:
    service.play(
        {"status": 202, "headers": {"Operation-Location": "{origin}/results/7?v=1", "Retry-After": "0"}},
        {"body": {"status": "notStarted"}, "headers": {"Retry-After": "0"}},
        {"body": {"status": "running"}},
        {"body": {"status": "succeeded", "analyzeResult": {"tables": []}}},
    )
    answer = extract(poll="operation-location", headers={"Ocp-Apim-Subscription-Key": "${PATH}"})
    assert json.loads(answer.raw)["analyzeResult"] == {"tables": []}
    log = service.log
    assert [(asked["method"], asked["path"]) for asked in log[1:]] == [("GET", "/results/7?v=1")] * 3
    assert all("ocp-apim-subscription-key" in asked["headers"] for asked in log)


def test_a_job_is_polled_by_its_number_and_its_result_fetched_from_an_address_of_its_own(
    service: Running, extract: Any
) -> None:
    service.play(
        {"body": {"job": {"id": "a/b"}}},
        {"body": {"state": "PENDING"}},
        {"body": {"state": "Done", "download": "{origin}/files/result.html"}},
        {"body": "<table></table>", "headers": {"Content-Type": "text/html; charset=utf-8"}},
    )
    answer = extract(poll=f"{service.origin}/jobs/{{/job/id}}", status="/state", done=["DONE"], result="/download")
    assert answer == Answer(b"<table></table>", "", ".html")
    assert [asked["path"] for asked in service.log] == ["/analyze", "/jobs/a%2Fb", "/jobs/a%2Fb", "/files/result.html"]


def test_a_job_that_fails_or_is_never_done_is_no_answer(service: Running, extract: Any) -> None:
    started = {"headers": {"Operation-Location": "{origin}/results/7"}}
    service.play(started, {"body": {"status": "failed", "error": "unreadable"}})
    with pytest.raises(NoAnswer, match="the job ended as 'failed'") as failed:
        extract(poll="operation-location")
    assert b"unreadable" in failed.value.raw
    service.play(started, *({"body": {"status": "running"}} for _ in range(99)))
    with pytest.raises(NoAnswer, match=r"not done within 0\.2 s"):
        extract(poll="operation-location", patience_s=0.2)
    service.play({"body": {"status": "running"}})
    with pytest.raises(NoAnswer, match="no Operation-Location"):
        extract(poll="operation-location")


def test_a_key_is_not_sent_to_another_server(service: Running, extract: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "s3cret-value")
    with running() as other:
        other.play({"body": {"status": "succeeded"}})
        service.play({"headers": {"Operation-Location": f"{other.origin}/results/7"}})
        extract(poll="operation-location", headers={"X-Api-Key": "${SOME_KEY}"})
        assert service.log[0]["headers"]["x-api-key"] == "s3cret-value"
        assert "s3cret-value" not in json.dumps(other.log[0]["headers"])


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_when_it_says(service: Running, extract: Any, status: int) -> None:
    service.play({"status": status, "headers": {"Retry-After": "0"}}, {"status": status}, {"body": RECORDS})
    assert json.loads(extract().raw) == RECORDS
    assert len(service.log) == 3


def test_a_service_that_stays_busy_is_no_answer(service: Running, extract: Any) -> None:
    service.play(*({"status": 503, "body": "later"} for _ in range(9)))
    with pytest.raises(NoAnswer, match="answered HTTP 503: later, 3 times"):
        extract(tries=3)
    assert len(service.log) == 3
    service.play({"status": 429, "headers": {"Retry-After": "86400"}})
    with pytest.raises(NoAnswer, match="it asks to wait 86400 s"):
        extract()


def test_a_slow_and_a_cut_answer_are_no_answer_with_what_came(service: Running, extract: Any) -> None:
    service.play({"body": RECORDS, "delay_s": 1})
    with pytest.raises(NoAnswer, match=r"took longer than 0\.2 s"):
        extract(timeout_s=0.2)
    service.play({"body": '{"line_items": []}', "cut": 6})
    with pytest.raises(NoAnswer, match="broke off after 6 bytes") as cut:
        extract()
    assert cut.value.raw == b'{"line'


def test_a_refusal_of_one_document_lets_the_rest_go_on_and_a_wrong_key_ends_the_run(
    service: Running, extract: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "s3cret-value")
    service.play({"status": 400, "body": "too many pages for s3cret-value"})
    with pytest.raises(NoAnswer, match=r"HTTP 400: too many pages for \$\{SOME_KEY\}") as refused:
        extract(headers={"X-Api-Key": "${SOME_KEY}"})
    assert b"s3cret" not in refused.value.raw
    service.play({"status": 401, "body": "unknown key s3cret-value"})
    with pytest.raises(ExtractorError, match=r"HTTP 401: unknown key \$\{SOME_KEY\}"):
        extract(headers={"X-Api-Key": "${SOME_KEY}"})
    service.play({"status": 308, "headers": {"Location": "https://elsewhere.example/"}})
    with pytest.raises(ExtractorError, match=r"HTTP 308: nothing \(to https://elsewhere"):
        extract()


def test_a_service_that_is_not_there_ends_the_run(extract: Any) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/"
    with pytest.raises(ExtractorError, match="cannot be reached"):
        extract(url=address, tries=2)


def test_repeats_differ_where_the_call_has_a_place_for_it(service: Running, extract: Any) -> None:
    service.play({"body": RECORDS}, {"body": RECORDS})
    for repeat in (1, 2):
        extract(repeat, url=f"{service.origin}/analyze?n={{nonce}}")
    assert [asked["path"] for asked in service.log] == ["/analyze?n=r1a1", "/analyze?n=r2a1"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"url": "ftp://host/"}, r"url of extractor http is 'ftp://host/', expected http\(s\)"),
        ({"url": "https://me:pass@host/"}, r"is .https://\.\.\.@host/., expected"),
        ({"url": "https://host:99999/"}, "a port is a number from 1 to 65535"),
        ({"url": "${ENDPOINT}/a b"}, "it holds a blank"),
        ({"headers": {"X-Api-Key": "s3cret"}}, r"X-Api-Key looks like a key; put its value into an environment"),
        ({"upload": "pigeon"}, "expected one of: bytes, base64, multipart"),
        ({"upload": "base64"}, r'body has no "\{base64\}"'),
        ({"tries": "often"}, "parameter tries of extractor http is 'often', expected a value like 5"),
        ({"colour": 1}, "has no parameter 'colour'"),
    ],
)
def test_wrong_parameters_are_refused_before_anything_is_sent(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ExtractorError, match=problem) as refused:
        http.settled({"url": "https://host/", **given}, ())
    assert "s3cret" not in str(refused.value)
    assert "me:pass" not in str(refused.value)


def test_a_key_that_is_not_in_the_environment_is_asked_for_by_name(
    extract: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(ExtractorError, match="needs the environment variable SOME_KEY, which is not set"):
        extract(headers={"Authorization": "Bearer ${SOME_KEY}"})


def test_retry_after_is_read_as_seconds_and_as_a_date() -> None:
    assert retry_after({"retry-after": "2"}) == 2.0
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 25 < (retry_after({"retry-after": soon}) or 0) <= 30
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None
