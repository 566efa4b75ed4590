"""Answer a question by quoting sentences of numbered passages, each with its marker.

Pure and deterministic: word vectors come in as a function. Nothing is written that a passage does not say; the only
liberties are white space, list and heading marks, and table rows shown as "column: cell".
"""

from collections.abc import Sequence

from app.providers import base
from app.providers.embedded.extractive import identifiers, kinds, scoring, sections
from app.providers.embedded.extractive.antecedents import AntecedentFinder
from app.providers.embedded.extractive.choosing import add_text_below_title, choose_units
from app.providers.embedded.extractive.lists import Blocks
from app.providers.embedded.extractive.quoting import join_quotations, render_quotations
from app.providers.embedded.extractive.rows import Tables
from app.providers.embedded.extractive.scoring import WordSums
from app.providers.embedded.extractive.units import QuotableUnit, drop_repetitions, read_all_units

__all__ = ["join_quotations", "quote_answer"]


def quote_answer(question: str, passages: Sequence[base.PromptPassage], sums: WordSums) -> list[str] | None:
    """Quotations with their markers, five sentences at the most; None if there is nothing to quote."""
    written, question = question, question.lower() if question.isupper() else question
    every = read_all_units(passages)
    found = drop_repetitions(every)
    if not found or not scoring.question_terms(question):
        return None
    texts = [" ".join((passage.title, *passage.headings, passage.text)) for passage in passages]
    if kinds.lacks_code_name(question, texts) or identifiers.lacks_identifier(written, texts):
        return None
    asked, blocks = kinds.read_question(question), Blocks(every)
    scores = scoring.score_units(question, asked, passages, found, blocks, sums)
    question = question[: kinds.LONGEST]
    chosen = sections.choose_section(question, asked, every, blocks) or Tables(
        question, asked, passages, texts, found
    ).choose_rows(add_text_below_title(choose_units(found, scores), every))
    if chosen is None:
        return None
    headings = {id(unit): sections.find_telling_heading(question, asked, unit) for unit in chosen}
    if all(_lacks_answer(asked, unit, headings[id(unit)], blocks) for unit in chosen if unit.kind != "CODE"):
        return None
    antecedents = AntecedentFinder(asked, every, found, scores)
    return render_quotations(
        chosen, headings, antecedents, blocks, passages, best_first=asked.whether, wants_list=asked.list
    )


def _lacks_answer(asked: kinds.Asked, unit: QuotableUnit, heading: QuotableUnit | None, blocks: Blocks) -> bool:
    return heading is None and kinds.lacks_answer(asked, blocks.text_with_lines(unit))
