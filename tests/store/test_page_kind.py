from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from store.page_tables.page_facts import page_facts
from store.page_tables.page_kind import PageFacts, PageKind, needs_ocr, page_kind
from store.pages import open_pdf

SAMPLES = Path(__file__).parents[2] / "sample_docs"


def kinds(file: Path) -> list[PageKind]:
    with open_pdf(file) as pdf:
        return [page_kind(page_facts(page)) for page in pdf]


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        (PageFacts(), "blank"),
        (PageFacts(characters=900, paths=40), "digital"),
        (PageFacts(picture=1.0), "scan"),
        (PageFacts(characters=30, picture=0.9), "scan"),
        (PageFacts(characters=900, picture=0.6), "mixed"),
        (PageFacts(characters=900, picture=1.0, hidden=1.0), "scan with text layer"),
        (PageFacts(characters=900, garbled=0.2), "garbled"),
        (PageFacts(characters=900, garbled=0.1), "digital"),
        (PageFacts(characters=3, paths=900), "scan"),
        (PageFacts(characters=3, paths=20), "digital"),
    ],
)
def test_the_kind_of_a_page_follows_from_its_text_pictures_and_paths(facts: PageFacts, kind: PageKind) -> None:
    assert page_kind(facts) == kind


def test_only_scans_and_garbled_pages_need_ocr() -> None:
    every: tuple[PageKind, ...] = ("digital", "mixed", "garbled", "scan with text layer", "scan", "blank")
    assert [kind for kind in every if needs_ocr(kind)] == ["garbled", "scan"]


def test_sample_documents_are_digital_but_for_the_scan() -> None:
    found = {file.parent.name: kinds(file) for file in SAMPLES.glob("*/*.pdf")}
    assert found.pop("water-analysis-scan") == ["scan"]
    assert {kind for pages in found.values() for kind in pages} == {"digital"}


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mixed_digital_scan_blank.pdf", ["digital", "scan", "blank", "scan"]),
        ("scan_only_page.pdf", ["scan"]),
        ("scan_with_invisible_text_good.pdf", ["scan with text layer"]),
        ("scan_with_invisible_text_wrong.pdf", ["scan with text layer"]),
        ("found_opendataloader_cid-font-no-tounicode.pdf", ["garbled"]),
        ("found_ocrmypdf_type3_font_nomapping.pdf", ["garbled"]),
        ("hidden_layer_text.pdf", ["digital"]),
        ("form_fields_no_appearance.pdf", ["digital"]),
        ("cjk_not_embedded_STSong-Light.pdf", ["digital"]),
        ("vector_heavy_60k_lines.pdf", ["scan"]),
    ],
)
def test_the_kinds_of_hazardous_pages(corpus_file: Callable[[str], Path], name: str, expected: list[str]) -> None:
    assert kinds(corpus_file(f"corpora/hazards/{name}")) == expected
