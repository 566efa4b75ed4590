"""Signed URLs: originals and pictures of pages, opened without a credential by who was given the URL."""

import struct
import time

import httpx

from app.accounts.members import Role
from tests.files.pdf import paragraph
from tests.files.pdf import pdf as make_pdf
from tests.graphql.client import INGESTION, Client, Json
from tests.graphql.people import MARK, World, plain
from tests.graphql.test_documents import upload

URLS = """query($id: ID!, $page: Int! = 1) { document(id: $id) {
  signedUrl { href validUntil } pagePictureUrl(pageNumber: $page) { href } } }"""
PAPER = make_pdf([paragraph("Page one."), paragraph("Page two.")])


async def urls(client: Client, document: str, page: int = 1) -> Json:
    return (await client.run(URLS, id=document, page=page))["document"]


async def opened(server: str, path: str) -> httpx.Response:
    """What a browser gets, without a credential."""
    async with httpx.AsyncClient(base_url=server) as browser:
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
