from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops
from reportlab.pdfgen.canvas import Canvas

from store import pages
from store.home import Home
from store.page_text import in_reading_order
from store.pages import (
    DocumentError,
    PageSize,
    Word,
    open_document,
    page_image,
    page_words,
    render,
    render_tile,
    words,
)

WIDTH, HEIGHT = 400.0, 300.0


def pdf(draw: Callable[[Canvas], object] | None = None, *, n_pages: int = 1) -> bytes:
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(WIDTH, HEIGHT), invariant=True)
    for _ in range(n_pages):
        if draw:
            draw(canvas)
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def two_words(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 20)
    canvas.drawString(50, 220, "alpha")
    canvas.drawString(250, 100, "Beta")


def turned(raw: bytes, *, rotation: int = 0, crop: tuple[float, float, float, float] | None = None) -> bytes:
    document = pypdfium2.PdfDocument(raw)
    page = document[0]
    if crop:
        page.set_cropbox(*crop)
    page.set_rotation(rotation)
    held = io.BytesIO()
    document.save(held)
    document.close()
    return held.getvalue()


def saved(folder: Path, raw: bytes) -> Path:
    file = folder / "file.pdf"
    file.write_bytes(raw)
    return file


def image(raw: bytes) -> Image.Image:
    return Image.open(io.BytesIO(raw)).convert("L")


def ink_is_inside(file: Path, found: tuple[Word, ...]) -> bool:
    """Whether all dark pixels of the picture lie in the boxes of the words, and each box has some."""
    drawn = image(render(file, 1, 144))
    inside = []
    for word in found:
        sides = (word.x0 * drawn.width, word.y0 * drawn.height, word.x1 * drawn.width, word.y1 * drawn.height)
        box = (int(sides[0]) - 2, int(sides[1]) - 2, int(sides[2]) + 3, int(sides[3]) + 3)
        inside.append(drawn.crop(box).getextrema()[0] < 100)
        drawn.paste(255, box)
    return all(inside) and drawn.getextrema()[0] > 150


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (30, 60, 380, 280), (-40, -20, 420, 310)])
def test_boxes_lie_on_their_words_however_the_page_is_turned_and_cropped(
    tmp_path: Path, rotation: int, crop: tuple[float, float, float, float] | None
) -> None:
    raw = turned(pdf(two_words), rotation=rotation, crop=crop)
    file = saved(tmp_path, raw)
    found = words(file, 1)
    assert {word.text for word in found} == {"alpha", "Beta"}
    assert ink_is_inside(file, found)
    (page,) = open_document(raw).pages
    assert image(render(file, 1, 72)).size == pytest.approx((page.width, page.height), abs=1)


def test_words_stand_line_by_line_and_doubled_ones_once(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for text, x, y in (("third", 50, 100), ("second", 200, 200), ("first", 50, 203), ("first", 50.3, 203)):
            canvas.drawString(x, y, text)

    assert [word.text for word in words(saved(tmp_path, pdf(draw)), 1)] == ["first", "second", "third"]


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
@pytest.mark.parametrize("rotation", [0, 90])
def test_lines_that_run_up_or_down_are_read_as_by_one_who_turns_the_page(
    tmp_path: Path, angle: int, rotation: int
) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(200, 150)
        canvas.rotate(angle)
        canvas.drawString(-60, 10, "one two three")
        canvas.drawString(-60, -10, "four 5 six")

    found = words(saved(tmp_path, turned(pdf(draw), rotation=rotation)), 1)
    assert [word.text for word in found] == ["one", "two", "three", "four", "5", "six"]
    assert {word.turn for word in found} == {(rotation - angle) // 90 % 4}


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        (
            [
                "BRISTOL",
                "FLASK",
                "500",
                "ml",
                "\u0642\u0646",
                "\u0632\u062c\u0627\u062c\u0632\u062c\u0627\u062c\u0632\u062c\u0627\u062c\u0632\u062c",
            ],
            [5, 4, 0, 1, 2, 3],
        ),
        (["12", "34", "\u0633\u0639\u0631"], [2, 1, 0]),
        (["total", "of", "\u0632\u062c", "\u0642\u0646", "all"], [0, 1, 3, 2, 4]),
        (["12", None, "BRISTOL", None, "\u0642\u0646\u0642\u0646\u0642\u0646\u0642\u0646"], [4, 2, 0]),
    ],
)
def test_words_of_two_directions_stand_in_the_order_in_which_they_are_read(
    seen: list[str | None], read: list[int]
) -> None:
    places = []
    x = 0.0
    for text in seen:
        places.append(Word(text or "", x, 0, x + 8 * len(text or ""), 10))
        x += 8 * len(text) + 4 if text else 40
    ordered = in_reading_order([place for place in places if place.text])
    assert [word.text for word in ordered] == [seen[place] for place in read]


