"""Calibrate the weight of vectors in a project's scores, and the score threshold, from its own chunks. Pure.

The scale of cosines depends on the embedding model and the language: two random chunks have 0.1 in English and 0.8 in
Chinese with the embedded model. So the project is searched with queries whose right answer is known: sentences of its
own chunks, whose chunk a good model finds, and random mixtures of words, which nothing answers.
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
    """`dense_weight` is the vectors' share of a fused score, `threshold` the lowest score of a relevant passage."""

    dense_weight: float
    threshold: float


DEFAULT = Relevance(0.3, 0.2)
"""For projects too small to measure; from measurements on public English sets with the embedded model."""

MIN_CHUNKS = 20
"""Fewer chunks are too few to measure."""
MAX_SAMPLE = 256
"""Chunks that each sentence is compared with."""
MAX_QUERIES = 64
"""Number of sentences, and of mixtures of words."""

# A measurement is out of date when the project has grown or shrunk by this factor.
_GROWTH = 2
# In characters: shorter sentences are mostly headings, longer ones tables.
_SENTENCE_LENGTHS = range(15, 301)
_MIXED_WORDS = 8

# weight = slope · (separation - offset). Separations, and the weights with the best nDCG@10: wordllama 6.1 on English
# prose (0.3-0.4), 4.7 on code and manuals (0.2-0.3), 3.5 on German and Chinese (0.3-0.5); its first 48 dimensions 3.6
# (0.1-0.2), its first 16 dimensions 2.3 (0.1); Universal Sentence Encoder 6.4 (0.4), 4.4 on code (0.3). Weights above a
# third gain nothing on average.
_WEIGHT_SLOPE = 0.1
_WEIGHT_OFFSET = 0.5
_WEIGHTS = (0.05, 1 / 3)

# Vectors find the right document, words the right passage in it. So the maximum weight falls by this, times the share
# of the nearest chunks that come from the same document. Shares, and the weights with the best nDCG@10: under 0.1 in
# sets of short texts (0.3-0.4), 0.2 in manuals (0.33), 0.4 in papers (0.1) and in product documentation (0.1-0.3), 0.9
# in five long texts (0.05). So no set is more than 1 % worse than the better of the two legs alone.
_SAME_DOCUMENT_SLOPE = 0.18
NEIGHBORS = 10
"""Number of nearest chunks whose documents are compared with the sentence's own."""

# threshold = the full-text score of a few common words, plus the vectors' score of random mixtures. Compared with a
# fixed threshold of 0.2 on seven sets, this refuses 2 % of answerable questions (instead of 1 %), 75 % of unrelated
# ones in the same language (57 %), 50 % of German ones (15 %) and 70 % of Chinese ones (2 %).
_KEYWORD_NOISE = 0.09
_THRESHOLDS = (0.15, 0.4)


def is_out_of_date(measured_chunks: int, chunks: int) -> bool:
    """Whether a project measured with `measured_chunks` chunks (0: never) has grown or shrunk a lot since."""
    if chunks < MIN_CHUNKS:
        return False
    return not measured_chunks < chunks * _GROWTH < measured_chunks * _GROWTH * _GROWTH


def pick_sentences(texts: Sequence[str], seed: int) -> list[str]:
    """A random sentence of each text of a usual length, or else the beginning of the text."""
    generator = random.Random(seed)  # noqa: S311
    found: list[str] = []
    for text in texts:
        sentences = [text[start:end].strip() for start, end in language.sentence_spans(text)]
        usual = [sentence for sentence in sentences if len(sentence) in _SENTENCE_LENGTHS]
        found.append(generator.choice(usual or [text[: _SENTENCE_LENGTHS[-1]]]))
    return found


def mix_words(texts: Sequence[str], count: int, seed: int) -> list[str]:
    """Random mixtures of words, each word from a random text: the project's vocabulary without any meaning."""
    generator = random.Random(seed)  # noqa: S311
    words = [found for text in texts if (found := language.split_words(text))]
    if not words:
        return []
    return [" ".join(generator.choice(generator.choice(words)) for _ in range(_MIXED_WORDS)) for _ in range(count)]


def measure_separation(cosines: Vectors, own: Sequence[int]) -> float:
    """By how many standard deviations a sentence's own chunk stands out from the others, on average.

    Row i of `cosines` holds the cosines of sentence i and the sampled chunks; `own[i]` is its own chunk.
    """
    spread = cosines.std(axis=1)
    stands_out = cosines[numpy.arange(len(own)), list(own)] - cosines.mean(axis=1)
    return float((stands_out / numpy.maximum(spread, 1e-6)).mean())


def calibrate(separation: float, noise: Sequence[float], same_document: float) -> Relevance:
    """Derive the weight and the threshold from measurements.

    `noise` holds the highest cosine of each mixture of words with any chunk. `same_document` is the share, from 0 to 1,
    of the chunks nearest to a sentence that come from the sentence's own document.
    """
    least, most = _WEIGHTS
    weight = _clamp(_WEIGHT_SLOPE * (separation - _WEIGHT_OFFSET), (least, most - _SAME_DOCUMENT_SLOPE * same_document))
    threshold = _KEYWORD_NOISE + weight * max(0.0, statistics.median(noise) if noise else 0.0)
    return Relevance(round(weight, 3), round(_clamp(threshold, _THRESHOLDS), 3))


def _clamp(value: float, bounds: tuple[float, float]) -> float:
    return bounds[0] if math.isnan(value) else min(bounds[1], max(bounds[0], value))
