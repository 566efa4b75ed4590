"""The embedded provider with its real model: vectors, and answers that only quote."""

import asyncio
import importlib.util
import re
import tracemalloc
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from app import errors
from app.providers import base
from app.providers.embedded.extractive import cutting, units
from app.providers.embedded.fixed_texts import texts_for
from app.providers.embedded.provider import EmbeddedProvider
from app.providers.embedded.word_vectors import WordVectors


@pytest.fixture(scope="module")
def provider() -> EmbeddedProvider:
    return EmbeddedProvider()


NOT_FOUND = texts_for("").not_found
RETURNS = base.PromptPassage(
    1,
    "Returns",
    "# Returns\n\nGoods may be returned within 30 days\nof delivery. The label is in the parcel. Refunds are paid "
    "to the card that was used.",
    0.6,
)
SHIPPING = base.PromptPassage(
    2,
    "Shipping",
    "## Shipping\n\n- Orders above 50 euros ship for free.\n- Express delivery costs 12 euros.\n\nGoods may be "
    "returned within 30 days of delivery.\n\n| Country | Days |\n|---|---|\n| Norway | 6 |\n| Spain | 3 |\n",
    0.5,
)
INSTALL = base.PromptPassage(
    7,
    "Install",
    "# Install\n\nTo install the server, run this command:\n\n```sh\npip install footnote\n```\n\n"
    "Python 3.11 is needed.",
    0.5,
)


async def answer(
    provider: EmbeddedProvider, question: str, *passages: base.PromptPassage, max_tokens: int | None = None
) -> tuple[list[str], base.Finished]:
    prompt = base.Prompt((base.PromptMessage("user", question),), question, passages)
    options = base.GenerationOptions(max_tokens, 0.4, 32_768, on_behalf_of=("user", "project"))
    pieces = [piece async for piece in provider.language_model("extractive").stream_answer(prompt, options)]
    texts = [piece.text for piece in pieces if isinstance(piece, base.TextDelta)]
    assert len(pieces) == len(texts) + 1
    assert all(texts)
    last = pieces[-1]
    assert isinstance(last, base.Finished)
    return texts, last


async def said(provider: EmbeddedProvider, question: str, *passages: base.PromptPassage) -> str:
    return "".join((await answer(provider, question, *passages))[0])


async def vectors(provider: EmbeddedProvider, texts: Sequence[str], purpose: base.Purpose = "document") -> base.Vectors:
    return await provider.embedding_model("wordllama").embed_texts(texts, purpose)


async def test_shapes_and_norms(provider: EmbeddedProvider) -> None:
    found = await vectors(provider, ["a cat sat", "", "ein Satz", "中文", " \n\t"])
    assert found.shape == (5, 256)
    assert found.dtype == numpy.float32
    numpy.testing.assert_allclose(numpy.linalg.norm(found, axis=1), [1, 0, 1, 1, 0], atol=1e-5)
    assert (await vectors(provider, [])).shape == (0, 256)
    assert await provider.embedding_model("wordllama").dimensions() == 256


async def test_meaning(provider: EmbeddedProvider) -> None:
    car, near, far = await vectors(provider, ["how to repair a car", "fixing an automobile engine", "the choir sings"])
    assert car @ near > car @ far + 0.2


async def test_queries_in_capitals_are_read(provider: EmbeddedProvider) -> None:
    loud, quiet = await vectors(provider, ["HOW DO I RETURN GOODS?", "how do i return goods?"], "query")
    numpy.testing.assert_array_equal(loud, quiet)


@settings(max_examples=20, deadline=None)
@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=12), copies=st.sampled_from([1, 30]))
def test_a_vector_depends_on_its_text_alone(provider: EmbeddedProvider, texts: list[str], copies: int) -> None:
    async def compare() -> None:
        together = await vectors(provider, texts * copies)
        alone = numpy.concatenate([await vectors(provider, [text]) for text in texts])
        backwards = await vectors(provider, texts[::-1])
        numpy.testing.assert_allclose(together, numpy.tile(alone, (copies, 1)), atol=1e-6)
        numpy.testing.assert_allclose(backwards[::-1], alone, atol=1e-6)
        assert numpy.isfinite(together).all()

    asyncio.run(compare())


