"""Pages of a document: how many and how large, their images, and the words on them."""

from __future__ import annotations

import io
import json
import math
import os
import re
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store import page_layer
from store.home import Home
from store.page_text import Word, page_text

if TYPE_CHECKING:
    from PIL.Image import Image

# A page of 14,400 pt would be 40,000 pixels wide at 200 dpi.
LARGEST_SIDE = 4000
WEBP_QUALITY = 85
SHARPNESS = range(20, 601)
# Tiles are squares of this many pixels; each sharpness is twice the one before. An image has its own pixels at 72.
TILE = 1024
TILE_SHARPNESS = (72, 144, 288, 576)
# The largest picture that is opened: about 10,000 x 10,000 pixels.
LARGEST_PICTURE = 100_000_000

# PDFium is not safe for threads: everything that touches it holds this lock.
_PDFIUM = threading.RLock()
_IN_MAKING: dict[Path, threading.Lock] = {}
_WRONG_PASSWORD, _UNKNOWN_SECURITY = 4, 5
_HEADER_WITHIN = 8192
_PICTURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


class DocumentError(ValueError):
    """A document or page that cannot be shown: says what was found and what to do."""


class Locked(DocumentError):
    """A PDF that opens with a password only, and was opened with none or a wrong one."""


@dataclass(frozen=True)
class PageSize:
    """One page: its number from 1 on, and its size as displayed in points (pixels for an image)."""

    number: int
    width: float
    height: float


@dataclass(frozen=True)
class DocumentInfo:
    """What the bytes of a document tell: its media type and its pages."""

    media_type: str
    pages: tuple[PageSize, ...]

    @property
    def n_pages(self) -> int:
        """How many pages the document has."""
        return len(self.pages)


def media_type(raw: bytes) -> str:
    """``application/pdf``, ``image/png`` or ``image/jpeg`` by the first bytes; "" for anything else."""
    # Readers look for the header further on too: some producers write junk before it.
    if b"%PDF-" in raw[:_HEADER_WITHIN]:
        return "application/pdf"
    return next((kind for start, kind in _PICTURES.items() if raw.startswith(start)), "")


def open_document(raw: bytes) -> DocumentInfo:
    """The pages of a PDF, PNG or JPEG; an image is a document of one page.

    Raises DocumentError, in words for a person, for what is empty, encrypted, cut off or none of these.
    """
    if not raw:
        raise DocumentError("the file is empty (0 bytes)")
    kind = media_type(raw)
    if not kind:
        raise DocumentError(f"begins with {raw[:12]!r}, expected a PDF, PNG or JPEG file")
    if kind != "application/pdf":
        with _picture(io.BytesIO(raw)) as picture:
            return DocumentInfo(kind, (PageSize(1, float(picture.width), float(picture.height)),))
    with open_pdf(raw) as pdf:
        return DocumentInfo(kind, tuple(PageSize(n + 1, *_page_size(pdf, n)) for n in range(len(pdf))))


def render(file: Path, page: int, dpi: int) -> bytes:
    """The page as a WebP image, as ``drawn`` gives it; raises DocumentError where it cannot be drawn."""
    # Outside the lock: encoding takes five times as long as drawing, and other pages may be drawn meanwhile.
    return _webp(drawn(file, page, dpi))


def drawn(file: Path, page: int, dpi: int) -> Image:
    """The page as displayed: turned, cropped, with form fields drawn.

    No side of a PDF page is longer than LARGEST_SIDE pixels. An image keeps its own pixels.
    PDFium draws; poppler takes over for a page that PDFium refuses. Raises DocumentError where
    neither can, or the page is not there.
    """
    if not is_pdf(file):
        if page != 1:
            raise DocumentError(f"page {page} of an image, which has one page")
        with _picture(file) as picture:
            picture.load()
            return picture
    try:
        with open_pdf(file) as pdf:
            _expect_page(page, len(pdf))
            return _drawn(pdf[page - 1], dpi)
    except _refusal() as refused:
        return _drawn_by_poppler(file, page, dpi, str(refused))


def render_tile(file: Path, page: int, dpi: int, col: int, row: int) -> bytes:
    """One square of TILE pixels of the page at full sharpness as a WebP image; smaller at the right and lower edge.

    Tiles are counted from 0 at the page's left upper corner, as displayed. However large the page is, a tile is
    small, so that long pages and great zooms are sharp, too. Raises DocumentError where it cannot be drawn.
    """
    if not is_pdf(file):
        with _picture(file) as picture:
            if dpi != TILE_SHARPNESS[0]:
                raise DocumentError(f"{dpi} dpi of an image, which has its own pixels at {TILE_SHARPNESS[0]}")
            return _webp(picture.crop(_tile_sides(picture.width, picture.height, col, row)))
    with open_pdf(file) as pdf:
        _expect_page(page, len(pdf))
        try:
            drawn = _drawn_tile(pdf[page - 1], dpi / 72, col, row)
        except _refusal() as refused:
            raise DocumentError(f"page {page} cannot be drawn in tiles: PDFium says {str(refused)!r}") from None
    return _webp(drawn)


