"""Learn when passages hold the answer to a question, and when an answer from them is right.

    python -m tests.evaluation.answerability.train --data FOLDER [--questions 300] [--write]

FOLDER holds a folder per set. It prints what each set gives when it is left out of the training (of a Chinese set every
other article is left in: no other set knows its script), and with --write puts what all sets teach into
`app/rag/judgement/answerability.toml`.
"""

import argparse
import asyncio
import math
import random
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, fields
from pathlib import Path

import numpy

from app import language
from app.knowledge.search.question import find_question
from app.rag.citations import quotes
from app.rag.judgement import answerability
from tests.evaluation.answerability.cases import Case, build_cases
from tests.evaluation.answerability.examples import Example, as_arrays
from tests.evaluation.answerability.logistic import (
    Floats,
    fit_logistic,
    probabilities,
    reliability,
    weighted_quantile,
)
from tests.evaluation.answerability.small_projects import build_examples

TABLE = Path(answerability.__file__).with_name("answerability.toml")
SETS = ("xquad_en", "xquad_de", "xquad_zh", "covidqa", "chunk_eval", "anthropic_docs", "codebase", "mtragun")
# Sets whose answers are sentences that somebody wrote.
WRITTEN = ("anthropic_docs", "codebase", "mtragun")
NAMES = tuple(each.name for each in fields(answerability.Evidence))
REFUSED = 0.06
# Of the answerable questions to small projects: they are the first that anybody asks.
REFUSED_ALONE = 0.025


def describe_question(case: Case) -> Example | None:
    """The evidence of a case; of a longer question that of the part that asks. None where too little was found."""
    part = find_question(case.question) or case.question
    evidence = answerability.gather_evidence(part, case.passages, case.found)
    if evidence is None or evidence.lead is None:
        return None
    odd = sum(case.group.encode()) % 2
    fold = f"{case.set} {odd}" if case.set.endswith("_zh") else case.set
    return Example(case.set, case.kind, astuple(evidence), case.kind in ("answerable", "wordy"), fold)


def describe_answers(cases: Sequence[Case], chances: Mapping[int, float]) -> list[Example]:
    """Answers of four kinds: written ones; those to other questions; those whose passages are gone; and quotations.

    A quotation is the sentence that is most like the question, and right where the passages hold the answer. `chances`
    are how answerable each case is, by the id of the object.
    """
    chance = random.Random(3)  # noqa: S311
    known = [case for case in cases if id(case) in chances and case.kind != "wordy"]
    written = [case for case in known if case.answers and case.kind == "answerable"]
    examples: list[Example] = []
    for case in known:
        right = case.kind == "answerable"
        answers = [("quotation", _quote(case), right)]
        if case.answers:
            answers.append(("written", case.answers[0], right))
        if right and case.answers:
            answers.append(("of another question", chance.choice(written).answers[0], False))
        for kind, answer, wanted in answers:
            if supports := _supports(case, answer):
                values = tuple(answerability.describe_answer(chances[id(case)], supports).values())
                examples.append(Example(case.set, f"{kind}, {case.kind}", values, wanted, case.set))
    return examples


def _quote(case: Case) -> str:
    finder = quotes.QuoteFinder(dict(enumerate(case.passages)))
    found = [finder.best_quote(number, case.question) for number in range(len(case.passages))]
    return max(found, key=lambda quote: quote.support).text


def _supports(case: Case, answer: str) -> list[float]:
    """The support of each sentence by the passage that supports it best."""
    finder = quotes.QuoteFinder(dict(enumerate(case.passages)))
    sentences = [answer[start:end] for start, end in language.sentence_spans(answer)]
    return [
        max(finder.best_quote(number, sentence).support for number in range(len(case.passages)))
        for sentence in sentences
        if len(language.search_terms(sentence)) > 3
    ]


def leave_out(examples: Sequence[Example]) -> tuple[Floats, dict[str, Floats]]:
    """For each example its probability by a model of the other folds; and these models."""
    chances, models = numpy.zeros(len(examples)), dict[str, Floats]()
    folds = numpy.array([each.fold for each in examples])
    rows = numpy.array([each.values for each in examples])
    for fold in sorted(set(folds.tolist())):
        others = [each for each in examples if each.fold != fold]
        models[fold] = fit_logistic(*as_arrays(others))
        chances[folds == fold] = probabilities(rows[folds == fold], models[fold])
    return chances, models


def find_limit(examples: Sequence[Example], model: Floats, share: float = REFUSED) -> float:
    """The probability that this share of the answerable questions falls below, each set weighing the same."""
    rows, _, weights = as_arrays(examples)
    plain = numpy.array([each.kind == "answerable" for each in examples])
    return weighted_quantile(probabilities(rows[plain], model), weights[plain], share)


