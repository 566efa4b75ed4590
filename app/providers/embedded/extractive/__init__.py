"""Answer a question by quoting sentences from numbered passages, each with its marker.

Pure and deterministic: word vectors come in as a function. Nothing is written that a passage does not say; only
white space, list and heading marks, and the form of table rows ("column: cell") may change.
"""

import re
from collections.abc import Mapping, Sequence

from app import language
from app.providers import base
from app.providers.embedded.extractive import (
    focus,
    followups,
    identifiers,
    kinds,
    mismatches,
    scoring,
    sections,
    unknown,
)
from app.providers.embedded.extractive.antecedents import AntecedentFinder
from app.providers.embedded.extractive.choosing import (
    add_answer_below_question,
    add_continuation,
    add_text_below_title,
    add_values_of_constants,
    choose_units,
    drop_nonanswers,
)
from app.providers.embedded.extractive.kinds import QuestionTraits
from app.providers.embedded.extractive.lists import Blocks
from app.providers.embedded.extractive.quoting import join_quotations, render_quotations
from app.providers.embedded.extractive.scoring import WordSums
from app.providers.embedded.extractive.tables import conditions
from app.providers.embedded.extractive.tables.rows import Tables
from app.providers.embedded.extractive.units import QuotableUnit, drop_repetitions, find_label, read_all_units

__all__ = ["join_quotations", "quote_answer"]

_CJK = re.compile(f"[{language.CJK}]")
# If the passages of an answer lack this many specific words of the question, they are about something else.
_SEVERAL = 2
# The most questions in one text that are answered one by one.
_QUESTIONS = 3
# The least weighted share of the question's words in a unit that rules out the rest.
_RULED_OUT = 0.4


def quote_answer(
    question: str, passages: Sequence[base.PromptPassage], sums: WordSums, earlier: Sequence[str] = ()
) -> list[str] | None:
    """Quotations with markers: at most five sentences per question, or the rows of a table; None if there is nothing
    to quote.

    Only the beginning of a long question counts (`kinds.LONGEST`). `earlier` questions complete a follow-up; if that
    finds nothing, the follow-up is asked unchanged.
    """
    names = {unit.cells[0][1] for unit in read_all_units(passages) if unit.cells} if earlier else ()
    if follow_up := followups.complete_question(question, earlier, names):
        found = _quote_answers(follow_up.question, passages, sums)
        if found is not None and follow_up.is_answered_by(found):
            return found
    return _quote_answers(question, passages, sums)


def _quote_answers(question: str, passages: Sequence[base.PromptPassage], sums: WordSums) -> list[str] | None:
    """The quotations for all questions in a text."""
    parts = language.split_questions(question[: kinds.LONGEST])
    found = [_quote_answer(part, passages, sums) or [] for part in parts[:_QUESTIONS]]
    return list(dict.fromkeys(quotation for each in found for quotation in each)) or None


def _quote_answer(written: str, passages: Sequence[base.PromptPassage], sums: WordSums) -> list[str] | None:
    question = written.lower() if written.isupper() else written
    all_units = read_all_units(passages)
    found = [unit for unit in drop_repetitions(all_units) if not kinds.is_mail_header(question, unit.text)]
    if not found or not scoring.question_terms(question):
        return None
    texts = [" ".join((passage.title, *passage.headings, passage.text)) for passage in passages]
    if identifiers.lacks_code_name(question, texts) or identifiers.lacks_identifier(written, texts):
        return None
    traits, blocks = kinds.read_question(question), Blocks(all_units)
    if (traits.forms or traits.measure or traits.amount or traits.whether) and identifiers.lacks_kind(question, texts):
        return None
    scores = scoring.score_units(question, traits, passages, found, blocks, sums)
    is_german = language.is_german(question)
    # An address, a color or a weight is recognized by its form, so no text needs to say what it is.
    unmatched = scores.unmatched - traits.form_words
    is_unknown = unknown.is_about_unknown(written, unmatched, texts, is_german=is_german)
    if is_unknown and not _is_ruled_out(traits, found, scores):
        return None
    best = _choose_best(question, traits, all_units, found, scores, blocks)
    chosen = sections.choose_section(question, traits, all_units, blocks) or Tables(
        question, traits, passages, texts, all_units, found
    ).choose_rows(best)
    if chosen is None:
        return None
    headings = {id(unit): sections.find_telling_heading(question, traits, unit) for unit in chosen}
    is_told = chosen[0].kind == "HEADING" or headings[id(chosen[0])] is not None
    if not is_told and unknown.lacks_deed(
        written, unmatched, texts, chosen[0].text, texts[chosen[0].passage], is_german=is_german
    ):
        return None
    if _lacks_answer(question, traits, chosen, headings, blocks) or _is_about_other_thing(
        written, traits, chosen, all_units, texts, passages, sums
    ):
        return None
    antecedents = AntecedentFinder(traits, all_units, found, scores)
    wants_list = traits.list or _are_steps(traits, chosen[0])
    return render_quotations(
        chosen, headings, antecedents, blocks, passages, best_first=traits.whether, wants_list=wants_list
    )


