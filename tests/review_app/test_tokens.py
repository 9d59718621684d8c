from __future__ import annotations

import stat
from pathlib import Path

import pytest

from review_app.tokens import LIFETIME_S, ROUNDED_TO_S, Capability, TokenError, check, issue, secret_of

SECRET = b"s" * 32
ANN = Capability("ann", 7)


def test_a_token_gives_back_its_capability() -> None:
    assert check(SECRET, issue(SECRET, ANN), gold=7) == ANN


def test_a_token_is_good_for_one_table_only() -> None:
    with pytest.raises(TokenError, match="gold table 7, not 8"):
        check(SECRET, issue(SECRET, ANN), gold=8)


def test_a_token_of_another_secret_is_refused() -> None:
    with pytest.raises(TokenError, match="not issued"):
        check(SECRET, issue(b"other", ANN), gold=7)


@pytest.mark.parametrize("token", ["", ".", "a.b", "é", "[]", "W10.AA"])
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(TokenError):
        check(SECRET, token, gold=7)


def test_a_token_expires_and_its_text_is_steady_within_the_hour() -> None:
    token = issue(SECRET, ANN, at=7200.0)
    assert token == issue(SECRET, ANN, at=7200.0 + ROUNDED_TO_S - 1)
    assert check(SECRET, token, gold=7, at=7200.0 + LIFETIME_S) == ANN
    with pytest.raises(TokenError, match="expired"):
        check(SECRET, token, gold=7, at=7200.0 + LIFETIME_S + ROUNDED_TO_S)


def test_the_secret_of_a_home_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    assert secret_of(tmp_path) == secret_of(tmp_path)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
