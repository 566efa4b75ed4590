"""How much meaning weighs in a project's scores, and from which score on a passage counts, by its own chunks. Pure.

Cosines mean something different for every embedding model and language: two random chunks have 0.1 in English and 0.8
in Chinese with the embedded model. So the project is asked questions of which the right answer is known: sentences of
its chunks, which a good model finds among the others, and words mixed at random, to which nothing is an answer.
"""

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from app import language
from app.providers.base import Vectors


@dataclass(frozen=True, slots=True)
class Relevance:
    """`dense_weight` is the vectors' share of a fused score, `threshold` the least score of a passage that counts."""

    dense_weight: float
    threshold: float


DEFAULT = Relevance(0.3, 0.2)
"""For projects too small to be measured; measured on public English sets with the embedded model."""

MIN_CHUNKS = 20
"""Fewer chunks say too little."""
MAX_SAMPLE = 256
"""Chunks whose cosines with each sentence are looked at."""
MAX_QUERIES = 64
"""Sentences, and mixtures of words."""

# A measurement is out of date when the project has grown or shrunk by this factor.
_GROWTH = 2
# Characters: shorter sentences are headings, longer ones tables.
_SENTENCE_LENGTHS = range(15, 301)
_MIXED_WORDS = 8

# weight = slope · (separation - offset). Separations, and the weights with the best nDCG@10: wordllama 6.1 on English
# prose (0.3-0.4), 4.7 on code and manuals (0.2-0.3), 3.5 on German and Chinese (0.3-0.5); its first 48 dimensions 3.6
# (0.1-0.2), its first 16 dimensions 2.3 (0.1); Universal Sentence Encoder 6.4 (0.4), 4.4 on code (0.3). More than a
# third gains nothing on average.
_WEIGHT_SLOPE = 0.1
_WEIGHT_OFFSET = 0.5
_WEIGHTS = (0.05, 1 / 3)

# Meaning finds the document; which of its passages it is, words tell. So the most that meaning may weigh falls by this,
# times the share of the nearest chunks that come from the same document. Shares, and the weights with the best nDCG@10:
# under 0.1 in sets of short texts (0.3-0.4), 0.2 in manuals (0.33), 0.4 in papers (0.1) and in product documentation
# (0.1-0.3), 0.9 in five long texts (0.05). With it no set is more than 1 % below the better leg alone.
_SAME_DOCUMENT_SLOPE = 0.18
NEIGHBORS = 10
"""Chunks near a sentence whose documents are compared with its own."""

# threshold = what a few common words score by full text, and the vectors' part of what nothing should score. On seven
# sets, answerable questions refused 1 → 2 %, those about something else in the same language 57 → 75 %, German 15 → 50
# and Chinese 2 → 70 % (a threshold of 0.2 → this).
_KEYWORD_NOISE = 0.09
_THRESHOLDS = (0.15, 0.4)


def is_out_of_date(measured_chunks: int, chunks: int) -> bool:
    """Whether a project that had `measured_chunks` when it was measured (0: never) has changed much since."""
    if chunks < MIN_CHUNKS:
        return False
    return not measured_chunks < chunks * _GROWTH < measured_chunks * _GROWTH * _GROWTH


def pick_sentences(texts: Sequence[str], seed: int) -> list[str]:
    """A sentence of each text, at random; the whole text where none has a usual length."""
    chance = random.Random(seed)  # noqa: S311
    found: list[str] = []
    for text in texts:
        sentences = [text[start:end].strip() for start, end in language.sentence_spans(text)]
        usual = [sentence for sentence in sentences if len(sentence) in _SENTENCE_LENGTHS]
        found.append(chance.choice(usual or [text[: _SENTENCE_LENGTHS[-1]]]))
    return found


def mix_words(texts: Sequence[str], count: int, seed: int) -> list[str]:
    """Mixtures of words, each word from another text at random: about the project's subjects, but about nothing."""
    chance = random.Random(seed)  # noqa: S311
    words = [found for text in texts if (found := language.split_words(text))]
    if not words:
        return []
    return [" ".join(chance.choice(chance.choice(words)) for _ in range(_MIXED_WORDS)) for _ in range(count)]


def separation(cosines: Vectors, own: Sequence[int]) -> float:
    """By how many standard deviations each sentence's own chunk stands out from the others, on average.

    Row i of `cosines` holds those of sentence i with the sampled chunks, `own[i]` being the chunk it was taken from.
    """
    spread = cosines.std(axis=1)
    stands_out = cosines[numpy.arange(len(own)), list(own)] - cosines.mean(axis=1)
    return float((stands_out / numpy.maximum(spread, 1e-6)).mean())


def judge(separation: float, noise: Sequence[float], same_document: float) -> Relevance:
    """The weight and the threshold.

    `noise` holds the highest cosine that each mixture of words has with a chunk. `same_document` is the share, from 0
    to 1, of the chunks nearest to a sentence that come from its own document.
    """
    least, most = _WEIGHTS
    weight = _clamp(_WEIGHT_SLOPE * (separation - _WEIGHT_OFFSET), (least, most - _SAME_DOCUMENT_SLOPE * same_document))
    threshold = _KEYWORD_NOISE + weight * max(0.0, statistics.median(noise) if noise else 0.0)
    return Relevance(round(weight, 3), round(_clamp(threshold, _THRESHOLDS), 3))


def _clamp(value: float, bounds: tuple[float, float]) -> float:
    return bounds[0] if math.isnan(value) else min(bounds[1], max(bounds[0], value))