async def test_a_long_text_takes_bounded_memory_and_is_embedded_to_its_end(provider: EmbeddedProvider) -> None:
    await vectors(provider, ["load"])
    long = "The quick brown fox jumps over the lazy dog. " * 20_000 + "x" * 50_000
    tracemalloc.start()
    first, again, half = await vectors(provider, [long, long + " " + "choir music " * 40_000, long[:10_000]])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60_000_000
    assert first @ again < 0.99
    assert first @ half > 0.5


async def test_the_loop_runs_while_documents_are_embedded(provider: EmbeddedProvider) -> None:
    work = asyncio.create_task(vectors(provider, ["some words of a document " * 40] * 1_000))
    turns = 0
    while not work.done():
        turns += 1
        await asyncio.sleep(0)
    assert (await work).shape == (1_000, 256)
    assert turns > 20


async def test_the_right_sentence_with_its_number(provider: EmbeddedProvider) -> None:
    assert await said(provider, "How many days do I have to return goods?", RETURNS, SHIPPING) == (
        "Goods may be returned within 30 days of delivery [1]."
    )
    assert await said(provider, "HOW MANY DAYS DO I HAVE TO RETURN GOODS?", SHIPPING, RETURNS) == (
        "Goods may be returned within 30 days of delivery [2]."
    )


async def test_items_rows_and_code_are_quoted_readably(provider: EmbeddedProvider) -> None:
    assert "Express delivery costs 12 euros [2]." in await said(
        provider, "How much does express delivery cost?", RETURNS, SHIPPING
    )
    assert "Country: Norway, Days: 6 [2]" in await said(provider, "How many days to Norway?", SHIPPING)
    assert "To install the server, run this command [7]:\n```sh\npip install footnote\n```" in await said(
        provider, "Which command do I run to install the server?", RETURNS, INSTALL
    )


async def test_a_list_follows_its_introduction(provider: EmbeddedProvider) -> None:
    formats = base.PromptPassage(
        3, "Formats", "The parser reads these file formats:\n\n- PDF\n- Markdown\n- HTML\n", 0.6
    )
    assert await said(provider, "Which file formats does the parser read?", formats) == (
        "The parser reads these file formats [3]:\n- PDF\n- Markdown\n- HTML"
    )


async def test_near_repetitions_count_once(provider: EmbeddedProvider) -> None:
    again = base.PromptPassage(2, "Returns", "Goods may be returned within 30 days of their delivery.", 0.6)
    answered = await said(provider, "Within how many days may goods be returned?", RETURNS, again)
    assert answered.count("30 days") == 1


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        (
            "Wie lange ist die Garantie?",
            "Das Gerät wiegt z. B. 3 kg. Die Garantie gilt zwei Jahre. Es ist blau.",
            "Die Garantie gilt zwei Jahre [4].",
        ),
        ("保修期是多久", "产品重量为三公斤。保修期是两年。颜色是蓝色。", "保修期是两年 [4]。"),
    ],
)
async def test_other_languages(provider: EmbeddedProvider, question: str, text: str, expected: str) -> None:
    assert expected in await said(provider, question, base.PromptPassage(4, "", text, 0.5))


async def test_passages_that_do_not_hold_the_answer_are_not_quoted(provider: EmbeddedProvider) -> None:
    passages = (RETURNS, SHIPPING, INSTALL)
    prompt = base.Prompt((base.PromptMessage("user", "???"),), "Who won in Reykjavik?", passages, is_answerable=False)
    stream = provider.language_model("extractive").stream_answer(prompt, base.GenerationOptions(None, 0.4, 32_768))
    *texts, finished = [piece async for piece in stream]
    assert "".join(piece.text for piece in texts if isinstance(piece, base.TextDelta)) == NOT_FOUND
    assert isinstance(finished, base.Finished)
    assert finished.reason == "STOP"
    assert await said(provider, "???", *passages) == NOT_FOUND


async def test_without_passages_the_model_says_what_it_is(provider: EmbeddedProvider) -> None:
    text = await said(provider, "thanks!")
    assert text == texts_for("thanks!").introduction
    assert await said(provider, "Was kannst du für mich tun?") == texts_for("Was kannst du für mich tun?").introduction
    assert not re.findall(r"[A-Z_]{5,}", text)  # settings are nothing to those who ask


async def test_it_streams_in_small_pieces(provider: EmbeddedProvider) -> None:
    texts, finished = await answer(provider, "How do refunds and the return of goods work?", RETURNS)
    assert len(texts) > 3
    assert max(map(len, texts)) < 80
    assert finished.reason == "STOP"
    assert finished.input_tokens
    assert finished.output_tokens