def test_tiles_are_pieces_of_the_page(tmp_path: Path) -> None:
    file = saved(tmp_path, turned(pdf(two_words), rotation=90, crop=(30, 60, 380, 280)))
    whole = image(render(file, 1, 288))
    assert whole.size == (880, 1400)
    upper, lower = (image(render_tile(file, 1, 288, 0, row)) for row in (0, 1))
    assert (upper.size, lower.size) == ((880, 1024), (880, 376))
    for tile, top in ((upper, 0), (lower, 1024)):
        difference = ImageChops.difference(tile, whole.crop((0, top, 880, top + tile.height)))
        assert sum(difference.histogram()[64:]) < 200  # what compression leaves at the edges of letters
    with pytest.raises(DocumentError, match="tile 1, 0 of a page of 1 x 2 tiles"):
        render_tile(file, 1, 288, 1, 0)


def test_a_picture_is_given_in_tiles_of_its_own_pixels(tmp_path: Path) -> None:
    held = io.BytesIO()
    Image.new("L", (5000, 1100), "white").save(held, "PNG")
    file = saved(tmp_path, held.getvalue())
    assert image(render_tile(file, 1, 72, 4, 1)).size == (904, 76)
    with pytest.raises(DocumentError, match="own pixels at 72"):
        render_tile(file, 1, 288, 0, 0)


def test_words_off_the_page_are_left_out(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(50, 200, "on")
        canvas.drawString(900, 200, "off")

    assert [word.text for word in words(saved(tmp_path, pdf(draw)), 1)] == ["on"]


def test_form_fields_are_drawn(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.acroForm.textfield(value="FILLED IN", x=50, y=100, width=200, height=40, borderWidth=0, fontSize=24)

    assert image(render(saved(tmp_path, pdf(draw)), 1, 72)).crop((50, 160, 250, 200)).getextrema()[0] < 100


def test_the_longest_side_of_a_picture_is_bounded(tmp_path: Path) -> None:
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(14400, 20), invariant=True)
    canvas.showPage()
    canvas.save()
    assert image(render(saved(tmp_path, held.getvalue()), 1, 200)).size[0] == pages.LARGEST_SIDE


def test_pages_have_their_size_as_displayed() -> None:
    info = open_document(pdf(n_pages=3))
    assert (info.media_type, info.n_pages) == ("application/pdf", 3)
    assert info.pages[2] == PageSize(3, WIDTH, HEIGHT)
    assert open_document(turned(pdf(), rotation=90)).pages == (PageSize(1, HEIGHT, WIDTH),)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_is_a_document_of_one_page_shown_as_its_mark_says(tmp_path: Path, kind: str) -> None:
    held = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    Image.new("RGB", (60, 40), "navy").save(held, kind, exif=exif)
    info = open_document(held.getvalue())
    assert (info.media_type, info.pages) == (f"image/{kind.lower()}", (PageSize(1, 40, 60),))
    file = saved(tmp_path, held.getvalue())
    assert image(render(file, 1, 150)).size == (40, 60)
    assert words(file, 1) == ()
    with pytest.raises(DocumentError, match="page 2 of an image"):
        render(file, 2, 150)


def test_transparency_is_white(tmp_path: Path) -> None:
    held = io.BytesIO()
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(held, "PNG")
    assert image(render(saved(tmp_path, held.getvalue()), 1, 72)).getextrema()[0] > 250


def encrypted() -> bytes:
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(WIDTH, HEIGHT), encrypt="secret")
    canvas.showPage()
    canvas.save()
    return held.getvalue()


