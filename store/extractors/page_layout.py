"""The words of a page as lines of text, with the gaps between columns kept."""

from __future__ import annotations

from collections.abc import Iterable

from store.page_text import Word

# Characters across a page: small print on A4 has about as many.
_ACROSS = 150
# Words that are nearer to each other than so many letters belong together.
_WORD_SPACE = 1.6


def text_lines(words: Iterable[Word]) -> list[list[Word]]:
    """The words of a page by lines; words of one line overlap in height and come one after the other."""
    lines: list[list[Word]] = []
    for word in words:
        if lines and word.y0 < lines[-1][-1].y1 and lines[-1][-1].y0 < word.y1:
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def laid_out(words: Iterable[Word]) -> str:
    """The text of a page, each group of words as far right as on the page, so that columns can be seen."""
    shown = []
    for line in text_lines(words):
        text, last = "", None
        for word in sorted(line, key=lambda word: word.x0):
            if last is not None and word.x0 - last.x1 < _WORD_SPACE * _letter(last):
                text += f" {word.text}"
            else:
                text = (f"{text}  " if text else "").ljust(int(word.x0 * _ACROSS)) + word.text
            last = word
        shown.append(text)
    return "\n".join(shown)


def _letter(word: Word) -> float:
    """The width of a letter of a word, as a share of the page's."""
    return (word.x1 - word.x0) / max(len(word.text), 1)
