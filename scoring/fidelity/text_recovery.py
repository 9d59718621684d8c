"""How far a reader gets the text of one cell out of another: figures equal or not, words as long as they read alike."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import Levenshtein

from scoring.text_pairs import Matrix, all_pairs

# "1 000" for "1,000", "5" for "5.0", "$5" for "5", "(250)" for "-250": the same number.
SAME_NUMBER = 0.99
# Another case, another mark of significance: the reader loses next to nothing.
SAME_KEY = 0.97
# "1.2 (0.3)" for "1.2 ± 0.3", "45" for "45 %": the figures are there, their relation is not said.
SAME_FIGURES = 0.9
# "Fl" for "F1", "0nto" for "Onto": a reader sees through it.
LOOKS_THE_SAME = 0.9
# "1.2" for "1.2 ± 0.3", "1.2 × 102" for "1.2 × 10^2".
MAIN_FIGURE = 0.5
# Below this similarity two words are different words; above the other the text is plain in spite of the slip.
_ANOTHER_WORD, _PLAIN = 0.6, 0.9
# A sentence with one figure wrong still tells the rest; a short label with another figure is another label.
_SENTENCE, _WRONG_FIGURE_IN_SENTENCE = 30, 0.5
# "ResNet-101" for "ResNet-50", "2019" for "2018": another row or column.
_ANOTHER_NUMBER = 0.3

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_FIGURE = re.compile(r"(?:(?<![^\W_])(?<![.)\]])-)?(?:\d+(?:[.,]\d+)*|[.,]\d+)")
_BEGINS_AS_FIGURE = re.compile(r"[\W_]*\d")
_MARKS = re.compile(r"[\s*†‡§¶_]+|(?<!\d)\^|\^(?!\d)")
_LOOKALIKES = str.maketrans("il|!o", "11110")
# "F_1" and "F1" are one word.
_INDEX = re.compile(r"(?<=[^\W\d_])[_^](?=\w)")
_SIGNIFICANCE = re.compile(r"[*†‡§¶]+")
_TOKEN = re.compile(r"(?<![\w.])-?[.,]?\d+(?:[.,]\d+)*|[^\W_]+|[^\w\s]")
_OUTER = re.compile(r"\(([^()]*)\)")
# A number and nothing else but a currency sign, thousands in groups of three by one separator.
_CURRENCY = r"[$€£¥₹]?"
_NUMBER = re.compile(
    rf"(?P<sign>-?)(?P<before>{_CURRENCY}) ?(?P<inner>-?)"
    rf"(?P<whole>0|[1-9]\d{{0,2}}(?:(?P<by>[,' ])\d{{3}})(?:(?P=by)\d{{3}})*|[1-9]\d*)(?:\.(?P<part>\d+))?"
    rf" ?(?P<after>{_CURRENCY})"
)


@dataclass(frozen=True, slots=True)
class Text:
    """A text in canonical notation and what comparing it takes.

    ``key`` has no case, spaces and marks, ``looks`` has one sign for those that look alike; ``figures`` are its
    numbers as plain decimals; ``is_figure`` says that it is a number with what belongs to it (sign, unit,
    uncertainty) and no words; ``tokens`` are numbers, words, signs. ``number`` is the plain decimal of a text that is
    one number, "" of any other; ``currency`` its sign; ``in_brackets`` says that the whole of it is in parentheses.
    """

    key: str
    looks: str
    figures: tuple[str, ...]
    is_figure: bool
    tokens: tuple[str, ...]
    number: str
    currency: str
    in_brackets: bool


@lru_cache(maxsize=20_000)
def taken_apart(text: str) -> Text:
    """The parts of a text that is in canonical notation already."""
    plain = _THOUSANDS.sub("", text)
    key = _MARKS.sub("", _FIGURE.sub(lambda found: _decimal(found[0]), plain)).casefold()
    outer = _OUTER.fullmatch(key)
    letters = sum(character.isalpha() for character in key)
    figures = tuple(_decimal(found) for found in _FIGURE.findall(plain))
    digits = sum(character.isdigit() for character in key)
    key = outer[1] if outer else key
    bracketed = _OUTER.fullmatch(text)
    number, currency = _number(bracketed[1] if bracketed else text)
    return Text(
        key=key,
        looks=key.translate(_LOOKALIKES),
        figures=figures,
        is_figure=bool(figures) and letters <= digits and _BEGINS_AS_FIGURE.match(plain) is not None,
        tokens=tuple(_TOKEN.findall(_SIGNIFICANCE.sub(" ", _INDEX.sub("", plain.casefold())))),
        number=number,
        currency=currency,
        in_brackets=bracketed is not None,
    )


def _number(text: str) -> tuple[str, str]:
    """The plain decimal of a text that is one number, and its currency sign; twice "" for any other text."""
    found = _NUMBER.fullmatch(text)
    if found is None or (found["sign"] and found["inner"]) or (found["before"] and found["after"]):
        return "", ""
    digits = re.sub(r"\D", "", found["whole"])
    part = (found["part"] or "").rstrip("0")
    return f"{found['sign'] or found['inner']}{digits}{'.' if part else ''}{part}", found["before"] or found["after"]


def _decimal(figure: str) -> str:
    sign, digits = ("-", figure[1:]) if figure[0] == "-" else ("", figure)
    digits = digits.replace(",", ".")
    if digits.count(".") != 1:
        return sign + digits
    whole, part = digits.split(".")
    return f"{sign}{whole.lstrip('0') or '0'}.{part.rstrip('0')}".rstrip(".")


def likeness(gold: str, pred: str) -> float:
    """How far the reader of ``pred`` has what ``gold`` says, 0..1; both in canonical notation."""
    if gold == pred:
        return 1.0
    first, second = taken_apart(gold), taken_apart(pred)
    if _same_number(first, second):
        return SAME_NUMBER
    if first.key == second.key:
        return SAME_KEY
    if first.looks == second.looks:
        return LOOKS_THE_SAME
    if first.is_figure or second.is_figure:
        return _figures_kept(first, second) if first.is_figure and second.is_figure else 0.0
    alike = Levenshtein.normalized_similarity(first.key, second.key)
    alike = min(max((alike - _ANOTHER_WORD) / (_PLAIN - _ANOTHER_WORD), 0.0), 1.0) * SAME_KEY
    if first.figures != second.figures:
        alike *= _WRONG_FIGURE_IN_SENTENCE if len(first.key) >= _SENTENCE else 0.0
    return alike


def likenesses(gold: Sequence[str], pred: Sequence[str]) -> Matrix:
    """``likeness`` of each text with each, len(gold) x len(pred). Raises TooLargeError.

    A figure with one digit wrong is a wrong value, so figures count 0 unless their numbers are equal. Words count by
    their normalised Levenshtein similarity, stretched so that up to .6 is 0 and from .9 on is 1.
    """
    of_gold, of_pred = [taken_apart(text) for text in gold], [taken_apart(text) for text in pred]
    values = np.zeros((len(gold), len(pred)))
    words_gold = [index for index, text in enumerate(of_gold) if not text.is_figure]
    words_pred = [index for index, text in enumerate(of_pred) if not text.is_figure]
    if words_gold and words_pred:
        values[np.ix_(words_gold, words_pred)] = _words(
            [of_gold[index] for index in words_gold], [of_pred[index] for index in words_pred]
        )
    by_main, by_looks, by_key, by_size, by_text = (defaultdict[str, list[int]](list) for _ in range(5))
    for column, text in enumerate(of_pred):
        if text.is_figure:
            by_main[text.figures[0]].append(column)
        by_looks[text.looks].append(column)
        by_key[text.key].append(column)
        if text.number:
            by_size[text.number.lstrip("-")].append(column)
        by_text[pred[column]].append(column)
    for row, text in enumerate(of_gold):
        if text.is_figure:
            for column in by_main[text.figures[0]]:
                values[row, column] = _figures_kept(text, of_pred[column])
        values[row, by_looks[text.looks]] = LOOKS_THE_SAME
        values[row, by_key[text.key]] = SAME_KEY
        if text.number:
            for column in by_size[text.number.lstrip("-")]:
                if _same_number(text, of_pred[column]):
                    values[row, column] = SAME_NUMBER
        values[row, by_text[gold[row]]] = 1.0
    return values


def _same_number(gold: Text, pred: Text) -> bool:
    """Whether both are one number, written otherwise: parentheses for a minus, a currency sign more or less."""
    if not gold.number or not pred.number or (gold.currency != pred.currency and gold.currency and pred.currency):
        return False
    if gold.in_brackets == pred.in_brackets:
        return gold.number == pred.number
    bracketed, plain = (gold, pred) if gold.in_brackets else (pred, gold)
    return plain.number == f"-{bracketed.number}"


def _figures_kept(gold: Text, pred: Text) -> float:
    first, second = gold.figures, pred.figures
    unit_gold, unit_pred = ("".join(filter(str.isalpha, text.key)) for text in (gold, pred))
    if unit_gold != unit_pred and unit_gold and unit_pred:
        return 0.0
    if first == second:
        return SAME_FIGURES
    run_together = first[0] == second[0] and "".join(first) == "".join(second)
    return MAIN_FIGURE if run_together or first[: len(second)] == second else 0.0


def _words(gold: Sequence[Text], pred: Sequence[Text]) -> Matrix:
    alike = all_pairs([text.key for text in gold], [text.key for text in pred], Levenshtein.normalized_similarity)
    alike -= _ANOTHER_WORD
    alike /= _PLAIN - _ANOTHER_WORD
    np.clip(alike, 0.0, 1.0, out=alike)
    alike *= SAME_KEY
    numbers: dict[tuple[str, ...], int] = {}
    of_gold, of_pred = (
        np.array([numbers.setdefault(text.figures, len(numbers)) for text in side]) for side in (gold, pred)
    )
    if len(numbers) > 1:
        long = np.array([len(text.key) >= _SENTENCE for text in gold])
        kept = np.where(long, _WRONG_FIGURE_IN_SENTENCE, 0.0)[:, None]
        alike *= np.where(of_gold[:, None] == of_pred[None, :], 1.0, kept)
    return alike


def shared_tokens(gold: Sequence[str], pred: Sequence[str]) -> Matrix:
    """Which share of the tokens of the longer of two texts is in both, 0..1, for each text with each."""
    from scipy.sparse import csr_array  # 0.2 s to load

    places: dict[str, int] = {}
    sides = []
    for texts in (gold, pred):
        rows, columns, counts = [], [], []
        for row, text in enumerate(texts):
            for token in set(taken_apart(text).tokens):
                rows.append(row)
                columns.append(places.setdefault(token, len(places)))
                counts.append(1.0)
        sides.append((rows, columns, counts, len(texts)))
    first, second = (
        csr_array((counts, (rows, columns)), shape=(size, max(len(places), 1))) for rows, columns, counts, size in sides
    )
    common = (first @ second.T).tocoo()
    common.data /= np.maximum(first.sum(axis=1)[common.row], second.sum(axis=1)[common.col])
    shares: Matrix = common.toarray()
    return shares


def path_likeness(gold: Sequence[str], pred: Sequence[str]) -> float:
    """How far a header path tells what gold's tells, 0..1: as one text, or by the words that both have.

    Other spaces, dashes and brackets cost little. The words are weighted by their length and F1 is stretched from .4
    on, so that "Acc" for "Model A, Acc" still tells a part, and a header with one word of many in common next to
    nothing.
    """
    whole_gold, whole_pred = " ".join(gold), " ".join(pred)
    if not whole_gold or taken_apart(whole_gold).key == taken_apart(whole_pred).key:
        return 1.0
    if not whole_pred:
        return 0.0
    signs = [_letters_and_digits(whole) for whole in (whole_gold, whole_pred)]
    if signs[0] == signs[1] and any(map(str.isalpha, signs[0])):
        return LOOKS_THE_SAME
    first, second = (Counter(taken_apart(text).tokens) for text in (whole_gold, whole_pred))
    common, all_gold, all_pred = (_weight(tokens) for tokens in (first & second, first, second))
    f1 = 2 * common / (all_gold + all_pred)
    by_words = min(1.0, max(0.0, (f1 - 0.4) / 0.58))
    if set(taken_apart(whole_gold).figures) - set(taken_apart(whole_pred).figures):
        by_words *= _ANOTHER_NUMBER
    return max(likeness(whole_gold, whole_pred), by_words)


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, taken_apart(text).key))


def _weight(tokens: Counter[str]) -> float:
    return sum(count * (len(token) if token[-1].isalnum() else 0.25) for token, count in tokens.items())


def found_in_order(gold: Sequence[str], pred: str) -> list[bool]:
    """Which of some texts stand in ``pred`` one after the other, as whole runs of tokens."""
    tokens, at, found = taken_apart(pred).tokens, 0, []
    for text in gold:
        wanted = taken_apart(text).tokens
        start = next(
            (k for k in range(at, len(tokens) - len(wanted) + 1) if tokens[k : k + len(wanted)] == wanted), None
        )
        found.append(start is not None and bool(wanted))
        if start is not None:
            at = start + len(wanted)
    return found