def words(file: Path, page: int) -> tuple[Word, ...]:
    """The words of a page's text layer in reading order, right-to-left words in logical order.

    Empty for an image and for a page that PDFium cannot read; words off the page are left out.
    Raises DocumentError where the page is not there.
    """
    if not is_pdf(file):
        return ()
    with open_pdf(file) as pdf:
        _expect_page(page, len(pdf))
        try:
            return page_text(pdf[page - 1])
        except _refusal():
            return ()


def printed(file: Path, page: int, groups: Sequence[Sequence[Word]]) -> list[bool]:
    """For each group of words of a page of a PDF, whether all of them are printed there for a person to see.

    Raises DocumentError where the page is not there; where PDFium cannot draw it, none of them is.
    """
    with open_pdf(file) as pdf:
        _expect_page(page, len(pdf))
        try:
            return page_layer.seen(pdf[page - 1], groups)
        except _refusal():
            return [False] * len(groups)


def page_image(home: Home, sha256: str, page: int, dpi: int) -> bytes:
    """The WebP image of a page of a stored document, kept in the cache after the first time.

    Raises DocumentError where it cannot be drawn, or ``dpi`` is not one of SHARPNESS.
    """
    if dpi not in SHARPNESS:
        raise DocumentError(f"{dpi} dpi, expected {SHARPNESS[0]} to {SHARPNESS[-1]}")
    file = home.readable_file(sha256)
    return _kept(home.cache / sha256 / f"{page}@{dpi}.webp", lambda: render(file, page, dpi))


def page_tile(home: Home, sha256: str, page: int, dpi: int, col: int, row: int) -> bytes:
    """One tile of a page of a stored document, kept in the cache after the first time.

    Raises DocumentError where it cannot be drawn, or ``dpi`` is not one of TILE_SHARPNESS.
    """
    if dpi not in TILE_SHARPNESS:
        raise DocumentError(f"{dpi} dpi, expected one of {', '.join(map(str, TILE_SHARPNESS))}")
    file = home.readable_file(sha256)
    target = home.cache / sha256 / f"{page}@{dpi}-{col}-{row}.webp"
    return _kept(target, lambda: render_tile(file, page, dpi, col, row))


def page_words(home: Home, sha256: str, page: int) -> bytes:
    """The words of a page of a stored document as JSON, kept in the cache after the first time.

    ``{"words": [[text, x0, y0, x1, y1], ...]}`` in reading order, as the review component reads it.
    """
    file = home.readable_file(sha256)

    def found() -> bytes:
        entries = [
            [word.text, *(round(side, 5) for side in (word.x0, word.y0, word.x1, word.y1))]
            for word in words(file, page)
        ]
        return json.dumps({"words": entries}, ensure_ascii=False, separators=(",", ":")).encode()

    return _kept(home.cache / sha256 / f"{page}.words.json", found)


@contextmanager
def open_pdf(source: Path | bytes, password: str | None = None) -> Iterator[Any]:
    """An open PDF with its forms ready to draw; holds the lock of PDFium until it is closed.

    Raises Locked where it needs another password, and DocumentError, in words for a person, where it cannot be opened.
    """
    import pypdfium2

    with _PDFIUM:
        try:
            pdf = pypdfium2.PdfDocument(source, password=password)
        except pypdfium2.PdfiumError as wrong:
            raw = source.read_bytes() if isinstance(source, Path) else source
            # PDFium may give the code of an earlier file where it has none for this one.
            code = getattr(wrong, "err_code", None) if b"/Encrypt" in raw else None
            if code == _WRONG_PASSWORD:
                raise Locked("is encrypted and needs a password") from None
            if code == _UNKNOWN_SECURITY:
                raise DocumentError(
                    "is encrypted in a way that is not a password (a certificate, or rights management); "
                    "open it in its own program and save a copy without"
                ) from None
            start = raw.find(b"%PDF-")
            if start <= 0:
                raise DocumentError(_why_broken(raw)) from None
            try:  # PDFium counts offsets from the first byte; without the junk before the header they are right
                pdf = pypdfium2.PdfDocument(raw[start:], password=password)
            except pypdfium2.PdfiumError:
                raise DocumentError(_why_broken(raw)) from None
        try:
            pdf.init_forms()
            if len(pdf) == 0:
                raise DocumentError("is a PDF without pages")
            yield pdf
        finally:
            pdf.close()


def _why_broken(raw: bytes) -> str:
    if b"%%EOF" not in raw[-2048:]:
        return "is a PDF that is cut off (its end is missing); get the file again"
    if re.search(rb"/Count\s+0\b", raw):
        return "is a PDF without pages"
    return "is a damaged PDF that cannot be opened; open it in a PDF program and save a copy"


def _refusal() -> type[Exception]:
    """What PDFium raises for a page that it cannot load or draw."""
    from pypdfium2 import PdfiumError

    error: type[Exception] = PdfiumError
    return error


def _page_size(pdf: Any, index: int) -> tuple[float, float]:
    try:
        width, height = pdf.get_page_size(index)
    except _refusal() as wrong:
        raise DocumentError(f"page {index + 1} cannot be read: {wrong}") from None
    return float(width), float(height)