def print_refusals(examples: Sequence[Example], refused: Sequence[bool], title: str) -> None:
    """A line per set: the share refused of each kind."""
    kinds = [
        kind for kind in ("answerable", "wordy", "removed", "off_topic") if kind in {each.kind for each in examples}
    ]
    print(f"\n{title}\n{'':16}" + "".join(f"{kind:>12}" for kind in kinds))
    lines: dict[str, list[float]] = {}
    for name in dict.fromkeys(each.set for each in examples):
        lines[name] = [
            statistics.mean(
                [was for was, each in zip(refused, examples, strict=True) if (each.set, each.kind) == (name, kind)]
                or [math.nan]
            )
            for kind in kinds
        ]
    columns = ([share for share in column if share == share] for column in zip(*lines.values(), strict=True))
    lines["mean"] = [statistics.mean(column) for column in columns]
    for name, shares in lines.items():
        print(f"{name:16}" + "".join(f"{share:12.1%}" for share in shares))


def print_reliability(examples: Sequence[Example], chances: Floats, title: str) -> None:
    """The reliability curve, and the expected calibration error."""
    _, wanted, weights = as_arrays(examples)
    lines = reliability(chances, wanted, weights)
    print(f"\n{title}\n{'said':>8}{'true':>8}{'share':>8}")
    for said, true, share in lines:
        print(f"{said:8.2f}{true:8.2f}{share:8.1%}")
    print(f"expected calibration error {sum(share * abs(said - true) for said, true, share in lines):.3f}")


def fit_alone(examples: Sequence[Example], limit: float) -> Floats:
    """The model of small projects. Its bias is moved so that REFUSED_ALONE falls below the common `limit`."""
    model = fit_logistic(*as_arrays(examples))
    own = find_limit(examples, model, REFUSED_ALONE)
    model[0] += math.log(limit / (1 - limit)) - math.log(own / (1 - own))
    return model


def write_table(question: Floats, alone: Floats, answer: Floats, limit: float) -> None:
    """Replace the table beside the judgement."""
    models = {
        "answerable": (NAMES, question),
        "alone": (NAMES[1:], alone),
        "supported": (("answerable", "support"), answer),
    }
    lines = [
        "# Weights of logistic models, written by `python -m tests.evaluation.answerability.train --write`; "
        "their names are",
        "# explained in answerability.py.",
    ]
    for name, (columns, model) in models.items():
        pairs = zip(("bias", *columns), model, strict=True)
        lines += ["", f"[{name}]", *(f"{column} = {weight:.4f}" for column, weight in pairs)]
    lines += ["", "[limits]", f"refused_below = {limit:.4f}"]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def train(cases: Iterable[Sequence[Case]], small: Sequence[Example], *, write: bool) -> None:
    """Print what the models are worth on sets that they have not seen, and write the models of all sets."""
    cases = list(cases)
    described = [(case, describe_question(case)) for group in cases for case in group]
    questions = [each for _, each in described if each is not None]
    chances, models = leave_out(questions)
    limits = {
        fold: find_limit([each for each in questions if each.fold != fold], model) for fold, model in models.items()
    }
    refused = [bool(chance < limits[each.fold]) for each, chance in zip(questions, chances, strict=True)]
    print_refusals(questions, refused, "Refused, each set by a model that has not seen it:")
    print_reliability(questions, chances, "Answerable: the probability for sets not seen, and how often it was so:")
    model = fit_logistic(*as_arrays(questions))
    limit = find_limit(questions, model)
    alone = fit_alone(small, limit)
    few = [bool(chance < limit) for chance in probabilities(as_arrays(small)[0], alone)]
    print_refusals(small, few, "Refused in projects of a few passages:")
    asked = [case for case, each in described if each is not None]
    chance_by_case = {id(case): float(chance) for case, chance in zip(asked, chances, strict=True)}
    answers = [each for group in cases if group[0].set in WRITTEN for each in describe_answers(group, chance_by_case)]
    said, _ = leave_out(answers)
    print_reliability(answers, said, "Answers: the confidence for sets not seen, and how often they were right:")
    if write:
        write_table(model, alone, fit_logistic(*as_arrays(answers)), limit)


def main() -> None:
    """Build the cases, learn, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder with a folder per set")
    parser.add_argument("--questions", type=int, default=300, help="how many of each set")
    parser.add_argument("--write", action="store_true", help="write the table that the server reads")
    parser.add_argument("sets", nargs="*", default=SETS)
    arguments = parser.parse_args()
    cases = asyncio.run(build_cases(arguments.data, arguments.sets, arguments.questions))
    train(cases.values(), build_examples(arguments.data, arguments.sets, arguments.questions), write=arguments.write)


if __name__ == "__main__":
    main()
