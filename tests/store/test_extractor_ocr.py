from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from scoring.table import Box
from store.extractors import EXTRACTORS, ExtractorError, Job, NoAnswer
from store.extractors.page_by_page import end_workers
from store.formats import extraction
from store.formats.contract import Read
from store.page_tables import models, tesseract
from store.page_tables.grid import Grid, GridCell
from store.page_tables.ocr_trust import word_confidences
from store.page_tables.opinions import Opinion
from store.page_tables.page import ReadPage
from store.page_tables.second_reader import readings
from store.page_tables.straighten import denoised, skew, straightened
from store.page_text import Word
from store.pages import drawn, open_document

SAMPLES = Path(__file__).parents[2] / "sample_docs"
SCAN = SAMPLES / "water-analysis-scan" / "Scan_20241021_0007.pdf"
needs_img2table = pytest.mark.skipif(util.find_spec("img2table") is None, reason="img2table is not installed")
needs_tesseract = pytest.mark.skipif(bool(tesseract.missing(["eng"])), reason=tesseract.missing(["eng"]))
LINES = ("Item Units Price", "Bolts 120 4.50", "Washers 75 1.25", "Brackets 310 12.80")


@pytest.fixture(autouse=True, scope="module")
def _no_worker_is_left() -> Iterator[None]:
    yield
    end_workers()


def job(file: Path, extractor: str, **given: object) -> Job:
    info = open_document(file.read_bytes())
    parameters = EXTRACTORS[extractor].settled({"models": False, **given}, ())
    return Job(file, file.name, info.media_type, info.pages, parameters)


def answer(file: Path, extractor: str, **given: object) -> Read:
    asked = job(file, extractor, **given)
    return extraction.read(EXTRACTORS[extractor].extract(asked).raw, name="a", pages=asked.pages)


def table_picture(quarters: int = 0, degrees: float = 0) -> Image.Image:
    """A ruled table of four rows in 150 dpi on a small page, turned clockwise."""
    page = Image.new("RGB", (1000, 700), "white")
    pen = ImageDraw.Draw(page)
    font = ImageFont.load_default(26)
    for row, line in enumerate(LINES):
        for col, text in enumerate(line.split()):
            x, y = 120 + 260 * col, 150 + 80 * row
            pen.rectangle((x, y, x + 260, y + 80), outline="black", width=2)
            pen.text((x + 20, y + 24), text, fill="black", font=font)
    turned = page.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor="white") if degrees else page
    return Image.fromarray(np.rot90(np.asarray(turned), -quarters))


def saved(picture: Image.Image, folder: Path, name: str = "page.png") -> Path:
    picture.save(folder / name, dpi=(150, 150))
    return folder / name


@needs_img2table
@needs_tesseract
def test_the_table_of_a_scan_is_read_and_tells_who_read_it() -> None:
    read = answer(SCAN, "ocr", languages="eng")
    entry = max(read.tables, key=lambda entry: entry.table.n_rows)
    texts = {cell.text for cell in entry.table.cells}
    assert {"ISO 10523", "Chloride", "complies"} <= texts
    assert entry.notes[0] == f"words by tesseract {tesseract.version()} (eng)"
    assert any("askew by 1.3 degrees" in note for note in read.notes)


@needs_img2table
@needs_tesseract
@pytest.mark.parametrize(("quarters", "degrees"), [(0, 0.0), (1, 0.0), (2, 0.0), (3, 1.5)])
def test_an_image_that_is_turned_and_askew_is_read_and_boxes_lie_on_it_as_displayed(
    tmp_path: Path, quarters: int, degrees: float
) -> None:
    if quarters and "osd" not in tesseract.installed_languages():
        pytest.skip("tesseract has no pack osd, which tells how a page is turned")
    picture = table_picture(quarters, degrees)
    (entry,) = answer(saved(picture, tmp_path), "auto", languages="eng").tables
    table = entry.table
    assert [[table.text_at(row, col) for col in range(3)] for row in range(4)] == [line.split() for line in LINES]
    dark = np.asarray(picture.convert("L")) < 128
    for cell in table.cells:
        box = cell.box
        assert box is not None
        left, right = round(box.x0 * picture.width), round(box.x1 * picture.width)
        top, bottom = round(box.y0 * picture.height), round(box.y1 * picture.height)
        assert 0.08 < dark[top:bottom, left:right].mean() < 0.7, (cell.text, box)


