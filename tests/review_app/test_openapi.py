"""The description of the API for programs, held against a real server by a fuzzer."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from benchmarks.server import Server
from review_app.openapi import described
from review_app.rest import OPERATIONS
from store import api_keys
from store.db import Db
from store.home import Home
from store.ingest import ingest

SAMPLES = Path(__file__).parents[2] / "sample_docs"
WRITTEN = Path(__file__).parents[2] / "docs" / "openapi.json"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Address and key of a server on two sample documents."""
    home = Home(tmp_path_factory.mktemp("fuzzed"))
    db = Db(home.database)
    ingest(db, home, [SAMPLES / "invoice-laboratory", SAMPLES / "table_types.json"], person="ann")
    _, key = api_keys.make_key(db, person="ann", by="ann")
    db.close()
    server = Server(home.folder, home.folder / "server.log")
    server.start()
    yield server.url, key
    server.kill()


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS])
def test_whatever_is_asked_the_answer_is_one_that_the_description_names(served: tuple[str, str], name: str) -> None:
    address, key = served
    schema = schemathesis.openapi.from_dict(described(OPERATIONS))
    schema.config.base_url = address
    [operation] = [each.ok() for each in schema.get_all_operations() if each.ok().definition.raw["operationId"] == name]

    @settings(
        max_examples=60,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(case=operation.as_strategy())
    def holds(case: schemathesis.Case) -> None:
        # Bytes that are no document are refused, which no schema can say.
        left_out = [positive_data_acceptance] if name == "addFile" else []
        case.call_and_validate(headers={"Authorization": f"Bearer {key}"}, excluded_checks=left_out)

    holds()


def test_the_server_hands_out_the_description_that_is_written_down(served: tuple[str, str]) -> None:
    with urllib.request.urlopen(f"{served[0]}/api/v1/openapi.json") as answer:
        told = json.loads(answer.read())
    assert told == described(OPERATIONS)
    assert json.loads(WRITTEN.read_text()) == told, "write it anew: python -m docs.openapi"
