from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _two_runs_are_scored() -> None:
    from review_app.scoring_progress import scoring

    with scoring() as told:
        for of in (200, 300):
            told(0, of)
            told(100, of)


def test_a_screen_that_scores_two_runs_offers_one_way_to_stop() -> None:
    screen = AppTest.from_function(_two_runs_are_scored).run()
    assert not screen.exception