def _choose_best(
    question: str,
    traits: QuestionTraits,
    all_units: Sequence[QuotableUnit],
    found: list[QuotableUnit],
    scores: scoring.Scores,
    blocks: Blocks,
) -> list[QuotableUnit]:
    """The best units, with the context that they need, and without others that do not answer."""
    best = add_values_of_constants(traits.words, choose_units(traits, found, scores, blocks), all_units)
    best = add_continuation(traits, best, all_units)
    best = add_answer_below_question(traits, scoring.question_terms(question), best, all_units)
    best = add_text_below_title(best, all_units)
    return drop_nonanswers(traits, best, all_units, ends=focus.find_focus(question).ends)


def _is_ruled_out(traits: QuestionTraits, found: Sequence[QuotableUnit], scores: scoring.Scores) -> bool:
    """Whether the best unit has most of a yes-or-no question, but says that something else applies exclusively."""
    best = int(scores.total.argmax())
    is_covered = float(scores.inside[best] @ scores.weight) >= _RULED_OUT
    return traits.whether and is_covered and focus.restricts(found[best].text)


def _are_steps(traits: QuestionTraits, unit: QuotableUnit) -> bool:
    """Whether a unit is a step below a line that names the goal: without the other steps, it would be misleading."""
    if not traits.how_to or unit.kind != "ITEM" or not unit.label[:1].isdigit() or unit.introduction is None:
        return False
    above = language.search_terms(f"{unit.heading} {unit.introduction.text}")
    return not traits.words.isdisjoint(above)


def _is_about_other_thing(
    question: str,
    traits: QuestionTraits,
    chosen: Sequence[QuotableUnit],
    all_units: Sequence[QuotableUnit],
    texts: Sequence[str],
    passages: Sequence[base.PromptPassage],
    sums: WordSums,
) -> bool:
    """Whether the chosen units are about another thing than the question, although otherwise similar."""
    best, own = chosen[0].text, texts[chosen[0].passage]
    with_next = "\n".join(unit.text for unit in chosen if unit is chosen[0] or unit.before == best)
    read = [texts[at] for at in sorted({unit.passage for unit in chosen})]
    is_german = language.is_german(question)
    if is_german and focus.find_focus(question).role and not any(focus.has_name(unit.text) for unit in chosen):
        return True
    headings = [unit.heading for unit in all_units] + [heading for passage in passages for heading in passage.headings]
    if _is_contact_of_other(question, traits, chosen, passages) or sections.is_of_other_section(
        question, scoring.text_around(chosen[:1], passages), headings
    ):
        return True
    is_only = traits.list or (traits.whether and focus.restricts(best))  # only others may: an answer for yes or no
    quoted, around = "\n".join(unit.text for unit in chosen), scoring.text_around(chosen[:1], passages)
    if (
        mismatches.is_about_other(question, best, with_next, quoted, around)
        or (not is_only and mismatches.is_about_sibling(question, best, scoring.text_around(chosen, passages)))
        or mismatches.is_other_attribute(question, find_label(chosen[0]))
        or identifiers.lacks_owner(question, own)
        or identifiers.lacks_role(question, own)
        or unknown.lacks_last_word(question, read, is_german=is_german)
        or unknown.lacks_author(question, quoted)
    ):
        return True
    if is_german is not language.is_german(own):  # words of another language do not count as other things
        return False
    if (is_german and unknown.lacks_compound(question, read)) or _has_nothing_telling(question, read, texts, sums):
        return True
    return _is_other_row(question, traits, chosen, passages, sums) or _lacks_count(
        question, traits, chosen, passages, sums
    )


def _has_nothing_telling(question: str, read: Sequence[str], texts: Sequence[str], sums: WordSums) -> bool:
    """Whether the passages of the chosen units lack all of several words that the question is about, and similar words.

    Only if another passage has one: then the answer is rather there than here in other words.
    """
    known = [word for word in scoring.question_terms(question) if unknown.is_subject(word)]
    if len(known) < _SEVERAL or _CJK.search(question) or scoring.has_any_word_like(known, "\n".join(read), sums):
        return False
    return any(unknown.has_word(word, "\n".join(texts)) for word in known)


