"""Judging answers: labelled examples, and a judged answer in each of its forms."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.rag import refusals
from app.rag.citations import answer_text
from app.rag.citations.citation_stream import CitationStream
from app.rag.citations.citation_types import CheckedCitation, CitableSource, CitationUse
from app.rag.judgement import outcome
from app.statuses import AnswerOutcome
from tests.citations.test_citations import source, stream

MISSING = [
    "The provided documents do not contain information about the refund policy.",
    "The passages do not mention a notice period [1][2].",
    "The sources don't say how much the premium plan costs.",
    "I could not find any information about parental leave in the provided documents.",
    "I'm sorry, but the provided context does not include details on shipping to Norway.",
    "There is no information about opening hours in the knowledge base.",
    "The context doesn't specify the maximum file size. Please provide more details or consult the vendor.",
    "Unfortunately, the given passages do not answer this question.",
    "Based on the provided passages, I cannot determine who founded the company.",
    "The passages provided do not contain the answer. They only discuss the installation of the device.",
    "I don't know.",
    "I don't have enough information to answer this question.",
    "The boiling point of element 119 is not mentioned in the provided sources.",
    "None of the passages mention the price of the ticket.",
    "No relevant information was found in the knowledge base.",
    "The documents make no mention of a trial period.",
    "**Answer:** The sources do not hold the answer to this question.",
    "The answer cannot be found in the given excerpts. If you have other documents, please add them.",
    "The provided text contains no information on the author's age.",
    "I am unable to answer this question from the passages.",
    "The sources are silent on whether pets are allowed.",
    "The passages don’t provide the date of the merger, so I can't answer the question.",
    "Die bereitgestellten Dokumente enthalten keine Informationen über die Kündigungsfrist.",
    "Die Quellen geben darüber keine Auskunft.",
    "In den vorliegenden Dokumenten wird der Preis nicht erwähnt.",
    "Dazu finde ich in den Quellen leider nichts.",
    "Ich kann diese Frage anhand der Textpassagen nicht beantworten.",
    "Leider enthalten die Passagen keine Angaben zum Gründer [1].",
    "Es tut mir leid, aber die Dokumente beantworten diese Frage nicht.",
    "Ich weiß es nicht.",
    "Es liegen keine Informationen dazu vor. Bitte wenden Sie sich an den Kundendienst.",
    "Keine der Passagen nennt die Höhe der Gebühr.",
    "Aus den Unterlagen geht nicht hervor, wann der Vertrag endet.",
    "Les documents fournis ne contiennent pas d'informations sur le délai de préavis.",
    "Les passages ne mentionnent pas le prix du billet.",
    "Je n'ai pas trouvé d'informations à ce sujet dans les sources.",
    "Désolé, mais le contexte ne précise pas la date de sortie.",
    "Il n'y a aucune information sur ce point dans les documents.",
    "Je ne peux pas répondre à cette question à partir des passages fournis.",
    "Le prix n'est pas indiqué dans les documents fournis.",
    "Malheureusement, les sources ne permettent pas de répondre à cette question.",
    "Aucune information n'est disponible dans les passages. Veuillez consulter le fabricant.",
    "Je ne sais pas.",
    "Los documentos proporcionados no contienen información sobre el plazo de devolución.",
    "Las fuentes no mencionan el precio.",
    "No he encontrado información sobre ese tema en los documentos.",
    "Lo siento, pero el contexto no incluye la fecha de lanzamiento.",
    "No hay información sobre los horarios en la base de conocimientos.",
    "El precio no se menciona en los pasajes.",
    "No puedo responder a esta pregunta con la información proporcionada.",
    "Los pasajes no dicen quién fundó la empresa. Por favor, consulte otra fuente.",
    "No lo sé.",
    "提供的资料中没有提到退款政策。",
    "根据现有文档，我无法回答这个问题。",
    "抱歉，资料中没有相关信息。",
    "知识库中未找到相关内容。",
    "这些段落没有说明价格。请提供更多资料。",
    "The provided sources do not discuss the CEO's salary.",
    "I was unable to find an answer in the supplied documents.",
    "Sorry, the documents don't cover that topic.",
    "The question cannot be answered based on the provided context.",
    "The passages contain no mention of the warranty.",
    "There's not enough information in the passages to determine the cause.",
    "The information you are looking for is not available in the knowledge base.",
    "Nothing in the sources addresses this question.",
    "The provided passages do not explicitly state when the law took effect.",
    "Based on the sources, it is not possible to say how many users there are.",
    "The context provided does not contain enough details. I recommend checking the official website.",
    "The documents I have access to do not include pricing information.",
    "Die Dokumente enthalten dazu keine Informationen.",
    "Dazu gibt es in den bereitgestellten Quellen keine Angaben.",
    "Die Frage lässt sich anhand der vorliegenden Textpassagen nicht beantworten.",
    "Ich habe in den Dokumenten keine Informationen zu diesem Thema gefunden.",
    "Der Kontext reicht nicht aus, um die Frage zu beantworten.",
    "Les sources fournies ne donnent aucune indication sur ce sujet.",
    "Je n'ai trouvé aucune réponse à cette question dans les documents.",
    "Les documents ne permettent pas de déterminer la date.",
    "Cette information ne figure pas dans les passages fournis.",
    "Las fuentes proporcionadas no especifican la fecha.",
    "No encuentro esa información en los documentos.",
    "La información solicitada no está disponible en los documentos proporcionados.",
    "Los documentos no responden a esta pregunta.",
    "提供的文档中没有相关信息。",
    "我无法从资料中找到答案。",
]

ANSWERS = [
    "",
    "The standard plan does not contain support [1].",
    "The contract does not mention a notice period, so the statutory one applies [1].",
    "We do not provide refunds after 30 days [2].",
    "There is no evidence that vitamin C prevents colds [1].",
    "Support is not included in the standard plan [1]. It can be added for 10 euros [2].",
    "The passages do not mention the price, but the standard plan includes support [1].",
    "The sources do not give the exact date. The merger was announced in March 2020 [1].",
    "No, the device cannot be used under water [1].",
    "The mixture contains no sugar [1].",
    "You cannot find the serial number on the box; it stands on the back [1].",
    "The API does not provide information about deleted users [3].",
    "The file does not contain a header line, therefore columns are named by number [1].",
    "If no sources are found, the server answers with a fixed text [1].",
    "Documents without text are rejected with NO_TEXT_LAYER [1].",
    "The law does not specify a minimum age [1].",
    "He said that he did not know the answer [1]. The judge believed him [1].",
    "The knowledge base is stored in one file [1].",
    "There are no fees for students [1].",
    "The report includes no information on wages, according to its author [1]. Wages rose by 3 % [2].",
    "Der Tarif enthält keinen Support [1].",
    "Der Vertrag nennt keine Kündigungsfrist [1].",
    "Das Gerät darf nicht im Freien verwendet werden [1].",
    "Die Quellen nennen den Preis nicht, aber der Tarif enthält Support [1].",
    "Es gibt keine Gebühren für Studierende [1].",
    "Wir können Pakete nicht nach Norwegen liefern [1].",
    "Le forfait standard ne contient pas d'assistance [1].",
    "Le contrat ne mentionne pas de préavis [1].",
    "Il n'y a pas de frais pour les étudiants [1].",
    "L'appareil ne doit pas être utilisé sous l'eau [2].",
    "Les passages ne mentionnent pas le prix, mais le forfait comprend l'assistance [1].",
    "El plan estándar no incluye soporte [1].",
    "El contrato no menciona un plazo de preaviso [1].",
    "No hay gastos para estudiantes [1].",
    "Las fuentes no mencionan el precio, pero el plan incluye soporte [1].",
    "标准套餐不包含技术支持[1]。",
    "资料中没有提到价格，但标准套餐包含技术支持[1]。",
    "该设备不能在水下使用[1]。",
    "Refunds are not available for sale items [1].",
    "The starter kit does not include batteries [2].",
    "We cannot confirm bookings by phone [1].",
    "The database does not store passwords [1].",
    "Documents are not included in the backup unless you ask for it [3].",
    "The committee found no evidence of fraud [1].",
    "The source code is not available on GitHub [1].",
    "You do not have to provide documents [1].",
    "The form does not mention allergies, so add them by hand [2].",
    "The context menu does not contain this entry on macOS [1].",
    "Sources that are not cited are not listed [1].",
    "The search results do not include archived tickets by default [1].",
    "Your documents do not leave the machine [1].",
    "The index does not contain stop words [1].",
    "Das Paket enthält keine Batterien [1].",
    "Dokumente werden nicht gelöscht, sondern archiviert [2].",
    "Ich kann die Datei nicht öffnen, wenn sie verschlüsselt ist [1].",
    "Le kit ne comprend pas de piles [1].",
    "Les documents ne sont pas supprimés [1].",
    "El kit no incluye pilas [1].",
    "Los documentos no se borran [2].",
    "文档不会被删除[1]。",
    "数据库中没有存储密码[1]。",
    "The passages do not mention a price. " + "The plan includes support, storage and backups [1]. " * 9,
]


@pytest.mark.parametrize("answer", MISSING)
def test_says_insufficient(answer: str) -> None:
    assert outcome.says_insufficient(answer)


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_something(answer: str) -> None:
    assert not outcome.says_insufficient(answer)


def test_two_hundred_answers_in_four_languages_are_classified() -> None:
    """Precision comes first: a real answer mistaken for a refusal loses its citations."""
    lines = (Path(__file__).parents[1] / "files" / "insufficient.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [json.loads(line) for line in lines]
    assert len(answers) == 200
    for language in ("en", "de", "fr", "zh"):
        mine = [answer for answer in answers if answer["language"] == language]
        found = [outcome.says_insufficient(answer["answer"]) for answer in mine]
        right = sum(says and answer["insufficient"] for says, answer in zip(found, mine, strict=True))
        assert right >= 0.98 * sum(found), language
        assert right >= 0.88 * sum(answer["insufficient"] for answer in mine), language


def checked(answer: str, *titles: str | None, style: str = "NUMBERED") -> CitationStream:
    sources = [
        CitableSource(i, i, f"document-{i}", title, None, 3 if i == 1 else None, (), i, "The price is 10 euros.")
        for i, title in enumerate(titles, 1)
    ]
    stream = CitationStream(sources, "CHUNK" if style == "CHUNK" else "NUMBERED")
    stream.feed(answer)
    stream.finish()
    return stream


@pytest.mark.parametrize(
    ("answer", "grounded", "open_outcome"),
    [
        ("The price is 10 euros [1].", AnswerOutcome.CITED, AnswerOutcome.CITED),
        ("The price is 10 euros.", AnswerOutcome.REJECTED, AnswerOutcome.UNCITED),
        ("The price is 10 euros [7].", AnswerOutcome.REJECTED, AnswerOutcome.UNCITED),
        ("", AnswerOutcome.REJECTED, AnswerOutcome.UNCITED),
        ("The sources do not mention a price.", AnswerOutcome.INSUFFICIENT, AnswerOutcome.UNCITED),
        ("The sources do not mention a price [1].", AnswerOutcome.INSUFFICIENT, AnswerOutcome.CITED),
        ("The plan does not contain support [1].", AnswerOutcome.CITED, AnswerOutcome.CITED),
    ],
)
def test_judge(answer: str, grounded: AnswerOutcome, open_outcome: AnswerOutcome) -> None:
    stream = checked(answer, "Prices")
    assert outcome.judge_outcome(stream.content, stream.citations, "GROUNDED") is grounded
    assert outcome.judge_outcome(stream.content, stream.citations, "OPEN") is open_outcome


@pytest.mark.parametrize("style", ["NUMBERED", "CHUNK"])
def test_an_insufficient_answer_loses_its_markers_in_either_style(style: str) -> None:
    stream = checked("The sources do not mention a fee [1, 2]. See `a[1]`.", "Prices", "Plans", style=style)
    assert (
        answer_text.remove_markers(stream.content, stream.citations) == "The sources do not mention a fee. See `a[1]`."
    )


def test_a_source_list_matches_seed_004_byte_for_byte() -> None:
    stream = checked("It is 10 euros [2] or [1] [3].", "Prices\nof 2024", None, "Plans")
    assert answer_text.append_source_list(stream.content, stream.citations) == (
        "It is 10 euros [1] or [2] [3].\n\n---\n**Sources:**\n"
        "- [1] Unknown source\n- [2] Prices of 2024, page 3\n- [3] Plans\n"
    )


def test_page_zero_is_a_page() -> None:
    sources = [CitableSource(1, 1, "document", "Prices", None, 0, (), 0, "The price is 10 euros.")]
    stream = CitationStream(sources, "NUMBERED")
    stream.feed("It is 10 euros [1].")
    stream.finish()
    assert answer_text.append_source_list("", stream.citations) == "\n\n---\n**Sources:**\n- [1] Prices, page 0\n"


def test_without_citations_there_is_no_list() -> None:
    assert answer_text.append_source_list("Hello.", ()) == "Hello."


def test_overlapping_markers_are_removed_once() -> None:
    use = CitationUse((4, 7), 1, "", (0, 0), 0.0)
    citation = CheckedCitation(1, "[1]", "d", None, None, None, 1, (use, CitationUse((4, 7), 2, "", (0, 0), 0.0)))
    assert answer_text.remove_markers("So. [1] Yes", [citation]) == "So. Yes"


@pytest.mark.parametrize(
    "question", ["What is it?", "Was ist das?", "Qui est-ce ? Quand ?", "¿Qué es y cuándo?", "是什么？"]
)
def test_a_refusal_is_recognized_as_one_in_every_language(question: str) -> None:
    assert outcome.says_insufficient(refusals.no_sources_text(question))


def test_default_texts() -> None:
    assert refusals.NO_SOURCES_TEXT == "No relevant information was found in the knowledge base."
    assert refusals.REJECTED_TEXT == "The answer could not be supported by the knowledge base."


@pytest.mark.parametrize(
    "answer",
    [
        "[1]",
        " [1] ",
        "[1][2].",
        "**[1]**",
        "__[1]__",
        "- [1]\n- [2]\n",
        "1. [1]\n2. [2]",
        "Sources: [1], [2]",
        "**Sources:**\n\n- [1]\n- [2]",
        "See [1].",
        "Quellen: [1]",
        "来源：[1]",
        "Sources:\n- [1] The Plans",
        "1. [1] Plans\n2. [2] plans",
        "<sup>[1]</sup>",
        "&nbsp;[1]",
        "✅ [1]",
        "[1] [9]",
        "\u200b[1]",
    ],
)
@pytest.mark.parametrize("keep", [True, False])
def test_an_answer_of_only_markers_is_not_an_answer(answer: str, keep: bool) -> None:
    checked, _ = stream(answer, [source(1, title="The Plans"), source(2, title="Plans")], keep_markers=keep)
    assert checked.citations
    assert outcome.judge_outcome(checked.content, checked.citations, "GROUNDED") is AnswerOutcome.REJECTED
    assert outcome.judge_outcome(checked.content, checked.citations, "OPEN") is AnswerOutcome.CITED


@pytest.mark.parametrize(
    "answer",
    [
        "Yes [1].",
        "42 [1]",
        "是 [1]",
        "Plans [1]",
        "3. [1]",
        "Sources: wool and cotton [1].",
        "10 % [1]",
        "`<dependency>` [1]",
        "See page 4 [1].",
    ],
)
def test_a_one_word_answer_is_an_answer(answer: str) -> None:
    checked, _ = stream(answer, [source(1)])
    assert outcome.judge_outcome(checked.content, checked.citations, "GROUNDED") is AnswerOutcome.CITED


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["[", "]", "(http://x.y)", "`", "<b>", "|", "*", "_", "~~", "\n", "&#91;", "2", "www.a.org", "!", "\\"]
        )
        | st.text(max_size=3),
        max_size=12,
    ).map("".join)
)
def test_a_title_shows_as_itself(title: str) -> None:
    """Rendered as Markdown, a name is plain text on one line: no link, code, emphasis or other block."""
    rendered = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .parse(f"- [1] x{answer_text.escape_markdown(title)}\n")
    )
    assert [token.type for token in rendered] == [
        "bullet_list_open",
        "list_item_open",
        "paragraph_open",
        "inline",
        "paragraph_close",
        "list_item_close",
        "bullet_list_close",
    ]
    [inline] = [token.children or [] for token in rendered if token.type == "inline"]
    assert {token.type for token in inline} <= {"text"}