def _expect_page(page: int, n_pages: int) -> None:
    if not 1 <= page <= n_pages:
        raise DocumentError(f"page {page} of a document of {n_pages} pages")


def _drawn(page: Any, dpi: int) -> Image:
    longest = max(page.get_size())
    scale = min(dpi / 72, LARGEST_SIDE / longest)
    drawn: Image = page.render(scale=scale, may_draw_forms=True).to_pil()
    return drawn


def _drawn_tile(page: Any, scale: float, col: int, row: int) -> Image:
    width, height = (math.ceil(side * scale) for side in page.get_size())
    left, top, right, bottom = _tile_sides(width, height, col, row)
    # PDFium takes what to cut off in points and rounds up; a hundredth of a pixel less hits the pixel that is meant.
    cut = [max(0.0, (pixels - 0.01) / scale) for pixels in (left, height - bottom, width - right, top)]
    drawn: Image = page.render(scale=scale, crop=tuple(cut), may_draw_forms=True).to_pil()
    return drawn


def _tile_sides(wide: int, high: int, col: int, row: int) -> tuple[int, int, int, int]:
    if not (0 <= col * TILE < wide and 0 <= row * TILE < high):
        raise DocumentError(f"tile {col}, {row} of a page of {math.ceil(wide / TILE)} x {math.ceil(high / TILE)} tiles")
    return col * TILE, row * TILE, min(wide, (col + 1) * TILE), min(high, (row + 1) * TILE)


def _drawn_by_poppler(file: Path, page: int, dpi: int, refused: str) -> Image:
    from pdf2image import convert_from_path, pdfinfo_from_path
    from pdf2image.exceptions import PDFInfoNotInstalledError, PDFPageCountError, PDFPopplerTimeoutError, PDFSyntaxError

    found = f"page {page} cannot be drawn: PDFium says {refused!r}"
    try:
        size = pdfinfo_from_path(str(file), first_page=page, last_page=page)[f"Page {page:4d} size"]
        sides = [float(part) for part in str(size).split() if part.replace(".", "", 1).isdigit()]
        within = min(dpi, int(LARGEST_SIDE * 72 / max(sides)))
        images = convert_from_path(
            str(file), dpi=within, first_page=page, last_page=page, use_cropbox=True, strict=False, timeout=60
        )
    except PDFInfoNotInstalledError:
        raise DocumentError(f"{found}; poppler, which would take over, is not installed") from None
    except (PDFPageCountError, PDFSyntaxError, PDFPopplerTimeoutError, KeyError, ValueError) as wrong:
        raise DocumentError(f"{found}, and poppler says {str(wrong).strip()[:200]!r}") from None
    if not images:
        raise DocumentError(f"{found}, and poppler drew nothing")
    return images[0]


@contextmanager
def _picture(source: Path | io.BytesIO) -> Iterator[Image]:
    """A PNG or JPEG as displayed: turned as its EXIF mark says, on white, no side over LARGEST_SIDE."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    with _PDFIUM, warnings.catch_warnings():  # catch_warnings is for one thread at a time
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            with Image.open(source, formats=("PNG", "JPEG")) as opened:
                if opened.width * opened.height > LARGEST_PICTURE:
                    raise DocumentError(
                        f"is an image of {opened.width} x {opened.height} pixels, expected at most "
                        f"{LARGEST_PICTURE:,} in all; save a smaller copy"
                    )
                upright = ImageOps.exif_transpose(opened)
                if upright.mode not in ("RGB", "L"):
                    rgba = upright.convert("RGBA")
                    upright = Image.new("RGB", rgba.size, "white")
                    upright.paste(rgba, mask=rgba)
                yield upright
        except Image.DecompressionBombError:
            raise DocumentError("is an image with more pixels than can be opened; save a smaller copy") from None
        except DocumentError:
            raise
        except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
            raise DocumentError("is a damaged or cut off image; get the file again") from None


def is_pdf(file: Path) -> bool:
    """Whether a file is a PDF, and not an image; raises DocumentError for anything else."""
    return _kind_of(file) == "application/pdf"


def _kind_of(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            kind = media_type(opened.read(_HEADER_WITHIN))
    except OSError as wrong:
        raise DocumentError(f"{file}: cannot be read ({wrong.strerror})") from None
    if not kind:
        raise DocumentError(f"{file}: is neither a PDF nor a PNG or JPEG image")
    return kind


def _webp(image: Image) -> bytes:
    image.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
    held = io.BytesIO()
    image.convert("RGB").save(held, "WEBP", quality=WEBP_QUALITY, method=2)
    return held.getvalue()


def _kept(target: Path, make: Callable[[], bytes]) -> bytes:
    """What a cache file holds; made once for all who ask at the same time, and written whole or not at all."""
    with suppress(FileNotFoundError):
        return target.read_bytes()
    with _IN_MAKING.setdefault(target, threading.Lock()):
        with suppress(FileNotFoundError):
            return target.read_bytes()
        content = make()
        with suppress(OSError):  # a full or read-only disk makes it slow, not wrong
            write_whole(target, content)
        return content


def write_whole(target: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(part).replace(target)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
