"""Where quotes stand on the pages of PDFs, through the front door."""

from pathlib import Path

import httpx

from app.settings import Settings
from tests.files.pdf import lines_inside, paragraph
from tests.files.pdf import pdf as make_pdf
from tests.graphql.client import INGESTION, Client, Json
from tests.graphql.documents.test_documents import upload
from tests.serving import serve
from tests.statements import recorded_work

RETURNS = make_pdf(
    [
        [(72, 700, "Our shop opened long ago.")],
        paragraph("Goods may be returned within 30 days of delivery.", "Shipping abroad costs twelve euros a parcel."),
    ]
)
RECTANGLES = """query($id: ID!) { message(id: $id) { content citations { documentTitle page uses { quote
  rectangles { pageNumber width height boxes { left top right bottom } } } } } }"""


async def add_pdf(client: Client, project: str, data: bytes) -> None:
    """Add or replace the PDF, and wait until it can be searched."""
    added = (await upload(client, "returns.pdf", data, "application/pdf", projectId=project, source="s")).json()
    document = added["data"]["uploadDocument"]["document"]["id"]
    assert (await client.follow(INGESTION, document=document))[-1]["__typename"] == "IngestionCompleted"


async def uses_of(client: Client, answer: str) -> list[Json]:
    """Every use of a citation in an answer, with the title of the document."""
    citations = (await client.run(RECTANGLES, id=answer))["message"]["citations"]
    return [{**use, "of": citation["documentTitle"]} for citation in citations for use in citation["uses"]]


def words_inside(data: bytes, area: Json) -> str:
    """What stands in the boxes."""
    boxes = [(box["left"], box["top"], box["right"], box["bottom"]) for box in area["boxes"]]
    return " ".join(lines_inside(data, area["pageNumber"], boxes))


async def test_quotes_of_a_pdf_are_found_on_its_page(tmp_path: Path) -> None:
    settings = Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"})
    with serve(settings) as url:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project = await client.project("paper")
            await add_pdf(client, project, RETURNS)
            await client.ready(project, "Opening hours", "The shop is open from nine to five on weekdays.")
            session = await client.session(project, ragThreshold=0.01)
            answer = await client.answered(session, "Within how many days may goods be returned?")
            [use] = await uses_of(client, answer)
            [area] = use["rectangles"]
            assert (area["pageNumber"], area["width"], area["height"]) == (2, 595, 842)
            assert words_inside(RETURNS, area) == use["quote"]
            [citation] = (await client.run(RECTANGLES, id=answer))["message"]["citations"]
            assert citation["page"] == 2, "the page of the quote, not that on which its passage begins"
            with recorded_work(settings) as found:
                assert await uses_of(client, answer) == [use]
            # Remembered: the original is not read again.
            assert not any("originals" in statement for statement in found.statements), found.statements

            plain = await uses_of(client, await client.answered(session, "On which days is the shop open?"))
            assert [use["rectangles"] for use in plain if use["of"] == "Opening hours"] == [[]]

            # The quote is kept, but nobody can say where it was.
            await add_pdf(client, project, make_pdf([paragraph("Goods may never be returned.")]))
            [kept] = await uses_of(client, answer)
            assert kept == {**use, "rectangles": []}