async def test_max_tokens_ends_at_a_sentence_or_a_word(provider: EmbeddedProvider) -> None:
    question = "What about the return of goods, the label in the parcel and refunds to the card?"
    whole, full = await answer(provider, question, RETURNS)
    assert full.reason == "STOP"
    assert full.output_tokens is not None
    parts = "".join(whole).split(". ")
    assert len(parts) > 1
    shorter, cut = await answer(provider, question, RETURNS, max_tokens=full.output_tokens - 1)
    assert cut.reason == "LENGTH"
    assert "".join(shorter) == ". ".join(parts[:-1]) + "."
    least, cut = await answer(provider, question, RETURNS, max_tokens=5)
    assert cut.reason == "LENGTH"
    assert cut.output_tokens is not None
    assert cut.output_tokens <= 5
    assert "".join(whole).startswith("".join(least))


async def test_a_stream_may_be_closed_early(provider: EmbeddedProvider) -> None:
    prompt = base.Prompt((), "How many days do I have to return goods?", (RETURNS,))
    stream = provider.language_model("extractive").stream_answer(prompt, base.GenerationOptions(None, 0.4, 8192))
    assert isinstance(await anext(stream), base.TextDelta)
    await stream.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


@settings(max_examples=25, deadline=None)
@given(text=st.text(alphabet="ab c.?!\n|-#`:[]()*1。中", max_size=300), question=st.text(max_size=30))
def test_any_text_is_quoted_or_refused(provider: EmbeddedProvider, text: str, question: str) -> None:
    passage = base.PromptPassage(1, "T", text, 1.0)
    texts, finished = asyncio.run(answer(provider, question, passage))
    assert finished.reason == "STOP"
    whole = "".join(texts)
    assert whole == texts_for(question).not_found or "[1]" in whole


def test_the_units_of_a_passage() -> None:
    fence = "```\nx = [1]\n\ny. Z\n```"
    text = f"# Head {{#id}}\n\n1. One two.\n> Said so.\nAnd on\nit goes. {'word, ' * 200}\n\n{fence}\n"
    found = units.read_units(0, text)
    assert [unit.kind for unit in found[:4]] == ["HEADING", "ITEM", "TEXT", "TEXT"]
    assert [unit.text for unit in found[:3]] == ["Head", "One two.", "Said so."]
    assert found[-1] == units.QuotableUnit(fence, 0, "CODE", "Head", found[-1].before)
    assert all(len(unit.text) <= cutting.MAX_CHARACTERS for unit in found)
    assert {unit.heading for unit in found} == {"Head"}


async def test_models_and_unknown_names(provider: EmbeddedProvider) -> None:
    assert provider.name == "embedded"
    assert provider.is_local
    assert [
        (model.name, model.kind, model.context_window, model.dimensions) for model in await provider.list_models()
    ] == [
        ("extractive", "CHAT", 32_768, None),
        ("wordllama", "EMBEDDING", None, 256),
        ("multilingual", "EMBEDDING", None, 512),
    ]
    assert provider.language_model("extractive").name == "embedded/extractive"
    assert await provider.language_model("extractive").context_window() == 32_768
    with pytest.raises(errors.ModelNotFound, match="gpt"):
        provider.embedding_model("gpt")
    with pytest.raises(errors.ModelNotFound, match="gpt"):
        await anext(
            provider.language_model("gpt").stream_answer(base.Prompt((), ""), base.GenerationOptions(None, 0.4, 8192))
        )
    await provider.close()


WORDS = st.sampled_from(
    ["the", " the", "ing", " ", "  ", "\n", "\t", "\u3000", "<s>", " </s>", "<unk>", "▁", "é", "日本", "-"]
)


VECTORS = WordVectors()


@cache
def tokenizer() -> Tokenizer:
    package = importlib.util.find_spec("wordllama")
    assert package is not None
    assert package.origin is not None
    return Tokenizer.from_file(str(Path(package.origin).parent / "tokenizers/l2_supercat_tokenizer_config.json"))


@given(st.lists(WORDS | st.text(max_size=4), max_size=12).map("".join))
def test_words_have_the_tokens_that_the_tokenizer_finds_in_the_whole_text(text: str) -> None:
    assert VECTORS.token_ids(text) == tokenizer().encode(text, add_special_tokens=False).ids


