"""Texts in Hebrew, Arabic and the scripts of India and Southeast Asia are found by words, in any of their spellings."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from app import language
from app.database import models
from app.database.opening import open_database
from app.database.pages import PageRequest
from app.knowledge.index import terms
from app.language import scripts
from app.services import open_backend
from migrations import full_text_0007, full_text_0036
from tests import old_databases
from tests.answers import Start, final
from tests.conftest import MakeSettings
from tests.documents import add
from tests.graphql.chat.test_message_search import marked, searched, talk
from tests.graphql.client import Client

SEARCH = """query($input: SearchInput!) { search(input: $input) {
  edges { highlights { startOffset endOffset } node { text } } } }"""
# Questions, each with the text that answers it and the words of it that are highlighted.
FOUND = [
    ("कला", "कला संग्रहालय में पुराने चित्र हैं।", ["कला"]),
    ("काला", "काला नमक पाचन के लिए अच्छा है।", ["काला"]),
    ("कल", "कल बारिश होगी।", ["कल"]),
    ("हिंदी", "हिन्दी की लिपि देवनागरी है।", ["हिन्दी"]),
    ("खांसी जरूरी", "खाँसी में आराम ज़रूरी है।", ["खाँसी", "ज़रूरी"]),
    ("भारत 1947", "भारत १९४७ में स्वतंत्र हुआ।", ["भारत", "१९४७"]),
    ("क्\u200dष", "क्ष एक संयुक्त अक्षर है।", ["क्ष"]),
    ("கலை", "கலை அருங்காட்சியகம் திறந்துள்ளது.", ["கலை"]),
    ("അവൻ", "അവന്\u200d വന്നു.", ["അവന്\u200d"]),
    ("החתול אוכל", "הֶחָתוּל אוֹכֵל דָּגִים.", ["הֶחָתוּל", "אוֹכֵל"]),
    ("הַמָּלוֹן", "המלון קרוב לים.", ["המלון"]),
    ("الطالب المدرسه", "قَرَأَ الطَّالِبُ فِي الْمَدْرَسَةِ.", ["الطَّالِبُ", "الْمَدْرَسَةِ"]),
    ("الْفُنْدُقُ", "الفندق قريب من البحر.", ["الفندق"]),
    ("القطة", "القـــطة تأكل السمك.", ["القـــطة"]),
    ("الاحد مستشفي", "مستشفى المدينة مفتوح يوم الأحد.", ["مستشفى", "الأحد"]),
    ("الجامعة", "ﺍﻟﺠﺎﻣﻌﺔ تقبل الطلبات.", ["ﺍﻟﺠﺎﻣﻌﺔ"]),
    ("کتاب", "هذا كتاب قديم.", ["كتاب"]),
    ("ห้องสมุดเปิดกี่โมง", "วันนี้ห้องสมุดเปิดเก้าโมง", ["ห้องสมุดเปิด", "โมง"]),
    ("ยา", "เด็กไม่ควรกินยานี้", ["ยา"]),
    ("ຫໍສະໝຸດ", "ມື້ນີ້ຫໍສະໝຸດເປີດ", ["ຫໍສະໝຸດ"]),
    ("မြန်မာ", "သူသည်မြန်မာစာဖတ်သည်။", ["မြန်မာ"]),
    ("ភ្នំពេញ", "រថភ្លើងចេញពីភ្នំពេញ។", ["ភ្នំពេញ"]),
    ("ព្រៃ", "ដំរីរស់នៅក្នុងព្រៃ។", ["ព្រៃ"]),
]


async def test_words_are_found_and_highlighted_however_they_are_written(start: Start) -> None:
    client = start()
    project = await client.project("Scripts")
    for number, (_, content, _) in enumerate(FOUND):
        await client.ready(project, f"{number}", content)
    for query, content, words in FOUND:
        wanted = {"projectId": project, "query": query, "mode": "LEXICAL"}
        edges = (await client.run(SEARCH, input=wanted))["search"]["edges"]
        assert [edge["node"]["text"] for edge in edges[:1]] == [unicodedata.normalize("NFC", content)], query
        shown = edges[0]["node"]["text"]
        found = [shown[span["startOffset"] : span["endOffset"]] for span in edges[0]["highlights"]]
        assert found == [unicodedata.normalize("NFC", word) for word in words], query


async def test_a_word_does_not_find_others_with_the_same_consonants(start: Start) -> None:
    client = start()
    project = await client.project("Consonants")
    for content in ("काला नमक", "कल बारिश होगी", "कला संग्रहालय"):
        await client.ready(project, content, content)
    wanted = {"projectId": project, "query": "कला", "mode": "LEXICAL"}
    edges = (await client.run(SEARCH, input=wanted))["search"]["edges"]
    assert [edge["node"]["text"] for edge in edges] == ["कला संग्रहालय"]


async def test_answers_quote_the_sentence_that_has_the_words_of_the_question(start: Start) -> None:
    client = start()
    project = await client.project("Answers")
    read = "सदस्य पाँच किताबें दो सप्ताह के लिए ले सकते हैं।"
    await client.ready(project, "पुस्तकालय", f"पुस्तकालय सुबह नौ बजे खुलता है। {read} शाम को छह बजे बंद होता है।")
    eats = "הֶחָתוּל אוֹכֵל דָּגִים וְיָשֵׁן שֵׁשׁ עֶשְׂרֵה שָׁעוֹת."
    await client.ready(project, "חיות", f"{eats} הַכֶּלֶב שׁוֹמֵר עַל הַבַּיִת.")
    session = await client.session(project)
    for question, quote in (("מה החתול אוכל?", eats), ("सदस्य कितनी किताबें ले सकते हैं?", read)):
        answer = await final(client, session, question)
        [citation] = answer["citations"]
        assert (answer["outcome"], citation["quote"], citation["support"]) == ("CITED", quote, 1)


async def test_messages_are_found_however_they_are_written(client: Client) -> None:
    project = await client.project("Messages")
    said = ("हिन्दी भाषा", "קָרָאתִי סֵפֶר", "قرأت الْكِتَابَ", "ฉันอ่านหนังสือในห้องสมุด")
    await talk(client, project, *said)
    for query, content, word in (
        ("हिंदी", said[0], "हिन्दी"),
        ("ספר", said[1], "סֵפֶר"),
        ("الكتاب", said[2], "الْكِتَابَ"),
        ("หนังสือ", said[3], "หนังสือ"),
    ):
        edges = [edge for edge in (await searched(client, query))["edges"] if edge["node"]["role"] == "USER"]
        assert [(edge["node"]["content"], marked(edge)) for edge in edges] == [(content, [word])]


READ_TERMS = {
    "sqlite": "SELECT term, doc FROM chunk_postings ORDER BY 1, 2",
    "postgresql": "SELECT unnest(terms) AS term, chunk_id FROM chunk_texts ORDER BY 1, 2",
}


async def stored_terms(url: str) -> list[tuple[str, int]]:
    database = open_database(url)
    try:
        async with database.read() as db:
            return [(row[0], row[1]) for row in await db.execute(text(READ_TERMS[database.dialect]))]
    finally:
        await database.close()


async def test_an_upgrade_indexes_what_there_is_again(make_settings: MakeSettings, database_url: str) -> None:
    settings = make_settings()
    said = [content for _, content, _ in FOUND]
    async with open_backend(settings, "serve") as footnote:
        project = await footnote.knowledge.projects.create_project("Scripts")
        for number, content in enumerate([*said, "The fox is red.", "狐狸是红色的。"]):
            await add(footnote, project.id, content, title=f"{number}", source=f"{number}")
        session = await footnote.chat.sessions.create_session(project.id, footnote.owner.id, {})
        async with footnote.database.begin() as db:
            of_session = {"project_id": project.id, "session_id": session.id, "role": "USER", "status": "COMPLETED"}
            for number, content in enumerate(said):
                previous = f"{number - 1:032}" if number else None
                values = {"id": f"{number:032}", "position": number + 1, "previous_id": previous}
                db.add(models.Message(**of_session, **values, content=content))
        await footnote.chat.message_search.index_waiting()
    newest = await stored_terms(database_url)
    await old_databases.go_back(database_url, "0035")
    assert await stored_terms(database_url) != newest
    async with open_backend(settings, "serve") as footnote:
        assert await stored_terms(database_url) == newest
        assert (await footnote.knowledge.check.check()).findings == []
        found = await footnote.chat.message_search.search(footnote.owner.id, "हिंदी", None, PageRequest(20), None)
        assert [each.snippet for each in found.rows] == ["हिन्दी की लिपि देवनागरी है।"]


# Latin, Greek and Cyrillic, Chinese, Japanese and Korean, and whatever else is not of these scripts.
OTHER_TEXTS = st.text(
    st.one_of(
        st.characters(max_codepoint=0x52F),
        st.sampled_from(" _.-'’aeioußéœİﬁ½²0123456789"),
        st.characters(min_codepoint=0x3000, max_codepoint=0x30FF),
        st.characters(min_codepoint=0x4E00, max_codepoint=0x4E40),
        st.characters(min_codepoint=0xAC00, max_codepoint=0xAC40),
        st.characters(),
    )
).map(lambda content: re.sub(f"[{scripts.CHARACTERS}]", "", content))
TEXTS = st.text(
    st.one_of(st.characters(min_codepoint=0x590, max_codepoint=0x17FF), st.sampled_from(" a1\u200c\u200d狐"))
)


@given(OTHER_TEXTS, OTHER_TEXTS)
def test_words_of_other_scripts_are_what_they_were(heading: str, content: str) -> None:
    """To the last one: databases keep their terms, and searches their scores."""
    heading, content = (unicodedata.normalize("NFC", each) for each in (heading, content))
    now, then = terms.count_terms(heading, content), full_text_0007.count_terms(heading, content)
    assert (now.length, now.counts) == (then.length, then.counts)
    assert language.split_words(content) == re.findall(r"\w+", language.with_bigrams(content.lower()))


@given(TEXTS, TEXTS)
def test_the_upgrade_makes_the_terms_that_are_made_now(heading: str, content: str) -> None:
    now, then = terms.count_terms(heading, content), full_text_0036.count_terms(heading, content)
    assert (now.length, now.counts) == (then.length, then.counts)
