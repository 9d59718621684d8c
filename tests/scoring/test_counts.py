from __future__ import annotations

import pytest

from scoring import Counts, row_accuracy


def test_twenty_expected_eighteen_predicted_sixteen_matched() -> None:
    counts = Counts(matched=16, predicted=18, expected=20)
    assert counts.precision == pytest.approx(0.8889, abs=5e-5)
    assert counts.recall == pytest.approx(0.80)
    assert counts.f1 == pytest.approx(0.8421, abs=5e-5)
    assert (counts.false_positives, counts.false_negatives) == (2, 4)


def test_counts_add_up_and_ratios_follow_from_the_sum() -> None:
    documents = [(9, 1, 1), (18, 2, 0), (5, 5, 5), (30, 0, 3), (0, 2, 4)]
    total = sum((Counts(tp, tp + fp, tp + fn) for tp, fp, fn in documents), Counts())
    assert total == Counts(62, 72, 75)
    assert total.precision == pytest.approx(0.861111, abs=1e-6)
    assert total.recall == pytest.approx(0.826667, abs=1e-6)
    assert total.f1 == pytest.approx(0.843537, abs=1e-6)


def test_nothing_predicted_and_nothing_expected_is_undefined() -> None:
    assert (Counts().precision, Counts().recall, Counts().f1) == (None, None, None)


def test_nothing_predicted_has_no_precision_and_a_recall_of_zero() -> None:
    counts = Counts(0, 0, 5)
    assert (counts.precision, counts.recall, counts.f1) == (None, 0.0, 0.0)


def test_nothing_expected_has_no_recall_and_a_precision_of_zero() -> None:
    counts = Counts(0, 5, 0)
    assert (counts.precision, counts.recall, counts.f1) == (0.0, None, 0.0)


@pytest.mark.parametrize(
    ("gold", "pred", "accuracy"), [(10, 10, 1.0), (10, 8, 0.8), (8, 10, 0.8), (3, 0, 0.0), (0, 3, 0.0), (0, 0, None)]
)
def test_row_accuracy_compares_the_numbers_of_rows_alone(gold: int, pred: int, accuracy: float | None) -> None:
    assert row_accuracy(gold, pred) == (None if accuracy is None else pytest.approx(accuracy))


def test_counts_are_written_with_their_ratios() -> None:
    assert Counts(1, 2, 0).to_json() == {
        "matched": 1,
        "predicted": 2,
        "expected": 0,
        "precision": 0.5,
        "recall": None,
        "f1": 1.0,
    }
