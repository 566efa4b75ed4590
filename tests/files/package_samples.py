"""Three files of each format that holds others: books, messages, archives."""

from collections.abc import Sequence
from email.message import EmailMessage

from tests.files.office_samples import xlsx_samples
from tests.files.ole import compound_file
from tests.files.sample import HARD, RANGE, Sample, zipped
from tests.files.text_samples import csv_samples

CONTAINER = """<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""


def _book(chapters: Sequence[str], extra: dict[str, str | bytes], manifest: str = "") -> bytes:
    items = "".join(
        f'<item id="c{number}" href="c%20{number}.xhtml" media-type="application/xhtml+xml"/>'
        for number in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The returns book</dc:title></metadata>'
        f"<manifest>{items}{manifest}</manifest><spine>{spine}</spine></package>"
    )
    pages: dict[str, str | bytes] = {
        f"OEBPS/c {number}.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{chapter}</body></html>'
        for number, chapter in enumerate(chapters)
    }
    start: dict[str, str | bytes] = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    return zipped({**start, "OEBPS/book.opf": package, **pages, **extra})


def epub_samples() -> list[Sample]:
    contents = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Chapter Two</text>'
        '</navLabel><content src="c%201.xhtml#top"/></navPoint></navMap></ncx>'
    )
    listed = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    return [
        Sample(
            "headings.epub",
            _book(["<h1>One</h1><p>First.</p>", f"<h1>Two</h1><p>{HARD}</p>"], {}),
            "opened software",
            ("Two",),
            HARD,
        ),
        Sample(
            "contents.epub",
            _book(["<p>First.</p>", f"<p>{HARD}</p>"], {"OEBPS/toc.ncx": contents}, listed),
            "opened software",
            ("Chapter Two",),
            HARD,
        ),
        Sample(
            "table.epub",
            _book(
                [
                    "<h1>Prices</h1><table><tr><th>Region<th>Price<tr><td>Quarrington<td>3,115</table>".replace(
                        "<th>Price", "</th><th>Price</th></tr>"
                    ).replace("<td>3,115", "</td><td>3,115</td></tr>")
                ],
                {},
            ),
            "price Quarrington",
            ("Prices",),
            "| Region: Quarrington; Price: 3,115",
        ),
    ]


def _message(text: str, subject: str = "Returns") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Ada <ada@example.org>", "bob@example.org", subject
    message.set_content(text)
    return message


def eml_samples() -> list[Sample]:
    attached = _message("See the table.", "Preise für alle")
    attached.add_attachment(csv_samples()[0].data, maintype="text", subtype="csv", filename="prices.csv")
    page = _message("")
    page.set_content(f"<p>Dear Bob,<p>{HARD}", subtype="html")
    page.add_attachment(b"\x89PNG\r\n\x1a\n\0", maintype="image", subtype="png", filename="logo.png")
    return [
        Sample("text.eml", bytes(_message(HARD)), "opened software", (), HARD),
        Sample(
            "table.eml",
            bytes(attached),
            "price Quarrington",
            ("Attachment “prices.csv”", RANGE),
            "Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "page.eml",
            bytes(page),
            "opened software",
            (),
            f"From: Ada <ada@example.org>\nTo: bob@example.org\nSubject: Returns\n\nDear Bob,\n\n{HARD}",
        ),
    ]


def msg_samples() -> list[Sample]:
    def wide(text: str) -> bytes:
        return text.encode("utf-16-le")

    start = {"__properties_version1.0": bytes(32), "__substg1.0_0037001F": wide("Returns")}
    sender = {"__substg1.0_0C1A001F": wide("Ada"), "__substg1.0_0C1F001F": wide("ada@example.org")}
    attached = "__attach_version1.0_#00000000/__substg1.0_"
    return [
        Sample("text.msg", compound_file({**start, "__substg1.0_1000001F": wide(HARD)}), "opened software", (), HARD),
        Sample(
            "page.msg",
            compound_file({**start, **sender, "__substg1.0_10130102": f"<p>{HARD}".encode().ljust(5000)}),
            "opened software",
            (),
            f"From: Ada <ada@example.org>\nSubject: Returns\n\n{HARD}",
        ),
        Sample(
            "table.msg",
            compound_file(
                {
                    **start,
                    f"{attached}3707001F": wide("prices.csv"),
                    f"{attached}37010102": csv_samples()[0].data.ljust(5000, b"\n"),
                }
            ),
            "price Quarrington",
            ("Attachment “prices.csv”", RANGE),
            "Region: Quarrington; Price: 3,115",
        ),
    ]


def zip_samples() -> list[Sample]:
    return [
        Sample(
            "texts.zip",
            zipped({"docs/rules.md": f"# Returns\n\n{HARD}\n", "a.txt": "Other words."}),
            "opened software",
            ("docs/rules.md", "Returns"),
            HARD,
        ),
        Sample(
            "table.zip",
            zipped({"b.xlsx": xlsx_samples()[0].data}),
            "price Quarrington",
            ("b.xlsx", "Sheet “Prices”", RANGE),
            "Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "mail.zip",
            zipped({"m.eml": eml_samples()[1].data, "x.exe": b"MZ\0\0"}),
            "price Quarrington",
            ("m.eml", "Attachment “prices.csv”", RANGE),
            "Region: Quarrington; Price: 3,115",
        ),
    ]
