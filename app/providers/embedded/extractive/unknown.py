"""Detect short questions about something unknown: no passage has a word that the question is about, or a similar one.

Long questions are not checked: their words often differ from those of their answers. On eight public sets (100
questions each) this refuses 0.8 % more of the answerable questions, 3.5 % more of those whose passage was removed, and
1.6 % more of the unrelated ones. Pure.
"""

import re
from collections.abc import Collection, Sequence

from app import language, question_language
from app.phrase_files import read_phrases
from app.providers.embedded.extractive import focus
from app.providers.embedded.extractive.units import QuotableUnit

# The most words of a question whose things, or things and names, are checked; in German only things, because all nouns
# are capitalized.
_MOST_WORDS, _MOST_WORDS_NAMING, _MOST_WORDS_GERMAN = 10, 12, 9
# The letters that all forms and compounds of a word share; a shorter word counts as a whole, an abbreviation exactly.
_STEM, _ABBREVIATION = 6, 3
# The least letters of a compound's first and last part, and of the ending that related compounds share.
_BEGINNING, _LEAST_END, _SHARED_END = 3, 4, 5
_BEGINNING_CJK = 2  # characters that distinguish Chinese things with the same ending: 经营贷款, 住房贷款
_CJK = re.compile(f"[{language.CJK}]")
_ENDING = re.compile(r"(?<=[^\W\d_]{4})(?:ing|ed|al|es)$")  # endings of one word's forms: renewing, renewal, renewed
_PRESENT = re.compile("e?s$")  # verb endings: paints, teaches
_PHRASES = read_phrases(__file__, "unknown.toml")
_THING, _LAST = _PHRASES.pattern("thing", re.IGNORECASE), _PHRASES.pattern("last", re.IGNORECASE)
_NAME, _THING_GERMAN = _PHRASES.pattern("name"), _PHRASES.pattern("thing_german")
_BARE, _BARE_GERMAN = _PHRASES.pattern("bare", re.IGNORECASE), _PHRASES.pattern("bare_german")
_VERB, _VERB_GERMAN = _PHRASES.pattern("verb", re.IGNORECASE), _PHRASES.pattern("verb_german")
_COUNTED_OF, _COUNTED_OF_GERMAN = _PHRASES.pattern("counted_of", re.IGNORECASE), _PHRASES.pattern("counted_of_german")
_TAKES, _THING_ROMANCE = _PHRASES.pattern("takes", re.IGNORECASE), _PHRASES.pattern("thing_romance", re.IGNORECASE)
_ASKS_AUTHOR, _NAMES_AUTHOR = (_PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_author", "names_author"))
_VERB_PRESENT = _PHRASES.pattern("verb_present", re.IGNORECASE)
_VERB_CJK, _OWNER_CJK, _AUTHOR = (_PHRASES.pattern(name) for name in ("verb_cjk", "owner_cjk", "author"))
_PRICED_CJK, _NAMES_OF_ROWS = _PHRASES.pattern("priced_cjk"), _PHRASES.words("names_of_rows")
_GENERAL = _PHRASES.words("general")
_DEGREE = read_phrases(__file__, "identifiers.toml").pattern("degree", re.IGNORECASE)


def is_about_unknown(question: str, unmatched: Collection[str], texts: Sequence[str], *, is_german: bool) -> bool:
    """Whether the question is about an unmatched word that no text has in another form either.

    In English, this includes the thing that it asks the number of; German synonyms seldom match.
    """
    text = "\n".join(texts).lower()
    if owner := _OWNER_CJK.search(question):
        return owner[1][:_BEGINNING_CJK] not in text
    things = _find_words(question, is_german=is_german)
    if not is_german and (counted := focus.find_counted_thing(question)):
        things.add(counted)
    about = filter(is_telling, things.intersection(unmatched))
    return any(_is_missing(word, text) for word in about)


def lacks_compound(question: str, texts: Sequence[str]) -> bool:
    """Whether a German question's compound is missing, but others with its ending exist: Jahreskarte, Tageskarte."""
    text = "\n".join(texts).lower()
    words = _find_words(question, is_german=True)
    if counted := focus.find_counted(question):
        words.add(counted)
    about = filter(is_telling, words)
    return any(_is_missing(word, text) and _has_only_other_compounds(word, text) for word in about)


def find_other_things(question: str, quoted: str, *, is_german: bool) -> list[str]:
    """The words that a question is about and that `quoted` does not have in any form."""
    text = quoted.lower()
    return [word for word in _find_words(question, is_german=is_german) if is_telling(word) and _is_missing(word, text)]


def is_price_of_part(question: str, row: QuotableUnit) -> bool:
    """Whether a Chinese question asks the price of something, and the row of a table of other things has no word of it.

    Rows under a header such as 型号 are variants of the thing.
    """
    found = _PRICED_CJK.search(question)
    if found is None or not row.cells or row.cells[0][0] in _NAMES_OF_ROWS:
        return False
    said = f"{row.heading} {row.text}"
    return not any(found[1][at : at + _BEGINNING_CJK] in said for at in range(len(found[1]) - 1))


def lacks_last_word(question: str, texts: Sequence[str], *, is_german: bool) -> bool:
    """Whether no text has the last word of an English question: the warranty on the saddle, sold in Austria."""
    if is_german or _CJK.search(question) or len(question.split()) > _MOST_WORDS_NAMING:
        return False
    found = _LAST.search(question)
    words = language.split_words(found[1]) if found else ()
    text = "\n".join(texts).lower()
    return any(is_telling(word) and _is_missing(word, text) for word in words)


def lacks_deed(
    question: str, unmatched: Collection[str], texts: Sequence[str], best: str, own: str, *, is_german: bool
) -> bool:
    """Whether a question asks who did something, or when, and no text has a word for the deed.

    If `best` names an author, it does not matter. `own` is the passage of `best`; in Chinese, it must have the word.
    """
    text = "\n".join(texts).lower()
    if _AUTHOR.search(best):
        return False
    if found := _VERB_CJK.search(question):
        return not any(letter in own for letter in found[found.lastindex or 0])
    if not is_german and (present := _VERB_PRESENT.search(question)):
        return _lacks_verb_and_thing(question, present[1].lower(), unmatched, text)
    found = (_VERB_GERMAN if is_german else _VERB).search(question)
    verb = found[found.lastindex or 0].lower() if found else ""
    return verb in unmatched and is_telling(verb) and _is_missing(verb, text)


def lacks_author(question: str, text: str) -> bool:
    """Whether a question asks who wrote something, and `text` says nothing of that: an owner need not be its author."""
    return _ASKS_AUTHOR.search(question) is not None and _NAMES_AUTHOR.search(text) is None


def _lacks_verb_and_thing(question: str, verb: str, unmatched: Collection[str], text: str) -> bool:
    """Whether a text has neither the question's verb nor its thing: who paints the posters.

    The verb alone is not enough: who looks after a lift may be said in other words.
    """
    if verb not in unmatched or not is_telling(verb) or not _is_missing(_PRESENT.sub("", verb), text):
        return False
    about = _find_words(question, is_german=False) - {verb}
    return any(is_telling(word) and _is_missing(word, text) for word in about)


def _find_words(question: str, *, is_german: bool) -> set[str]:
    """The words that a question is about, in lower case."""
    count = len(question.split())
    if _CJK.search(question):
        return set()
    if is_german:
        patterns = [_THING_GERMAN, _BARE_GERMAN, _COUNTED_OF_GERMAN] if count <= _MOST_WORDS_GERMAN else []
    else:
        patterns = [_THING, _BARE, _COUNTED_OF, _TAKES] if count <= _MOST_WORDS else []
        patterns += [_THING_ROMANCE] if count <= _MOST_WORDS and question_language.asking_words(question) else []
        patterns += [_NAME, _LAST] if count <= _MOST_WORDS_NAMING else []
    found = [match[match.lastindex or 0] for each in patterns for match in each.finditer(question)]
    return {word for each in found for word in language.split_words(each)}


def is_telling(word: str) -> bool:
    """Whether a lower-case word is specific, not one that any question may contain."""
    return word not in _GENERAL and not _DEGREE.search(word)


def is_subject(word: str) -> bool:
    """Whether a lower-case word may be the subject of a question: not a number, a unit or a short word."""
    return word.isalpha() and len(word) > _ABBREVIATION and is_telling(word) and not focus.is_measure(word)


def has_word(word: str, text: str) -> bool:
    """Whether a text has a lower-case word in some form."""
    return not _is_missing(word, text.lower())


def _has_only_other_compounds(word: str, text: str) -> bool:
    """Whether a text has other compounds with the same last part, but never that part alone.

    Word vectors confuse such compounds, because they are built from parts.
    """
    known = set(language.split_words(text))
    ends = {word[at:] for at in range(_BEGINNING, len(word) - _LEAST_END + 1)}
    if any(one in ends or one.rstrip("nesr") in ends for one in known):
        return False
    shortest = word[-_SHARED_END:]
    return len(word) >= _SHARED_END + _BEGINNING and any(
        one.endswith(shortest) and len(one) >= _SHARED_END + _BEGINNING for one in known
    )


def _is_missing(word: str, text: str) -> bool:
    if len(word) >= _STEM:
        return _ENDING.sub("", word)[:_STEM] not in text
    words = language.split_words(text)
    if len(word) <= _ABBREVIATION:
        return word not in words
    return not any(one.startswith(word.removesuffix("s")) for one in words)
