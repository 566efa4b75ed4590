"""Print a run: the questions that went wrong, a table of counts, and what changed since another run."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from app.cli.evaluation.run_file import EvaluationRun, QuestionResult, Summary, summarize
from app.cli.evaluation.verdicts import GOOD, QuestionVerdict
from app.cli.printing import format_count, print_json, print_table, shorten_line
from app.cli.running import err, out

# Characters of a question and of an answer.
_SHORT = 100
# Questions that are listed.
_LISTED = 100
_STYLES = {QuestionVerdict.RIGHT: "green", QuestionVerdict.REFUSED_RIGHTLY: "green", QuestionVerdict.UNCHECKED: "dim"}


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs, compared by the questions (their texts) that both asked. A repeated text is another question.

    `better` and `worse`: the results of this run for the questions that it alone got right, or wrong.
    """

    now: Summary
    before: Summary
    better: tuple[QuestionResult, ...]
    worse: tuple[QuestionResult, ...]

    @property
    def is_worse(self) -> bool:
        """Whether more questions got worse than better."""
        return len(self.worse) > len(self.better)


def compare_runs(run: EvaluationRun, before: EvaluationRun) -> RunComparison:
    """Compare what both runs asked."""
    earlier = dict(_number_questions(before))
    both = [(result, earlier[key]) for key, result in _number_questions(run) if key in earlier]
    return RunComparison(
        now=summarize([now for now, _ in both]),
        before=summarize([then for _, then in both]),
        better=tuple(now for now, then in both if now.verdict in GOOD and then.verdict not in GOOD),
        worse=tuple(now for now, then in both if now.verdict not in GOOD and then.verdict in GOOD),
    )


def _number_questions(run: EvaluationRun) -> Iterator[tuple[tuple[str, int], QuestionResult]]:
    """The results in the order of the file, each with its question and how often the question occurred before."""
    counts = Counter[str]()
    for result in sorted(run.questions, key=lambda result: result.line):
        yield (result.question, counts[result.question]), result
        counts[result.question] += 1


def print_run(run: EvaluationRun, before: EvaluationRun | None, *, as_json: bool, show_all: bool) -> None:
    """Print a run, with what changed since `before`."""
    compared = compare_runs(run, before) if before else None
    if as_json:
        print_json(_as_json(run, compared))
        return
    _print_results([result for result in run.questions if show_all or result.verdict not in GOOD])
    if compared is None:
        _print_counts([format_count(run.summary.questions, "question"), ""], [run.summary])
    else:
        _print_comparison(compared)
        if left := run.summary.questions - compared.now.questions:
            err.print(f"{format_count(left, 'question')} not compared: not in the other run.")
    summary = f"{format_count(run.summary.questions, 'question')} to {run.model} in {run.seconds:.1f} s"
    err.print(summary, style="dim")


def _as_json(run: EvaluationRun, compared: RunComparison | None) -> dict[str, Any]:
    found = run.model_dump(mode="json", by_alias=True)
    if compared is not None:
        found["against"] = {
            "now": compared.now.model_dump(mode="json", by_alias=True),
            "before": compared.before.model_dump(mode="json", by_alias=True),
            "better": [result.id for result in compared.better],
            "worse": [result.id for result in compared.worse],
        }
    return found


def _print_results(results: Sequence[QuestionResult]) -> None:
    for result in results[:_LISTED]:
        verdict = result.verdict.lower().replace("_", " ")
        style = _STYLES.get(result.verdict, "yellow")
        out.print(Text.assemble((f"{verdict:<16}", style), f"  {shorten_line(result.question, _SHORT)}"))
        answer = result.failure or result.content
        out.print(Text(f"{'':18}{result.id}: {shorten_line(answer, _SHORT)}", style="dim"))
    if len(results) > _LISTED:
        out.print(f"and {len(results) - _LISTED:,} more; --json lists them all")
    if results:
        out.print()


def _print_comparison(compared: RunComparison) -> None:
    for title, results in (("Right now", compared.better), ("No longer right", compared.worse)):
        for result in results[:_LISTED]:
            out.print(Text(f"{title}: {shorten_line(result.question, _SHORT)}"))
    heads = [f"{format_count(compared.now.questions, 'question')} in both", "before", "now"]
    _print_counts(heads, [compared.before, compared.now])


def _print_counts(heads: Sequence[str], summaries: Sequence[Summary]) -> None:
    """A column for each summary, without the rows that are empty in all of them."""
    rows = [[name, *map(value, summaries)] for name, value in _ROWS]
    print_table(heads, [row for row in rows if any(row[1:])])


def _share(count: int, total: int) -> str:
    return f"{count:,} of {total:,} ({count / total:.0%})" if total else ""


def _seconds(milliseconds: float | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:.2f} s"


def _each(tokens: int, summary: Summary) -> str:
    return f"{tokens / summary.questions:,.0f}" if summary.questions else ""


_ROWS: tuple[tuple[str, Callable[[Summary], str]], ...] = (
    ("right", lambda summary: _share(summary.right, summary.answerable - summary.unchecked)),
    ("wrong", lambda summary: _share(summary.wrong, summary.answerable - summary.unchecked)),
    ("refused wrongly", lambda summary: _share(summary.refused_wrongly, summary.answerable)),
    ("answered, not checked", lambda summary: _share(summary.unchecked, summary.answerable) * bool(summary.unchecked)),
    ("refused rightly", lambda summary: _share(summary.refused_rightly, summary.not_there)),
    ("answered wrongly", lambda summary: _share(summary.answered_wrongly, summary.not_there)),
    ("failed", lambda summary: _share(summary.failed, summary.questions) * bool(summary.failed)),
    ("document found", lambda summary: _share(summary.found, summary.with_documents)),
    ("document cited", lambda summary: _share(summary.cited, summary.with_documents)),
    ("mean support", lambda summary: "" if summary.support is None else f"{summary.support:.2f}"),
    ("tokens read per question", lambda summary: _each(summary.input_tokens, summary)),
    ("tokens written per question", lambda summary: _each(summary.output_tokens, summary)),
    ("time, median", lambda summary: _seconds(summary.median_ms)),
    ("time, 95% within", lambda summary: _seconds(summary.slowest_ms)),
)
