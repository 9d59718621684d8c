from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from store.extractors import Answer, ExtractorError, Job, http
from store.extractors.fixtures import fixtures
from store.extractors.presets import PRESETS
from store.formats import FORMATS, recognise
from store.pages import PageSize
from tests.store import test_formats_docling as of_docling
from tests.store import test_formats_google_docai as of_google
from tests.store import test_formats_llamaparse as of_llamaparse
from tests.store import test_formats_mistral_ocr as of_mistral
from tests.store.service import Running, running

AZURE = Path(__file__).parents[2] / "sample_docs" / "segment-report" / "first_extraction.json"
PAGES = [PageSize(1, 595, 842)]
RAW = fixtures()[0].raw
Extract = Callable[..., Answer]


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with running() as found:
        yield found


@pytest.fixture
def extract(service: Running, tmp_path: Path) -> Extract:
    file = tmp_path / "document"
    file.write_bytes(RAW)

    def extract(preset: str, host: str = "", **given: Any) -> Answer:
        """Run a preset with the host of the service in place of the real one, in all of its addresses."""
        own = {name: PRESETS[preset].get(name, "") for name in ("url", "poll")} if host else {}
        moved = {name: value.replace(host, service.origin) for name, value in own.items()}
        settled = http.settled({"preset": preset, **moved, "interval_s": 0.01, "wait_s": 0.01, **given}, ())
        return http.extract(Job(file, "order.pdf", "application/pdf", PAGES, settled))

    return extract


def tables(answer: Answer, format_name: str) -> int:
    assert recognise(answer.raw, "answer.json") == format_name
    return len(FORMATS[format_name].read(answer.raw, name="answer.json", pages=PAGES).tables)


@pytest.mark.parametrize("model", ["layout", "invoice"])
def test_azure_takes_the_bytes_and_is_polled_at_its_operation_location(
    model: str, service: Running, extract: Extract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_DOCUMENT_INTELLIGENCE_ENDPOINT", f"{service.origin}/")
    monkeypatch.setenv("AZURE_DOCUMENT_INTELLIGENCE_API_KEY", "s3cret")
    where = f"/documentintelligence/documentModels/prebuilt-{model}/analyzeResults/5f?api-version=2024-11-30"
    service.play(
        {"status": 202, "headers": {"Operation-Location": "{origin}" + where, "Retry-After": "0"}},
        {"body": {"status": "notStarted"}, "headers": {"Retry-After": "0"}},
        {"body": {"status": "running"}},
        {"body": AZURE.read_text(encoding="utf-8")},
    )
    assert tables(extract(f"azure-{model}"), "azure") == 1
    first, *polls = service.log
    asked = f"/documentintelligence/documentModels/prebuilt-{model}:analyze?api-version=2024-11-30"
    assert (first["method"], first["path"], first["body"]) == ("POST", asked, RAW)
    assert first["headers"]["content-type"] == "application/pdf"
    assert [poll["path"] for poll in polls] == [where] * 3
    assert all(each["headers"]["ocp-apim-subscription-key"] == "s3cret" for each in service.log)


def test_google_takes_a_raw_document_and_answers_at_once(
    service: Running, extract: Extract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_DOCAI_PROCESSOR", f"{service.origin}/v1/projects/p/locations/eu/processors/1a")
    monkeypatch.setenv("GOOGLE_ACCESS_TOKEN", "t0ken")
    service.play({"body": {"document": of_google.document(), "humanReviewStatus": {"state": "SKIPPED"}}})
    assert tables(extract("google-docai"), "google-docai") == 1
    (asked,) = service.log
    assert asked["path"] == "/v1/projects/p/locations/eu/processors/1a:process"
    assert asked["headers"]["authorization"] == "Bearer t0ken"
    sent = json.loads(asked["body"])["rawDocument"]
    assert (sent["mimeType"], base64.b64decode(sent["content"])) == ("application/pdf", RAW)


def test_llamaparse_takes_a_form_and_is_polled_by_the_number_of_its_job(
    service: Running, extract: Extract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLAMA_CLOUD_API_KEY", "llx-1")
    done = {
        "job": {"id": "pjb-7", "status": "COMPLETED"},
        **of_llamaparse.v2({"type": "table", "rows": [["a"], ["b"]]}),
    }
    service.play(
        {"body": {"id": "pjb-7", "project_id": "p", "status": "PENDING", "tier": "agentic"}},
        {"body": {"job": {"id": "pjb-7", "status": "RUNNING"}}},
        {"body": done},
    )
    assert tables(extract("llamaparse", "https://api.cloud.llamaindex.ai"), "llamaparse") == 1
    first, *polls = service.log
    assert first["path"] == "/api/v2/parse/upload"
    assert b'name="file"; filename="order.pdf"' in first["body"]
    assert b'name="configuration"\r\n\r\n{"tier": "agentic", "version": "latest"}' in first["body"]
    assert [poll["path"] for poll in polls] == ["/api/v2/parse/pjb-7?expand=items,metadata"] * 2
    assert all(each["headers"]["authorization"] == "Bearer llx-1" for each in service.log)


def test_mistral_takes_a_data_address_and_answers_at_once(
    service: Running, extract: Extract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", "m1")
    service.play({"body": of_mistral.answer(of_mistral.PIPE)})
    assert tables(extract("mistral-ocr", "https://api.mistral.ai"), "mistral-ocr") == 1
    (asked,) = service.log
    body = json.loads(asked["body"])
    assert (asked["path"], body["model"], body["table_format"]) == ("/v1/ocr", "mistral-ocr-latest", "html")
    kind, _, data = body["document"]["document_url"].partition(";base64,")
    assert (body["document"]["type"], kind, base64.b64decode(data)) == ("document_url", "data:application/pdf", RAW)


def test_docling_takes_a_form_and_answers_with_its_document(service: Running, extract: Extract) -> None:
    document = of_docling.document(of_docling.cell(0, 0, "a"), of_docling.cell(1, 0, "b"))
    service.play({"body": {"document": {"filename": "order.pdf", "json_content": document}, "status": "success"}})
    assert tables(extract("docling-serve", "http://127.0.0.1:5001"), "docling") == 1
    (asked,) = service.log
    assert asked["path"] == "/v1/convert/file"
    assert b'name="files"; filename="order.pdf"' in asked["body"]
    assert b'name="to_formats"\r\n\r\njson' in asked["body"]


def test_a_parameter_goes_before_that_of_its_preset_and_the_run_keeps_both() -> None:
    found = http.settled({"preset": "docling-serve", "url": "https://docling.example/v1/convert/file"}, ())
    assert (found["url"], found["field"]) == ("https://docling.example/v1/convert/file", "files")
    assert found["preset"] == "docling-serve"


def test_wrong_presets_and_endpoints_are_told(extract: Extract, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ExtractorError, match="expected one of: azure-layout, "):
        http.settled({"preset": "azur"}, ())
    monkeypatch.delenv("AZURE_DOCUMENT_INTELLIGENCE_ENDPOINT", raising=False)
    with pytest.raises(ExtractorError, match="AZURE_DOCUMENT_INTELLIGENCE_ENDPOINT, which is not set"):
        extract("azure-layout")
    monkeypatch.setenv("AZURE_DOCUMENT_INTELLIGENCE_ENDPOINT", "my-resource")
    with pytest.raises(ExtractorError, match="look at the endpoint"):
        extract("azure-layout")


def test_no_preset_holds_a_key() -> None:
    for name in PRESETS:
        http.settled({"preset": name}, ())