def _is_contact_of_other(
    question: str, traits: QuestionTraits, chosen: Sequence[QuotableUnit], passages: Sequence[base.PromptPassage]
) -> bool:
    """Whether somebody's telephone number or address is asked for, and no chosen unit has one of that owner.

    A document or section about the owner need not repeat the name.
    """
    owner = identifiers.find_contact_owner(question)
    return owner is not None and not any(
        identifiers.reaches_owner(owner, f"{passages[unit.passage].title} {unit.heading}", unit.before, unit.text)
        for unit in chosen
        if not kinds.lacks_form(traits, unit.text)
    )


def _is_other_row(
    question: str,
    traits: QuestionTraits,
    chosen: Sequence[QuotableUnit],
    passages: Sequence[base.PromptPassage],
    sums: WordSums,
) -> bool:
    """Whether the best unit is a row, and no chosen unit has the thing in question: a lost key for a lost passport."""
    if chosen[0].kind != "ROW" or traits.list or conditions.is_extreme(question):
        return False
    if unknown.is_price_of_part(question, chosen[0]):
        return True
    quoted = scoring.text_around(chosen, passages)
    others = unknown.find_other_things(question, quoted, is_german=language.is_german(question))
    return any(not scoring.have_word_like(word, chosen, passages, sums) for word in others)


def _lacks_count(
    question: str,
    traits: QuestionTraits,
    chosen: Sequence[QuotableUnit],
    passages: Sequence[base.PromptPassage],
    sums: WordSums,
) -> bool:
    """Whether the number of something is asked for, but the best unit counts something else: two nights, not rooms.

    The cells of a row count what their headers say, so a bare number there does not count.
    """
    best = chosen[0]
    quoted = "\n".join(unit.text for unit in chosen if unit is best or unit.before == best.text)
    counted = None if traits.measure else focus.find_counted(question)
    if counted is None:
        return focus.lacks_count(question, quoted)
    if (
        focus.find_focus(question).counts_staff(quoted)
        or focus.is_measure(counted)
        or not (unknown.is_telling(counted) or focus.are_persons(counted))
    ):
        return False
    is_alike = scoring.have_word_like(counted, chosen, passages, sums)
    if best.kind == "ROW":
        return not is_alike and not focus.are_persons(counted)
    counts = focus.drop_measures(quoted)
    if focus.counts_something(counts) or focus.find_focus(question).counts(counts):
        return False
    return not (is_alike and focus.says_how_many(focus.drop_measures(best.text)))


def _lacks_answer(
    question: str,
    traits: QuestionTraits,
    chosen: Sequence[QuotableUnit],
    headings: Mapping[int, QuotableUnit | None],
    blocks: Blocks,
) -> bool:
    """Whether no chosen unit has the only kind of answer that fits, or the best lacks a requested amount.

    Then another unit with an amount is about something else, unless it follows the best. Code does not count as an
    answer; a quoted heading does.
    """
    if any(headings[id(unit)] is not None for unit in chosen):
        return False
    best = chosen[0]
    following = "\n".join(blocks.text_with_lines(unit) for unit in chosen if unit is best or unit.before == best.text)
    if best.kind != "CODE" and kinds.lacks_amount(traits, following):
        return True
    quoted = "\n".join(map(blocks.text_with_code, chosen))
    if identifiers.lacks_code_number(question, quoted, "\n".join(unit.heading for unit in chosen)):
        return True
    neighbors = [unit for unit in chosen if (unit.passage, unit.heading) == (best.passage, best.heading)]
    if kinds.lacks_form(traits, "\n".join(map(blocks.text_with_code, neighbors))):
        return True
    return all(
        kinds.lacks_answer(traits, blocks.text_with_code(unit)) or _has_nobody_in_cells(traits, unit)
        for unit in chosen
        if unit.kind != "CODE"
    )


def _has_nobody_in_cells(traits: QuestionTraits, unit: QuotableUnit) -> bool:
    """Whether a person is asked for, but the cells of a row contain only words of the question and amounts.

    Headers are capitalized like names.
    """
    quoted = focus.drop_measures("; ".join(value for _, value in unit.cells))
    return traits.person and len(unit.cells) > 1 and not kinds.has_new_word(traits, quoted)
