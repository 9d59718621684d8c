from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from review_app.cli import main
from scoring import SCORING_VERSION

COMMAND = Path(sys.executable).with_name("proofgrid")
BY = ("--by", "lang", "--by", "source")


def proofgrid(*words: object, status: int = 0) -> Result:
    """What the command printed, run in this process, so that what it loads is loaded once."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == status, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


def table(*rows: str) -> str:
    return "<table>" + "".join(f"<tr>{''.join(f'<td>{t}</td>' for t in row.split())}</tr>" for row in rows) + "</table>"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Forty pairs with slips of all kinds, one without a prediction, one too large, one line that is no JSON."""
    gold = table("item price", "bolt 1.20", "nut 0.40")
    entries: list[object] = []
    for number in range(40):
        pred: str | None = gold.replace("bolt", "bo1t" if number % 3 else "bolt" * number).replace("0", "8", number % 4)
        if number == 7:
            pred = None
        if number == 8:
            pred = "x" * 1_000_001
        entries.append({"id": number, "gold_html": gold, "pred_html": pred, "lang": ("en", "ko", "ar")[number % 3]})
    file = tmp_path / "pairs.jsonl"
    texts = [json.dumps(entry) for entry in entries]
    file.write_text("\n".join([*texts[:9], "", "{ no json", "   ", *texts[9:]]))
    return file


def parts(pairs: Path, of: int, *words: object) -> list[Path]:
    """The pairs scored in shards."""
    files = [pairs.with_name(f"part-{number}.jsonl") for number in range(1, of + 1)]
    for number, file in enumerate(files, start=1):
        proofgrid("score-pairs", pairs, "-o", file, "--shard", f"{number}/{of}", *words)
    return files


def at_once(pairs: Path, *words: object) -> tuple[bytes, bytes]:
    scores, summary = pairs.with_name("scores.jsonl"), pairs.with_name("summary.json")
    proofgrid("score-pairs", pairs, "-o", scores, "--summary", summary, *words)
    return scores.read_bytes(), summary.read_bytes()


def merged(files: list[Path], *words: object) -> tuple[bytes, bytes]:
    scores, summary = files[0].with_name("merged.jsonl"), files[0].with_name("merged.json")
    proofgrid("merge-scores", *files, "-o", scores, "--summary", summary, *words)
    return scores.read_bytes(), summary.read_bytes()


def test_one_process_a_pool_and_merged_shards_in_any_order_write_the_same_bytes(pairs: Path) -> None:
    serial = at_once(pairs, *BY)
    assert at_once(pairs, *BY, "--workers", 2) == serial
    files = parts(pairs, 3, *BY)
    assert merged(files) == merged(files[::-1]) == serial
    assert merged(parts(pairs, 1, *BY)) == serial


def test_more_shards_than_pairs_are_merged_too(pairs: Path) -> None:
    pairs.write_text(pairs.read_text().split("\n")[0])
    serial = at_once(pairs, "--metrics", "cer")
    assert merged(parts(pairs, 3, "--metrics", "cer")) == serial


@pytest.mark.corpus
def test_real_pairs_have_the_same_bytes_from_one_process_a_pool_and_merged_shards(tmp_path: Path) -> None:
    corpora = Path(os.environ.get("PROOFGRID_CORPORA", Path(__file__).parents[3] / "shared"))
    real = corpora / "pairs" / "pairs.jsonl"
    if not real.exists():
        pytest.skip(f"{corpora} has no pairs; PROOFGRID_CORPORA names the folder of the corpora")
    source = tmp_path / "pairs.jsonl"
    source.write_bytes(real.read_bytes())
    serial = at_once(source, *BY)
    assert at_once(source, *BY, "--workers", 2) == serial
    assert merged(parts(source, 4, *BY)) == serial
    assert {"en", "zh"} <= set(json.loads(serial[1])["by"]["lang"])


def test_a_shard_that_is_there_twice_is_refused_by_name(pairs: Path) -> None:
    files = parts(pairs, 2, "--metrics", "cer")
    copy = pairs.with_name("copy.jsonl")
    copy.write_bytes(files[0].read_bytes())
    told = proofgrid("merge-scores", *files, copy, "-o", pairs.with_name("out"), status=2).stderr
    assert "part-1.jsonl and " in told
    assert "copy.jsonl are both shard 1 of 2" in told
    assert not pairs.with_name("out").exists()