@needs_img2table
@needs_tesseract
def test_a_region_of_a_scan_is_one_table() -> None:
    whole = max(answer(SCAN, "ocr", languages="eng").tables, key=lambda entry: entry.table.n_rows)
    box = whole.boxes[0]
    middle = (box.y0 + box.y1) / 2
    half = {"page": 1, "box": [box.x0, box.y0 - 0.01, box.x1, middle]}
    (part,) = answer(SCAN, "auto", languages="eng", region=half).tables
    assert 2 <= part.table.n_rows < whole.table.n_rows
    assert "Turbidity" in " ".join(cell.text for cell in part.table.cells)


@needs_img2table
@needs_tesseract
@pytest.mark.corpus
def test_auto_reads_each_page_as_it_is(corpus_file: Callable[[str], Path]) -> None:
    asked = job(corpus_file("corpora/hazards/mixed_digital_scan_blank.pdf"), "auto", languages="eng")
    raw = EXTRACTORS["auto"].extract(asked).raw
    assert EXTRACTORS["auto"].complaints(raw, asked) == ()
    notes = extraction.read(raw, name="a", pages=()).notes
    assert not any("needs an extractor" in note for note in notes)


@needs_img2table
def test_without_tesseract_auto_reads_digital_pages_and_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "version", lambda: "")
    invoice = next((SAMPLES / "invoice-laboratory").glob("*.pdf"))
    assert answer(invoice, "auto").tables[0].notes[0] == "words by the text layer"
    with pytest.raises(NoAnswer, match=r"page 1: is a picture .* apt-get install tesseract-ocr"):
        answer(SCAN, "auto")
    with pytest.raises(ExtractorError, match=r"extractor ocr: the program tesseract is not installed"):
        job(SCAN, "ocr")


@needs_tesseract
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"languages": "eng+qqq"}, r"no language pack qqq, only .*apt-get install tesseract-ocr-qqq"),
        ({"languages": 3}, "is 3, expected a text like 'deu\\+eng'"),
        ({"languages": ""}, "expected a text like"),
        ({"language": "eng"}, "has no parameter 'language'"),
    ],
)
@needs_img2table
def test_wrong_languages_are_refused(given: dict[str, object], message: str) -> None:
    for name in ("ocr", "auto"):
        with pytest.raises(ExtractorError, match=message):
            job(SCAN, name, **given)


@needs_img2table
@needs_tesseract
def test_tesseract_that_takes_too_long_fails_the_page_and_not_the_batch() -> None:
    with pytest.raises(NoAnswer, match=r"page 1: (OcrError: tesseract )?took longer than"):
        answer(SCAN, "ocr", seconds_per_page=0.3)


@pytest.mark.parametrize("degrees", [-2.0, 0.7, 3.5])
def test_a_page_that_is_askew_is_put_straight(degrees: float) -> None:
    page = np.asarray(drawn(SCAN, 1, 100).convert("RGB"))
    straight = straightened(page, skew(page))
    askew = np.asarray(Image.fromarray(straight).rotate(-degrees, Image.Resampling.BICUBIC, fillcolor="white"))
    assert skew(askew) == pytest.approx(degrees, abs=0.25)
    assert skew(straightened(askew, skew(askew))) == pytest.approx(0, abs=0.25)


def test_grain_is_taken_off_a_page_that_has_it_and_another_page_stays_as_it_is() -> None:
    page = np.asarray(drawn(SCAN, 1, 60).convert("RGB"))
    smooth = np.asarray(Image.fromarray(page).filter(ImageFilter.MedianFilter(5)))
    assert denoised(smooth) is None
    grain = np.random.default_rng(1).normal(0, 12, smooth.shape)
    grainy = np.clip(smooth * 0.9 + grain, 0, 255).astype(np.uint8)
    assert np.abs(denoised(grainy) - smooth * 0.9).mean() < 0.7 * np.abs(grainy - smooth * 0.9).mean()


