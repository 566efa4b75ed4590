"""Signed URLs: originals and pictures of pages, opened without a credential by who was given the URL."""

import hashlib
import os
import struct
import time
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from app.accounts.members import Role
from app.database import models
from app.graphql import ids
from app.settings import Settings
from tests.files.pdf import paragraph
from tests.files.pdf import pdf as make_pdf
from tests.graphql.access.people import MARK, World, plain
from tests.graphql.access.test_accounts import CHANGE, REVOKE, SIGN_IN, SIGN_OUT
from tests.graphql.client import INGESTION, Client, Json, subscribe
from tests.graphql.documents.test_documents import upload
from tests.serving import serve

URLS = """query($id: ID!, $page: Int! = 1) { document(id: $id) {
  signedUrl { href validUntil } pagePictureUrl(pageNumber: $page) { href } } }"""
PAPER = make_pdf([paragraph("Page one."), paragraph("Page two.")])


@pytest.fixture
def large(tmp_path: Path) -> Generator[str]:
    """The address of a server that takes large files."""
    with serve(Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"})) as url:
        yield url


async def urls(client: Client, document: str, page: int = 1) -> Json:
    return (await client.run(URLS, id=document, page=page))["document"]


async def opened(server: str, path: str, **headers: str) -> httpx.Response:
    """What a browser gets, without a credential."""
    async with httpx.AsyncClient(base_url=server, headers=headers) as browser:
        return await browser.get(path)


async def test_pdfs_are_shown_and_so_are_pictures_of_their_pages(client: Client, server: str) -> None:
    project = await client.project("signed")
    added = (await upload(client, "paper.pdf", PAPER, "application/pdf", projectId=project)).json()
    document = added["data"]["uploadDocument"]["document"]["id"]
    await client.follow(INGESTION, document=document)
    given = await urls(client, document, page=2)
    assert given["signedUrl"] == (await urls(client, document))["signedUrl"], "so that browsers can keep it"
    original = await opened(server, given["signedUrl"]["href"])
    assert (original.status_code, original.content) == (200, PAPER)
    headers = original.headers
    assert headers["content-type"] == "application/pdf"
    assert headers["content-disposition"] == "inline; filename*=UTF-8''paper.pdf"
    assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "SAMEORIGIN")
    assert (headers["content-security-policy"], headers["cache-control"]) == ("frame-ancestors 'self'", "no-store")
    path = given["pagePictureUrl"]["href"]
    for sent, width in (("", 1000), ("&width=300", 300), ("&width=9999", 2000)):
        picture = await opened(server, f"{path}{sent}")
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
        assert struct.unpack(">4sII", picture.content[12:24])[:2] == (b"IHDR", width)
    assert "sandbox" in picture.headers["content-security-policy"]
    missing = (await urls(client, document, page=3))["pagePictureUrl"]["href"]
    for wrong in (missing, f"{path}&width=0", f"{path}&width=x"):
        assert (await opened(server, wrong)).status_code == 404
    note = await client.ready(
        project, "Note", "<html><body><p>Read me.</p><script>alert(1)</script>", mediaType="text/html"
    )
    given = await urls(client, note)
    assert given["pagePictureUrl"] is None
    page = (await opened(server, given["signedUrl"]["href"])).headers
    assert (page["content-type"], page["content-disposition"][:10]) == ("application/octet-stream", "attachment")


# What browsers send for a link, a picture and a frame on a page of another site.
ELSEWHERE = [
    {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": destination}
    for site in ("same-site", "cross-site")
    for mode, destination in (("navigate", "document"), ("no-cors", "image"), ("navigate", "iframe"))
]


async def test_pages_of_other_origins_show_what_signed_urls_lead_to(tmp_path: Path) -> None:
    """Frames only those that may call the API; and nobody without a signature."""
    values = {"database_url": f"sqlite:///{tmp_path / 'footnote.db'}", "cors_origins": "https://app.example.org"}
    with serve(Settings.model_validate(values)) as server:
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server)
            project = await client.project("signed")
            added = (await upload(client, "paper.pdf", PAPER, "application/pdf", projectId=project)).json()
            document = added["data"]["uploadDocument"]["document"]["id"]
            await client.follow(INGESTION, document=document)
            given = await urls(client, document)
        for kind in ("signedUrl", "pagePictureUrl"):
            url = given[kind]["href"]
            path, _, query = url.partition("?")
            for site in ELSEWHERE:
                shown = await opened(server, url, **site)
                assert shown.status_code == 200, site
                assert shown.headers["cross-origin-resource-policy"] == "cross-origin"
                policy = shown.headers["content-security-policy"]
                assert policy.endswith("frame-ancestors 'self' https://app.example.org")
                assert (await opened(server, url[:-1], **site)).status_code == 401, "forged"
                elsewhere = await opened(server, f"/v1/models?{query}", **site)
                assert elsewhere.status_code == (200 if site["sec-fetch-dest"] == "document" else 403)
                assert (await opened(server, f"/graphql?query={{__typename}}&{query}", **site)).status_code == 403
                if site["sec-fetch-dest"] != "document":
                    assert (await opened(server, path, **site)).status_code == 403, "without a signature"
            assert (await opened(server, url, origin="https://evil.example")).status_code == 403


