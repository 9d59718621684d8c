"""The commands on files of pairs of tables as texts, which need no database."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from review_app.exits import EXIT_CHECK_FAILED, refuse, told
from review_app.wording import count

output_option = click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="File to write."
)
summary_option = click.option(
    "--summary",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write means and sums to, as JSON: of all pairs and of the groups named by --by.",
)
strict_option = click.option(
    "--strict", is_flag=True, help="Exit with status 1 where a pair cannot be scored or has no prediction."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON instead of lines.")


@click.command(name="score-pairs")
@click.argument("pairs", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--metrics", default="all", show_default=True, help="Names of metrics, with commas between.")
@click.option("--by", multiple=True, help="A field of the pairs to group the summary by, as lang; may be repeated.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of processes.")
@click.option("--shard", metavar="I/N", help="Score only this part, as 2/3; merge-scores puts the parts together.")
@strict_option
@output_option
@summary_option
@json_option
def score_pairs(
    pairs: Path,
    metrics: str,
    by: tuple[str, ...],
    workers: int,
    shard: str | None,
    strict: bool,
    output: Path,
    summary: Path | None,
    as_json: bool,
) -> None:
    """Score pairs of tables in HTML, Markdown or LaTeX: T-LAG, TEDS, GriTS, CER, WER, fidelity.

    Metrics: fidelity, tlag, teds, teds_struct, grits_con, grits_top, cer, wer (these are all), and by name only
    teds_normalised, teds_struct_normalised, grits_con_kg, grits_top_kg, cells_positional, cells_aligned,
    rows_multiset, cells_multiset, adjacency, records, cer_cells, wer_cells.

    Each line of PAIRS is an object with id, gold_html and pred_html; each line of the output has the id and the
    metrics, in the same order. A line that cannot be scored gets "error" with the reason, one without a prediction
    "missing", and the rest goes on. The output takes its name only when it is complete.

    Exit status: 0, or 1 where --strict finds something or after Ctrl+C, or 2 for wrong use or a full disk.

    Example: proofgrid score-pairs pairs.jsonl --metrics tlag,teds -o scores.jsonl
    """
    from review_app.pair_summary import TooManyGroupsError
    from review_app.score_pairs import Job, Share, chosen, score_file

    try:
        wanted = chosen(metrics)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong), param_hint="--metrics") from None
    try:
        share = None if shard is None else Share.from_text(shard)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong), param_hint="--shard") from None
    _expect_others([pairs], output, summary)
    with (
        told(),
        pairs.open("rb") as file,
        click.progressbar(
            length=pairs.stat().st_size, label="Scoring", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as bar,
    ):
        job = Job(wanted, tuple(dict.fromkeys(by)))
        try:
            found = score_file(
                file, output, job, workers=workers, share=share, progress=lambda read: bar.update(read - bar.pos)
            )
        except TooManyGroupsError as wrong:
            raise click.BadParameter(str(wrong), param_hint="--by") from None
        whole = found.to_json()
        _tell(whole, summary, as_json=as_json)
    for name in found.without_groups if found.pairs else ():
        click.echo(f"--by {name}: no line has a value of {name!r}, all are in one group", err=True)
    click.echo(
        f"{count(found.pairs, 'pair')} read, {found.missing} without a prediction, {found.errors} with an error; "
        f"see {output}",
        err=True,
    )
    # A shard may be a few lines of a file that is sound.
    nothing = share is None and not any(each["exclude"]["pairs"] for each in whole["metrics"].values())
    if nothing and found.pairs and found.errors == found.pairs:
        click.echo(
            f"No line of {pairs} could be scored: expected one object with id, gold_html, pred_html in each.", err=True
        )
    if strict and (found.errors or found.missing):
        sys.exit(EXIT_CHECK_FAILED)


@click.command(name="merge-scores")
@click.argument("shards", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--allow-missing", is_flag=True, help="Go on without the shards that are not there.")
@output_option
@summary_option
@json_option
def merge_scores(
    shards: tuple[Path, ...], allow_missing: bool, output: Path, summary: Path | None, as_json: bool
) -> None:
    """Put the parts that score-pairs --shard wrote together, to the same bytes as without --shard.

    The files may be named in any order. Parts of another file of pairs, of other metrics, groups or versions, parts
    that are there twice, missing or cut off are refused by name.

    Exit status: 0, or 2 where the parts make no whole.

    Example: proofgrid merge-scores part-1.jsonl part-2.jsonl part-3.jsonl -o scores.jsonl
    """
    from review_app.merge_scores import ShardError, merge_files
    from review_app.merge_scores import shards as checked
    from review_app.pair_summary import TooManyGroupsError

    _expect_others(shards, output, summary)
    with told():
        try:
            parts = checked(shards, allow_missing=allow_missing)
            found = merge_files(parts, output)
        except (ShardError, TooManyGroupsError) as wrong:
            refuse(str(wrong))
        of = next(iter(parts.values()))[1].of
        missing = [number for number in range(1, of + 1) if number not in parts]
        whole = found.to_json()
        _tell({**whole, "missing_shards": missing} if missing else whole, summary, as_json=as_json)
    if missing:
        click.echo(f"shards {', '.join(map(str, missing))} of {of} are missing: so are their pairs", err=True)
    click.echo(f"{count(found.pairs, 'pair')} of {count(len(parts), 'shard')} merged; see {output}", err=True)


def _expect_others(sources: tuple[Path, ...] | list[Path], output: Path, summary: Path | None) -> None:
    """Folders are there, and no file is written over one that is read or over the other one that is written."""
    for name, written in (("--output", output), ("--summary", summary)):
        if written and not written.parent.is_dir():
            raise click.BadParameter(f"{written}: there is no folder {written.parent}", param_hint=name)
        for source in sources:
            if written and written.exists() and written.samefile(source):
                raise click.BadParameter(f"{written} is read by this command, expected another file", param_hint=name)
    if summary and summary.absolute() == output.absolute():
        raise click.BadParameter(f"{summary} is the file of the scores, expected another one", param_hint="--summary")


def _tell(found: dict[str, Any], summary: Path | None, *, as_json: bool) -> None:
    from review_app.pair_summary import headline
    from review_app.whole_file import replacing

    text = json.dumps(found, ensure_ascii=False, indent=1)
    if summary:
        with replacing(summary) as file:
            file.write(text.encode("utf-8", "backslashreplace") + b"\n")
    if as_json:
        click.echo(text)
        return
    for name, values in found["metrics"].items():
        mean, micro = values["exclude"]["mean"], values["exclude"]["micro"]
        if mean is not None and micro is not None:
            pairs = count(values["exclude"]["pairs"], "pair")
            click.echo(f"{name:<24} {mean:.4f}  mean of {pairs}    {headline(micro):.4f}  micro")