def cut_picture() -> bytes:
    held = io.BytesIO()
    Image.effect_noise((200, 200), 90).save(held, "PNG")
    return held.getvalue()[:9000]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "is empty"),
        (b"<html><body>404", "begins with b'<html>"),
        (b"PK\x03\x04", "expected a PDF, PNG or JPEG"),
        (pdf(two_words)[:400], "is a PDF that is cut off"),
        (b"%PDF-1.7\nnonsense\n%%EOF", "is a damaged PDF"),
        (encrypted(), "is encrypted and needs a password"),
        (b"\x89PNG\r\n\x1a\n", "is a damaged or cut off image"),
        (cut_picture(), "is a damaged or cut off image"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(raw: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        open_document(raw)


def test_a_page_that_is_not_there_is_refused(tmp_path: Path) -> None:
    file = saved(tmp_path, pdf(n_pages=2))
    for ask in (lambda: render(file, 3, 72), lambda: words(file, 0)):
        with pytest.raises(DocumentError, match="of a document of 2 pages"):
            ask()
    with pytest.raises(DocumentError, match="cannot be read"):
        render(tmp_path / "gone.pdf", 1, 72)


def test_junk_before_the_header_is_passed_over(tmp_path: Path) -> None:
    raw = b"\r\nFrom: scanner\r\n" * 120 + pdf(two_words)
    assert open_document(raw).n_pages == 1
    assert len(words(saved(tmp_path, raw), 1)) == 2


def test_poppler_takes_over_for_a_page_that_pdfium_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = saved(tmp_path, turned(pdf(two_words), rotation=90))
    by_pdfium = image(render(file, 1, 100))

    def refuse(page: object, dpi: int) -> None:
        raise pypdfium2.PdfiumError("Failed to load page.")

    monkeypatch.setattr(pages, "_drawn", refuse)
    assert image(render(file, 1, 100)).size == pytest.approx(by_pdfium.size, abs=1)


def test_a_page_that_many_ask_for_at_once_is_drawn_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = pdf(two_words)
    digest = sha256(raw).hexdigest()
    home.document_file(digest).parent.mkdir(parents=True)
    home.document_file(digest).write_bytes(raw)
    drawn = []
    monkeypatch.setattr(pages, "render", lambda *asked: drawn.append(asked) or render(*asked))
    threads = [threading.Thread(target=page_image, args=(home, digest, 1, 72)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(drawn) == 1


def test_images_and_words_are_kept_and_made_by_many_threads_alike(home: Home) -> None:
    raw = pdf(two_words)
    digest = sha256(raw).hexdigest()
    file = home.document_file(digest)
    file.parent.mkdir(parents=True)
    file.write_bytes(raw)
    made: list[bytes] = []
    threads = [threading.Thread(target=lambda: made.append(page_image(home, digest, 1, 72))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 6
    assert len(set(made)) == 1
    first = json.loads(page_words(home, digest, 1))
    assert [entry[0] for entry in first["words"]] == ["alpha", "Beta"]
    file.unlink()
    assert page_image(home, digest, 1, 72) == made[0]
    assert json.loads(page_words(home, digest, 1)) == first
    assert sorted(entry.name for entry in (home.cache / digest).iterdir()) == ["1.words.json", "1@72.webp"]
    with pytest.raises(DocumentError, match="dpi"):
        page_image(home, digest, 1, 5)


GONE = {
    "encrypted_user_pw_aes256_secret": "needs a password",
    "found_pdfplumber_password-example": "needs a password",
    "not_a_pdf_html": "expected a PDF",
    "not_a_pdf_png": "damaged or cut off image",
    "truncated_half": "cut off",
    "zero_bytes": "is empty",
    "zero_pages": "without pages",
}


@pytest.mark.corpus
def test_each_hazard_is_shown_or_refused_in_words(corpus_file: Callable[[str], Path]) -> None:
    for file in sorted(corpus_file("corpora/hazards").glob("*.pdf")):
        if (expected := GONE.get(file.stem)) is not None:
            with pytest.raises(DocumentError, match=expected):
                open_document(file.read_bytes())
            continue
        info = open_document(file.read_bytes())
        assert max(image(render(file, 1, 40)).size) <= pages.LARGEST_SIDE, file
        assert all(word.text.strip() for word in words(file, min(2, info.n_pages))), file


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name",
    [
        "cropbox_offset",
        "cropbox_and_rotate90",
        "mediabox_negative_origin",
        "rotate_90",
        "rotate_180",
        "rotate_270",
        "rotate_minus90",
        "userunit_10",
    ],
)
def test_boxes_lie_on_the_words_of_turned_and_cropped_hazards(corpus_file: Callable[[str], Path], name: str) -> None:
    file = corpus_file(f"corpora/hazards/{name}.pdf")
    found = words(file, 1)
    drawn = image(render(file, 1, 144))
    empty = []
    for word in found:
        box = (word.x0 * drawn.width, word.y0 * drawn.height, word.x1 * drawn.width + 1, word.y1 * drawn.height + 1)
        if drawn.crop(tuple(map(int, box))).getextrema()[0] > 128:
            empty.append(word.text)
    assert len(found) >= 48
    assert empty == []


@pytest.mark.corpus
def test_doubled_text_counts_once_and_form_values_are_drawn(corpus_file: Callable[[str], Path]) -> None:
    bold = [word.text for word in words(corpus_file("corpora/hazards/fake_bold_duplicate_chars.pdf"), 1)]
    assert len([text for text in bold if text == "00"]) == 1
    form = corpus_file("corpora/hazards/form_fields_acroform.pdf")
    drawn = image(render(form, 1, 50))
    assert sum(drawn.histogram()[:128]) / (drawn.width * drawn.height) > 0.001


@pytest.mark.corpus
def test_right_to_left_words_are_in_logical_order(corpus_file: Callable[[str], Path]) -> None:
    arabic = words(corpus_file("corpora/synthetic-multilang/syn_ar_0.pdf"), 1)
    assert "المجموع" in {word.text for word in arabic}
    line = [word for word in arabic if abs(word.y0 - arabic[0].y0) < 0.005]
    assert [word.x1 for word in line] == sorted((word.x1 for word in line), reverse=True)