ABSURD = {
    "MediaBox[0 0 14400 14400]": (2000, 2000),
    "MediaBox[0 0 nan 9e99]": (2000, 2589),  # as a letter
    "MediaBox[0 0 14400 1]": (2000, 1),
    "MediaBox[0 0 1 14400]": (3, 32_000),
    "MediaBox[0 0 0.001 14400]": (1, 32_000),
    "MediaBox[0 0 0.0001 1000000]": (1, 32_000),
    "MediaBox[0 0 1000000 0.0001]": (2000, 1),
    "MediaBox[0 0 595 842]/UserUnit 75000": (2000, 2831),
    "MediaBox[0 0 595 842]/CropBox[900 900 950 950]": None,
}


async def test_pictures_of_pages_are_bounded_however_large_or_thin_the_pages_are(client: Client, server: str) -> None:
    project = await client.project("absurd")
    drawn: dict[str, tuple[int, int] | None] = {}
    for box in ABSURD:
        data = PAPER.replace(b"MediaBox[0 0 595 842]", box.encode(), 1)
        added = (await upload(client, "paper.pdf", data, "application/pdf", projectId=project)).json()
        document = added["data"]["uploadDocument"]["document"]["id"]
        await client.follow(INGESTION, document=document)
        picture = await opened(server, (await urls(client, document))["pagePictureUrl"]["href"] + "&width=2000")
        assert picture.status_code == (404 if ABSURD[box] is None else 200), box
        drawn[box] = None if ABSURD[box] is None else struct.unpack(">II", picture.content[16:24])
    assert drawn == ABSURD


async def test_a_signed_url_is_for_its_user_and_document_while_there_is_access(world: World) -> None:
    project, document = world.seen["Project"], world.seen["Document"]
    server = world.url
    async with world.accounts() as (accounts, _):
        for name in ("lena", "lars"):
            await world.newcomer(accounts, name, Role.VIEWER, project)
        async with world.people("lena", "lars", "bob") as (lena, lars, bob):
            url, of_lars = [(await urls(each, document))["signedUrl"]["href"] for each in (lena, lars)]
            assert await urls(bob, document) is None
        assert MARK in (await opened(server, url)).text
        path, _, query = url.partition("?")
        values = dict(pair.split("=") for pair in query.split("&"))
        assert 299 < int(values["expires"]) - time.time() <= 600
        later = {**values, "expires": str(int(values["expires"]) + 1)}
        others = {**values, "user": world.users["alice"]}
        forged = [f"{path}?{'&'.join(f'{key}={value}' for key, value in each.items())}" for each in (later, others)]
        forged += [f"{path.replace(document, world.more['broken document'])}?{query}"]
        forged += [f"{path.replace('original', 'pages/1')}?{query}", url[:-1], path]
        for each in forged:
            assert (await opened(server, each)).status_code == 401, each
        await accounts.members.remove_member(plain(project), world.users["lena"], world.users["lena"])
        assert (await opened(server, url)).status_code == 404
        assert (await opened(server, of_lars)).status_code == 200
        await accounts.users.disable(world.users["lars"])
        assert (await opened(server, of_lars)).status_code == 401


@pytest.mark.parametrize("signed", [True, False])
async def test_originals_are_served_in_parts(client: Client, server: str, signed: bool) -> None:
    text = "".join(f"{number:06} words.\n" for number in range(6000))
    document = await client.ready(await client.project(f"parts, {signed}"), "Long", text)
    given = await client.run("query($id: ID!) { document(id: $id) { originalUrl signedUrl { href } } }", id=document)
    path = given["document"]["signedUrl"]["href"] if signed else given["document"]["originalUrl"]
    whole, size = text.encode(), len(text)
    async with httpx.AsyncClient(base_url=server) as browser:
        head = await browser.head(path)
        wanted = {
            "content-length": f"{size}",
            "accept-ranges": "bytes",
            "etag": f'"{hashlib.sha256(whole).hexdigest()}"',
        }
        assert (head.status_code, head.content) == (200, b"")
        assert {name: head.headers[name] for name in wanted} == wanted
        for asked, first, last in (
            ("bytes=0-0", 0, 0),
            ("bytes=5-20", 5, 20),
            ("Bytes=83990-", 83_990, size - 1),
            (f"bytes={size - 1}-9999999999", size - 1, size - 1),
            ("bytes=-7", size - 7, size - 1),
            (f"bytes=-{size + 5}", 0, size - 1),
        ):
            part = await browser.get(path, headers={"range": asked, "if-range": head.headers["etag"]})
            assert (part.status_code, part.content) == (206, whole[first : last + 1]), asked
            assert part.headers["content-range"] == f"bytes {first}-{last}/{size}"
            assert part.headers["content-length"] == f"{last - first + 1}"
            assert part.headers["content-disposition"] == head.headers["content-disposition"]
        for outside in (f"bytes={size}-", "bytes=-0", f"bytes=99999999999999999999-{'9' * 20}"):
            refused = await browser.get(path, headers={"range": outside})
            assert (refused.status_code, refused.headers["content-range"]) == (416, f"bytes */{size}")
            assert f"{size} bytes" in refused.text
        ignored: list[dict[str, str]] = [{"range": each} for each in ("bytes=3-2", "bytes=-", "bytes=x-", "lines=0-1")]
        ignored += [{"range": "bytes=0-1,5-6"}, {"range": f"bytes=0-{'9' * 5000}"}]
        changed = ('"other"', f"W/{head.headers['etag']}", "Mon, 23 Nov 2026 04:00:00 GMT")
        ignored += [{"range": "bytes=0-1", "if-range": each} for each in changed]
        for headers in ignored:
            response = await browser.get(path, headers=headers)
            assert (response.status_code, response.content) == (200, whole), headers
        assert (await browser.head(path, headers={"range": "bytes=0-1"})).status_code == 200
        etag = head.headers["etag"]
        for known in (etag, f'"other", W/{etag}', "*"):
            same = await browser.get(path, headers={"if-none-match": known, "range": "bytes=0-1"})
            assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", etag), known
        assert (await browser.get(path, headers={"if-none-match": '"other"'})).content == whole


