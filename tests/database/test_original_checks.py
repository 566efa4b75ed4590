"""`footnote check` compares all originals with their hashes, many small ones at a time."""

from io import BytesIO

from sqlalchemy import update

from app.database import models
from app.knowledge.uploads import PIECE_BYTES, NewDocument
from app.services import open_backend
from tests.conftest import MakeSettings
from tests.statements import recorded_work

SMALL = 60


async def test_damaged_originals_of_any_size_are_found(make_settings: MakeSettings) -> None:
    settings = make_settings()
    async with open_backend(settings, "ask") as footnote:
        project = await footnote.knowledge.projects.create_project("Checked")

        async def add(title: str, size: int) -> str:
            new = NewDocument(media_type="text/plain", title=title)
            data = f"{title} ".ljust(size, "x").encode()
            return (await footnote.knowledge.library.add_document(project.id, new, BytesIO(data)))[0].id

        small = [await add(f"small {number}", 100 + number) for number in range(SMALL)]
        large = [await add(f"large {number}", 2 * PIECE_BYTES + 1 + number) for number in range(2)]
        with recorded_work(settings) as work:
            assert (await footnote.knowledge.check.check()).findings == []
        assert len(work.statements) < SMALL
        async with footnote.database.begin() as db:
            for document, position in ((small[7], 0), (large[1], 2)):
                place = models.Original.document_id == document, models.Original.position == position
                await db.execute(update(models.Original).where(*place).values(data=b"other"))
        found = await footnote.knowledge.check.check()
    assert [finding.message for finding in found.findings] == [
        f"The original of “{title}” is damaged; add it again." for title in ("small 7", "large 1")
    ]
