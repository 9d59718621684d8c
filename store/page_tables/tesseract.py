"""Words from a picture by tesseract, a program of its own: its languages, how a page is turned, what it reads."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from PIL import Image

PROGRAM = "tesseract"
# More threads than one only wait for each other, and take twice the processor time.
_ONE_THREAD = {"OMP_THREAD_LIMIT": "1"}
# Packs that are no language.
_NOT_READ = ("osd", "equ", "snum")
# So many languages are read at once by default: each one more takes a third of the time again.
_MOST_LANGUAGES = 3
# The packs of each script that is told by orientation and script detection; the first ones are asked first.
_OF_SCRIPT = {
    "Latin": "eng deu fra spa ita por nld pol tur ces swe dan nor fin hun ron cat hrv slk slv est lav lit vie ind",
    "Cyrillic": "rus ukr bul srp bel mkd kaz",
    "Greek": "ell",
    "Arabic": "ara fas urd",
    "Hebrew": "heb yid",
    "Han": "chi_sim chi_tra jpn",
    "Japanese": "jpn",
    "Hangul": "kor",
    "Korean": "kor",
    "Thai": "tha",
    "Devanagari": "hin mar nep",
}
# A quarter turn is believed from this confidence on, as tesseract counts it; a page has 2 or more.
_SURE_OF_TURN = 2.0
_ANSWER = re.compile(r"^(Rotate|Orientation confidence|Script): (.+)$", re.MULTILINE)


class OcrError(Exception):
    """Tesseract broke down or took too long: says so in words."""


@dataclass(frozen=True)
class Seen:
    """A word on a picture: its sides in pixels, and how sure the reader is of it, 0..1."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float


@cache
def version() -> str:
    """The version of the program; "" where it is not installed."""
    if not shutil.which(PROGRAM):
        return ""
    try:
        told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout.split("\n", 1)[0].removeprefix(PROGRAM).strip() if told.returncode == 0 else ""


@cache
def installed_languages() -> tuple[str, ...]:
    """The language packs that are there, in order; "osd" is that which tells how a page is turned."""
    if not version():
        return ()
    told = subprocess.run([PROGRAM, "--list-langs"], capture_output=True, text=True, timeout=20, check=False)
    return tuple(sorted(line.strip() for line in told.stdout.splitlines()[1:] if line.strip()))


def missing(languages: Sequence[str] = ()) -> str:
    """Why these languages, or any at all, cannot be read, and which package to install; "" where they can."""
    if not version():
        return (
            "the program tesseract is not installed "
            "(Debian and Ubuntu: apt-get install tesseract-ocr; macOS: brew install tesseract)"
        )
    packs = [pack for pack in installed_languages() if pack not in _NOT_READ]
    lacking = [language for language in languages if language not in packs]
    if lacking or not packs:
        wanted = " ".join(f"tesseract-ocr-{pack.replace('_', '-')}" for pack in lacking or ["eng"])
        return (
            f"tesseract has no language pack {', '.join(lacking) or 'eng'}, only {', '.join(packs) or 'none'} "
            f"(Debian and Ubuntu: apt-get install {wanted}; macOS: brew install tesseract-lang)"
        )
    return ""


def fitting_languages(script: str) -> tuple[str, tuple[str, ...]]:
    """The script and the packs that are there for it, at most three; Latin, or any, where it has none.

    What was told of a script may be mistaken, so that a page is read in any case.
    """
    packs = [pack for pack in installed_languages() if pack not in _NOT_READ]
    for told in (script, "Latin"):
        fitting = [pack for pack in _OF_SCRIPT.get(told, "").split() if pack in packs]
        if fitting:
            return told, tuple(fitting[:_MOST_LANGUAGES])
    return script, tuple(packs[:_MOST_LANGUAGES])


def turn_and_script(picture: Any, dpi: float, seconds: float) -> tuple[int, str]:
    """By how many quarters clockwise the letters of a picture stand, and their script; 0 and "" where not told."""
    if "osd" not in installed_languages():
        return 0, ""
    try:
        told = dict(_ANSWER.findall(_run(picture, dpi, seconds, ["--psm", "0", "-l", "osd"])))
    except OcrError:  # "Too few characters": nothing that can be told
        return 0, ""
    sure = float(told.get("Orientation confidence", 0)) >= _SURE_OF_TURN
    # What it tells is how to turn the picture clockwise so that letters stand upright.
    turn = -int(told.get("Rotate", 0)) // 90 % 4 if sure else 0
    return turn, told.get("Script", "")


def seen_words(picture: Any, dpi: float, seconds: float, languages: Sequence[str], mode: int = 3) -> list[Seen]:
    """The words on a picture in the order in which tesseract reads them; ``mode`` is its way to look at a page.

    Raises OcrError.
    """
    table = _run(picture, dpi, seconds, ["--psm", str(mode), "-l", "+".join(languages), "tsv"])
    found = []
    for line in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (line["text"] or "").strip()
        if text and float(line["conf"]) >= 0:
            left, top, width, height = (float(line[key]) for key in ("left", "top", "width", "height"))
            found.append(Seen(text, left, top, left + width, top + height, float(line["conf"]) / 100))
    return found


def _run(picture: Any, dpi: float, seconds: float, options: Sequence[str]) -> str:
    held = io.BytesIO()
    Image.fromarray(picture).convert("L").save(held, "BMP")
    command = [PROGRAM, "-", "-", "--dpi", str(round(dpi)), *options]
    try:
        done = subprocess.run(
            command, input=held.getvalue(), capture_output=True, timeout=seconds, env={**os.environ, **_ONE_THREAD}
        )
    except subprocess.TimeoutExpired:
        raise OcrError(f"tesseract took longer than {seconds:g} s") from None
    except OSError as wrong:
        raise OcrError(f"tesseract could not be started ({wrong.strerror})") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise OcrError(f"tesseract ended with status {done.returncode}: {said[-1] if said else 'no message'}")
    return done.stdout.decode(errors="replace")
