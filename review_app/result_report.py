"""Results to hand on: one HTML file that prints, Markdown for a pull request, JUnit for a build server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from xml.etree import ElementTree as Xml

from review_app import result_tables
from review_app.anchoring_line import anchoring_line
from review_app.html_table import Shown
from review_app.markdown_table import markdown_table
from review_app.printed_page import part, printed_page
from review_app.result_tables import PART_NAMES
from review_app.score_report import release_line
from review_app.wording import literal
from scoring.statistics.anchoring import Anchoring
from store.attempts import Completion
from store.releases import Release
from store.scores import ScoredDocument, cause_shares, corpus_of

_NOTHING = "No table has been accepted yet, so there is nothing to score against."
# What XML 1.0, 2.2 has no place for.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def html(
    title: str,
    found: Sequence[ScoredDocument],
    completions: Sequence[Completion] = (),
    anchoring: Anchoring | None = None,
) -> str:
    """The whole report as one page that asks for nothing else: no script, no font, no network."""
    parts = [*(_whole(found, completions, anchoring) if found else [f"<p>{_NOTHING}</p>"])]
    failed = [(run, failure) for run in completions for failure in run.failures]
    parts += part("Not read at the first attempt", result_tables.failures(failed, linked=False), "failed")
    return printed_page(title, parts)


def markdown(
    found: Sequence[ScoredDocument],
    completions: Sequence[Completion] = (),
    anchoring: Anchoring | None = None,
    against: Release | None = None,
) -> str:
    """The headline, the documents that fail and the fields, worst first; said is against which release, if any."""
    if not found:
        return _NOTHING + "\n"
    told = result_tables.headline(found, completions)
    figures = [[Shown(each.label), Shown(each.value), Shown(each.sure)] for each in told]
    failing = [entry for entry in found if entry.has_verdict and not entry.passed]
    parts = [_table([Shown("Figure"), Shown("Value"), Shown("95 % interval, or of how many")], figures)]
    if against:
        parts.insert(0, literal(f"Scores {release_line(against)}."))
    if few := result_tables.caution(found):
        parts.append(few)
    if line := anchoring_line(anchoring):
        parts.append(line)
    if failing:
        parts += ["#### Documents that fail", _table(*result_tables.documents(failing, linked=False))]
    parts += ["#### Fields, worst first", _table(*result_tables.fields(corpus_of(found)))]
    return "\n\n".join(parts) + "\n"


def junit(found: Sequence[ScoredDocument], bars: Sequence[tuple[str, str]]) -> bytes:
    """A suite with a case for each document, and one for each metric with a bar and why it is below ("" = it is not).

    The format is that which build servers read (testmoapp/junitxml). A document without a verdict is skipped.
    """
    root = Xml.Element("testsuites", name="proofgrid")
    suite = Xml.SubElement(root, "testsuite", name="documents")
    for entry in found:
        case = Xml.SubElement(suite, "testcase", classname=entry.document.project, name=_plain(entry.document.name))
        if not entry.has_verdict:
            Xml.SubElement(case, "skipped", message="tables are open, or there is nothing to score")
        elif not entry.passed:
            cause = entry.cause_of_failure or "rule"
            Xml.SubElement(case, "failure", message=_plain(entry.first_reason), type=cause)
    metrics = Xml.SubElement(root, "testsuite", name="metrics")
    for name, reason in bars:
        case = Xml.SubElement(metrics, "testcase", classname="metrics", name=name)
        if reason:
            Xml.SubElement(case, "failure", message=reason, type="below")
    for each in root:
        each.set("tests", str(len(each)))
        each.set("failures", str(len(each.findall("testcase/failure"))))
        each.set("skipped", str(len(each.findall("testcase/skipped"))))
    Xml.indent(root)
    written: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _whole(
    found: Sequence[ScoredDocument], completions: Sequence[Completion], anchoring: Anchoring | None
) -> Iterator[str]:
    corpus = corpus_of(found)
    figures = (
        f"<li title='{escape(figure.meaning)}'><span>{escape(figure.label)}</span>"
        f"<b>{escape(figure.value)}</b><span class='quiet'>{escape(figure.sure)}</span></li>"
        for figure in result_tables.headline(found, completions)
    )
    yield f"<ul class='figures'>{''.join(figures)}</ul>"
    yield f"<p class='quiet'>{escape(result_tables.caution(found))}</p>"
    if line := anchoring_line(anchoring):
        yield f"<p>{escape(line)}</p>"
    yield from part("By document, failing first", result_tables.documents(found, linked=False), "documents")
    for name in result_tables.part_names(corpus):
        yield from part(f"By {PART_NAMES[name].lower()}, worst first", result_tables.parts(corpus, name), name)
    yield from part("Causes of wrong values", result_tables.causes(cause_shares(found)), "causes")
    yield from part("By field, worst first", result_tables.fields(corpus), "fields")
    yield (
        "<h2>What these numbers mean</h2><p>Every score compares the first extraction as received with the accepted "
        "gold, cell by cell. A wrong value is one false positive and one false negative. Micro: the cells of all "
        "tables are added up before dividing. 0/0 is undefined and shown as n/a. Intervals are 95 %: of shares by "
        "Wilson, of F1 by document.</p>"
    )
    yield "".join(f"<p><code>{escape(signature)}</code></p>" for signature in result_tables.signatures(found))


def _plain(text: str) -> str:
    return _NO_XML.sub("", text)


def _table(heads: Sequence[Shown], rows: Sequence[Sequence[Shown]]) -> str:
    texts = [[cell.text for cell in row] for row in rows]
    return markdown_table([head.text for head in heads], texts, numbers=[head.look == "number" for head in heads])