def test_a_missing_shard_is_refused_unless_it_may_be_missing(pairs: Path) -> None:
    files = parts(pairs, 3, "--metrics", "cer")
    told = proofgrid("merge-scores", files[0], files[2], "-o", pairs.with_name("out"), status=2).stderr
    assert "shard 2 is missing of 3" in told
    assert "part-1.jsonl" in told
    scores, summary = merged([files[0], files[2]], "--allow-missing")
    whole, _ = at_once(pairs, "--metrics", "cer")
    assert scores.splitlines() == [line for at, line in enumerate(whole.splitlines()) if at % 3 != 1]
    assert json.loads(summary)["missing_shards"] == [2]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--metrics", "cer,wer"), "the metrics are cer and cer, wer"),
        (("--metrics", "cer", "--by", "lang"), "the fields to group by are none and lang"),
    ],
)
def test_shards_of_other_metrics_or_groups_are_refused(pairs: Path, words: tuple[str, ...], reason: str) -> None:
    files = parts(pairs, 2, "--metrics", "cer")
    proofgrid("score-pairs", pairs, "-o", files[1], "--shard", "2/2", *words)
    told = proofgrid("merge-scores", *files, "-o", pairs.with_name("out"), status=2).stderr
    assert f"part-2.jsonl are not parts of one whole: {reason}" in told


def test_shards_of_another_file_number_or_version_are_refused(pairs: Path) -> None:
    one, two = parts(pairs, 2, "--metrics", "cer")
    whole = two.read_text()
    changes = {
        '"of": 2': '"of": 3',
        f'"version": "{SCORING_VERSION}"': '"version": "0"',
        '"sha256": "': '"sha256": "0',
    }
    reasons = ["numbers of shards are 2 and 3", "versions of the scores are", "files of pairs have the hashes"]
    for (old, new), reason in zip(changes.items(), reasons, strict=True):
        assert old in whole
        two.write_text(whole.replace(old, new))
        assert reason in proofgrid("merge-scores", one, two, "-o", pairs.with_name("out"), status=2).stderr


def test_a_shard_that_was_cut_off_or_edited_is_refused(pairs: Path) -> None:
    one, two = parts(pairs, 2, "--metrics", "cer")
    lines = two.read_text().splitlines(keepends=True)
    for damaged, reason in (
        (lines[:-1], "its last line does not say which shard it is"),
        ([], "its last line does not say which shard it is"),
        (lines[1:], "it has not the lines that its last line tells of"),
        (lines[:1] + lines, "it has not the lines that its last line tells of"),
        ([*lines[:-1], '{"shard": {"number": 5, "of": 2}}\n'], "its last line does not say which shard it is"),
        ([*lines[:-1], '{"shard": 5}\n'], "its last line does not say which shard it is"),
    ):
        two.write_text("".join(damaged))
        told = proofgrid("merge-scores", one, two, "-o", pairs.with_name("out"), status=2).stderr
        assert f"part-2.jsonl: {reason}" in told
    assert not pairs.with_name("out").exists()


@pytest.mark.parametrize("shard", ["3/2", "0/2", "1", "a/b", "1/2/3", "-1/2", "1/0"])
def test_what_is_no_shard_is_refused(pairs: Path, shard: str) -> None:
    told = proofgrid("score-pairs", pairs, "-o", pairs.with_name("out"), "--shard", shard, status=2).stderr
    assert "expected the number of a shard and how many there are" in " ".join(told.split())


def test_no_file_that_is_read_is_written_over(pairs: Path) -> None:
    (one,) = parts(pairs, 1, "--metrics", "cer")
    before = one.read_bytes()
    assert "is read by this command" in proofgrid("merge-scores", one, "-o", one, status=2).stderr
    out = pairs.with_name("out")
    assert "is read by" in proofgrid("merge-scores", one, "-o", out, "--summary", one, status=2).stderr
    assert "is the file of the scores" in proofgrid("merge-scores", one, "-o", out, "--summary", out, status=2).stderr
    assert one.read_bytes() == before


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_leaves_nothing_half_written(pairs: Path, workers: int) -> None:
    line = pairs.read_text().split("\n")[0] + "\n"
    pairs.write_text(line * 200_000)
    output = pairs.with_name("out.jsonl")
    output.write_text("before")
    words = ["score-pairs", str(pairs), "-o", str(output), "--workers", str(workers)]
    running = subprocess.Popen([str(COMMAND), *words], stderr=subprocess.PIPE, text=True)
    part = output.with_name("out.jsonl.part")
    until = time.monotonic() + 30
    while time.monotonic() < until and not (part.exists() and part.stat().st_size):
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=30)
    assert running.returncode == 1
    assert "Traceback" not in told
    assert output.read_text() == "before"
    assert not part.exists()