async def test_a_part_of_a_large_original_is_found_across_pieces(client: Client, large: str) -> None:
    """Pieces have a million bytes."""
    client = Client(client.http, large)
    data = PAPER + os.urandom(2_300_000)
    project = await client.project("pieces")
    added = (await upload(client, "large.pdf", data, "application/pdf", projectId=project)).json()
    document = added["data"]["uploadDocument"]["document"]["id"]
    path = (await urls(client, document))["signedUrl"]["href"]
    async with httpx.AsyncClient(base_url=large) as browser:
        for first, last in ((999_990, 1_000_010), (1_000_000, 1_999_999), (999_999, 2_000_000), (0, len(data) - 1)):
            part = await browser.get(path, headers={"range": f"bytes={first}-{last}"})
            assert part.status_code == 206
            assert part.content == data[first : last + 1]


async def test_a_signed_url_ends_with_the_credential_that_it_was_made_with(world: World) -> None:
    document, token = world.seen["Document"], "laptop"
    async with world.accounts() as (accounts, _):
        kim = await world.newcomer(accounts, "kim", Role.VIEWER, world.seen["Project"])
        await accounts.users.set_password(kim, "correct horse battery")
        world.tokens[token], row = await accounts.access_tokens.create(kim, "laptop")
        soon = models.now() + timedelta(seconds=60)
        world.tokens["short"], _ = await accounts.access_tokens.create(kim, "short", soon)
    async with world.people("nobody", "kim", token, "short") as (visitor, phone, laptop, short):
        for name in ("desk", "couch"):
            given = await visitor.mutate(SIGN_IN, email="kim@example.org", password="correct horse battery")
            world.tokens[name] = given["token"]
        async with world.people("desk", "couch") as (desk, couch):
            links = [(await urls(each, document))["signedUrl"]["href"] for each in (phone, laptop, desk, couch, short)]
            assert await statuses(world, links) == [200, 200, 200, 200, 200]
            assert f"expires={int(soon.timestamp())}&" in links[4], "no later than the token"
            await phone.mutate(REVOKE, id=ids.encode("AccessToken", row.id))
            assert await statuses(world, links) == [200, 401, 200, 200, 200]
            assert await desk.run(SIGN_OUT) == {"signOut": True}
            assert await statuses(world, links) == [200, 401, 401, 200, 200]
            swapped = links[0].replace("ACCESS_TOKEN", "IDENTITY")
            assert await statuses(world, [swapped, links[1].replace("credential=", "credential=x")]) == [401, 401]


async def test_urls_are_valid_that_a_server_signs_after_its_owner_has_set_a_password(large: str) -> None:
    async with httpx.AsyncClient(timeout=60) as http:
        local = Client(http, large)
        note = await local.ready(await local.project("signed"), "Larks", "Larks sing at dawn.")
        assert (await local.mutate(CHANGE, newPassword="correct horse battery"))["__typename"]
        given = (await urls(local, note))["signedUrl"]["href"]
        assert (await opened(large, given)).text == "Larks sing at dawn."


async def test_urls_are_valid_that_are_signed_on_a_socket_after_a_change_of_the_password(world: World) -> None:
    document = world.seen["Document"]
    async with world.accounts() as (accounts, _):
        lotte = await world.newcomer(accounts, "lotte", Role.VIEWER, world.seen["Project"])
        async with world.people("lotte") as (client,), client.socket() as socket:
            before, *_ = [each async for each in subscribe(socket, URLS, id=document)]
            await accounts.users.set_password(lotte, "correct horse battery")
            after, *_ = [each async for each in subscribe(socket, URLS, id=document)]
    assert await statuses(world, [each["signedUrl"]["href"] for each in (before, after)]) == [401, 200]


async def statuses(world: World, links: list[str]) -> list[int]:
    """What browsers get."""
    return [(await opened(world.url, link)).status_code for link in links]