ROWS = base.PromptPassage(
    1,
    "Targets",
    "Every target has a minimum.\n\n| target | kernel |\n|---|---|\n| loongarch64-unknown-linux | 5.19 |\n"
    "| aarch64-unknown-linux | 4.1 |\n\nA target is a machine that code is made for. Builds take long.\n",
    0.5,
)


async def test_a_row_is_found_by_the_code_name_of_the_question(provider: EmbeddedProvider) -> None:
    text = await said(provider, "Which kernel does aarch64-unknown-linux need?", ROWS)
    assert "target: aarch64-unknown-linux, kernel: 4.1" in text
    assert "5.19" not in text


async def test_code_names_and_amounts_that_no_passage_has_are_not_answered(provider: EmbeddedProvider) -> None:
    assert await said(provider, "Which kernel does max_target_size need?", ROWS) == NOT_FOUND
    assert await said(provider, "How long do Builds take?", ROWS) == NOT_FOUND


async def test_a_definition_comes_first(provider: EmbeddedProvider) -> None:
    assert "A target is a machine that code is made for [1]." in await said(provider, "What is a target?", ROWS)


async def test_long_sentences_are_not_cut_inside_numbers(provider: EmbeddedProvider) -> None:
    text = "The list of the town names " + ", ".join(f"house {n} of 1,664 in the street" for n in range(40)) + "."
    found = units.read_units(0, text)
    assert len(found) > 1
    assert sum(unit.text.count("1,664") for unit in found) == 40


async def test_a_short_item_comes_with_its_lead_in(provider: EmbeddedProvider) -> None:
    text = "The valid values of the mode are:\n\n- fast: no checks\n- safe: all checks\n\nOther things follow here."
    answer = await said(provider, "What does the mode safe mean?", base.PromptPassage(1, "Modes", text, 0.5))
    assert answer.index("The valid values of the mode are") < answer.index("safe: all checks")


CODES = base.PromptPassage(
    1,
    "Codes",
    "Order 5012 was shipped on 2 May 2024. CVE-2025-1187 is fixed in release 4.1.3, and CVE-2025-1201 in release 4.2. "
    "Room B12 has 30 seats, room B 14 has 12 seats. 房间C12有40个座位。 Uploads of up to 50 MB are possible in 2024.",
    0.5,
)


@pytest.mark.parametrize(
    ("known", "unknown"),
    [
        ("How many seats does room B12 have?", "How many seats does room B19 have?"),
        ("How many seats does room B14 have?", "How many seats does room B1 have?"),
        ("In which release is CVE-2025-1187 fixed?", "In which release is CVE-2025-9999 fixed?"),
        ("When was order 5012 shipped?", "When was order 5099 shipped?"),
        ("What is fixed in release 4.2.0?", "What is fixed in release 4.3.0?"),
        ("Which uploads are possible in 2024?", "Which uploads are possible in 2027?"),
        ("Wie viele Sitze hat Raum B12 (seats)?", "Wie viele Sitze hat Raum B21 (seats)?"),
        ("房间C12有多少个座位？", "房间C13有多少个座位？"),
        ("Is an upload of 100MB possible?", "Is an upload to HTTP3 possible?"),
    ],
)
async def test_a_code_or_year_that_no_passage_has_is_not_answered(
    provider: EmbeddedProvider, known: str, unknown: str
) -> None:
    assert await said(provider, known, CODES) != texts_for(known).not_found
    assert await said(provider, unknown, CODES) == texts_for(unknown).not_found


TOOLS = base.PromptPassage(
    1,
    "Tools",
    "| Tool | Weight (kg) | Colour | Phone |\n|---|---|---|---|\n| Hammer | 1.4 | anthracite | 4711 |\n"
    "| Saw | 0.6 | teal | 112 |\n",
    0.5,
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("How heavy is the hammer?", "Weight (kg): 1.4"),
        ("What does the saw weigh?", "Weight (kg): 0.6"),
        ("What colour is the hammer?", "Colour: anthracite"),
        ("What is the phone number of the saw?", "Phone: 112"),
    ],
)
async def test_a_column_says_what_its_cells_are(provider: EmbeddedProvider, question: str, says: str) -> None:
    assert says in await said(provider, question, TOOLS)
