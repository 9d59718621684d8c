"""How far a reader gets one text out of another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.fidelity.text_recovery import found_in_order, likeness, likenesses, path_likeness


@pytest.mark.parametrize(
    ("gold", "pred", "least", "most"),
    [
        ("94.6±0.3", "94.6±0.3", 1.0, 1.0),
        ("94.6", "94.6*", 0.95, 0.99),
        ("0.1667", ".1667", 0.95, 0.99),
        ("72.50", "72.5", 0.95, 0.99),
        ("1,234", "1234", 0.95, 0.99),
        ("Accuracy", "accuracy", 0.95, 0.99),
        ("Run time", "Runtime", 0.95, 0.99),
        ("1.2±0.3", "1.2(0.3)", 0.85, 0.95),
        ("45%", "45", 0.85, 0.95),
        ("Onto", "0nto", 0.85, 0.95),
        ("Accuracy", "Accurcy", 0.8, 0.95),
        ("1.2±0.3", "1.2", 0.4, 0.6),
        ("1.2×10^2", "1.2×102", 0.4, 0.6),
        # A wrong value, another word, another name: nothing.
        ("1.2", "1.3", 0.0, 0.0),
        ("-3", "3", 0.0, 0.0),
        ("1.2", "12", 0.0, 0.0),
        ("1.2±0.3", "1.2±0.4", 0.0, 0.0),
        ("12 ms", "12 s", 0.0, 0.0),
        ("R@10", "P@10", 0.0, 0.7),
        ("R@10", "R@20", 0.0, 0.0),
        ("ResNet-50", "ResNet-101", 0.0, 0.0),
        ("Precision", "Recall", 0.0, 0.0),
    ],
)
def test_likeness_is_what_a_reader_still_knows(gold: str, pred: str, least: float, most: float) -> None:
    assert least <= likeness(gold, pred) <= most


texts = st.text(alphabet="ab01lO.±% -^*", max_size=9)


@given(gold=st.lists(texts, max_size=6), pred=st.lists(texts, max_size=6))
def test_all_pairs_at_once_are_as_one_by_one(gold: list[str], pred: list[str]) -> None:
    expected = [likeness(one, other) for one in gold for other in pred]
    assert likenesses(gold, pred).ravel().tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gold", "pred", "least", "most"),
    [
        (("CIFAR-10", "Acc"), ("CIFAR-10 Acc",), 1.0, 1.0),
        (("Acc(%)",), ("Acc",), 0.8, 1.0),
        (("ISCED 0-2",), ("ISCED0 2-",), 0.85, 0.95),
        (("F_1(%)",), ("F1 (%)",), 1.0, 1.0),
        (("ImageNet", "Acc"), ("Acc",), 0.0, 0.6),
        (("Year", "2019"), ("Year", "2018"), 0.0, 0.3),
        (("Acc",), (), 0.0, 0.0),
        ((), ("Acc",), 1.0, 1.0),
        (("Training time",), ("Number of parameters",), 0.0, 0.0),
    ],
)
def test_a_path_is_told_by_its_words(gold: tuple[str, ...], pred: tuple[str, ...], least: float, most: float) -> None:
    assert least <= path_likeness(gold, pred) <= most


def test_values_are_found_as_whole_words_one_after_the_other() -> None:
    assert found_in_order(["94.6±0.3", "0.388"], "94.6±0.3 0.388") == [True, True]
    assert found_in_order(["0.388", "94.6±0.3"], "94.6±0.3 0.388") == [True, False]
    assert found_in_order(["94.6±0.3", "0.388"], "94.6±0.30.388") == [False, False]