def test_an_empty_picture_is_not_askew() -> None:
    assert skew(np.full((800, 600, 3), 255, np.uint8)) == 0


@pytest.mark.parametrize("turn", range(4))
def test_a_box_on_a_turned_and_askew_page_is_found_again(turn: int) -> None:
    page = ReadPage(1, (600.0, 800.0), turn, (), None, 1.0, (), skew=2.0)
    box = Box(1, 0.2, 0.3, 0.4, 0.35)
    assert page.box(page.sides(box)).to_json() == pytest.approx(box.to_json())


needs_recogniser = pytest.mark.skipif(
    bool(models.missing(models.RECOGNISER)), reason=models.missing(models.RECOGNISER) or "the recogniser is there"
)


@needs_recogniser
def test_the_second_reader_reads_a_line() -> None:
    line = Image.new("RGB", (260, 44), "white")
    ImageDraw.Draw(line).text((10, 8), "ISO 10304-1", fill="black", font=ImageFont.load_default(24))
    ((text, sure),) = readings([np.asarray(line)])
    assert text == "ISO 10304-1"
    assert 0.8 < sure <= 1


@needs_img2table
@needs_tesseract
@needs_recogniser
def test_cells_tell_whether_two_readers_agree(tmp_path: Path) -> None:
    (entry,) = answer(saved(table_picture(), tmp_path), "ocr", languages="eng", second_reader=True).tables
    sources = {confidence.source for cell in entry.table.cells for confidence in cell.confidence}
    assert any("two readers have the same: tesseract" in source for source in sources)


def test_a_second_reader_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "missing", lambda *wanted: "rapidocr is not installed" if wanted else "no models")
    with pytest.raises(ExtractorError, match="extractor auto was asked for second_reader: rapidocr is not installed"):
        EXTRACTORS["auto"].settled({"second_reader": True, "models": False}, ())
    assert EXTRACTORS["auto"].settled({"models": False}, ())["second_reader"] is False


def test_readers_agree_where_only_spaces_and_dashes_differ() -> None:
    assert Opinion("1 000 – 2", 0.5, "1000 - 2").readers == "same"
    assert Opinion("1 000", 0.5, "1 800").readers == "differ"
    assert Opinion("1 000", 0.5).readers == "one"


def test_a_cell_on_which_readers_and_builders_agree_is_trusted_more_than_one_on_which_they_differ() -> None:
    words = (Word("Bolts", 0, 0, 40, 10), Word("Nuts", 0, 20, 40, 30))
    page = ReadPage(1, (100.0, 100.0), 0, words, None, 1.0, (), "tesseract", sure=(0.97, 0.97))
    first, second = GridCell(0, 0, words=(0,)), GridCell(1, 0, words=(1,))
    grid = Grid(2, 1, (first, second), "one")
    told = {first: Opinion("Bolts", 0.97, "Bolts"), second: Opinion("Nuts", 0.97, "Muts")}
    agreed = word_confidences(grid, (grid,), page, told)
    apart = word_confidences(grid, (Grid(1, 1, (GridCell(0, 0, words=(0, 1)),), "other"),), page, told)
    values = [trust[cell][0].value or 0 for trust in (agreed, apart) for cell in (first, second)]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.95 > 0.9 > values[1] > 0.5 > values[3]
    assert "PP-OCRv6 has 'Muts'" in agreed[second][0].source


def test_without_another_builder_or_reader_no_rate_is_made_up() -> None:
    page = ReadPage(1, (100.0, 100.0), 0, (Word("Bolts", 0, 0, 40, 10),), None, 1.0, (), "tesseract", sure=(0.97,))
    cell = GridCell(0, 0, words=(0,))
    (only,) = word_confidences(Grid(1, 1, (cell,), "one"), (), page, {cell: Opinion("Bolts", 0.97)})[cell]
    assert (only.kind, only.value) == ("text", None)
