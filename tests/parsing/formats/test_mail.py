"""Mail as people have it: all of its words are read once, whatever charset, structure and fields it has."""

import base64
from collections.abc import Sequence

import pytest

from app.knowledge.parsing.dispatch import parse_file
from tests.files.ole import compound_file

NOTICE = "This message is in HTML. Please use a program that shows HTML."
PAGE = "<html><body><p>Order 4711 is late:</p><p>the bridge is closed until Friday.</p></body></html>"
WORDS = "Order 4711 is late:\n\nthe bridge is closed until Friday."
HEAD = "From: ada@example.org\nSubject: Delivery"


def write(content: str, fields: str = HEAD) -> bytes:
    return f"{fields}\nMIME-Version: 1.0\n{content}".encode()


def part(text: str, kind: str = "plain") -> str:
    return f"Content-Type: text/{kind}; charset=utf-8\n\n{text}"


def joined(kind: str, *parts: str, boundary: str = "b") -> str:
    inside = "".join(f"--{boundary}\n{each}\n" for each in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inside}--{boundary}--\n'


def read(message: bytes) -> list[str]:
    head, *body = parse_file(message, name="a.eml").text.split("\n\n")
    assert head.startswith("From: ")
    return body


def test_html_is_read_if_the_plain_text_only_stands_in_for_it() -> None:
    assert read(write(joined("alternative", part(NOTICE), part(PAGE, "html")))) == [NOTICE, *WORDS.split("\n\n")]
    wide = {name: text.encode("utf-16-le") for name, text in (("0037", "Delivery"), ("1000", NOTICE))}
    saved = {f"__substg1.0_{name}001F": data for name, data in wide.items()}
    file = compound_file(
        {"__properties_version1.0": bytes(32), **saved, "__substg1.0_10130102": PAGE.encode().ljust(5000)}
    )
    assert parse_file(file, name="a.msg").text == f"Subject: Delivery\n\n{NOTICE}\n\n{WORDS}"


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("Order 4711 is late: the bridge\nis closed until Friday.", PAGE),
        ("> Order 4711 is late:\n> the *bridge* is closed until\n> Friday <https://example.org/x>.", PAGE),
        ("注文は遅れて\nいます。橋が閉\n鎖中です。", "<p>注文は遅れています。橋が閉鎖中です。</p>"),
    ],
)
def test_alternatives_with_the_same_words_are_read_once(text: str, page: str) -> None:
    assert read(write(joined("alternative", part(text), part(page, "html")))) == [text]


def test_parts_that_are_no_alternatives_are_all_read_in_order() -> None:
    footer = "You are on the list."
    assert read(write(joined("mixed", part(PAGE, "html"), part(footer)))) == [*WORDS.split("\n\n"), footer]
    rich = joined("mixed", part(PAGE, "html"), part("<p>Yours, Ada</p>", "html"), boundary="c")
    message = write(joined("alternative", part("Order 4711 is late."), rich))
    assert read(message) == ["Order 4711 is late.", *WORDS.split("\n\n"), "Yours, Ada"]


def test_a_report_says_why_a_message_was_not_delivered() -> None:
    status = (
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nStatus: 5.1.1\nDiagnostic-Code: No such user"
    )
    text = "Reporting-MTA: dns; x\nStatus: 5.1.1\nDiagnostic-Code: No such user"
    assert read(write(joined("report", part("Not delivered."), status))) == ["Not delivered.", text]


def word(text: str, charset: str, encoding: str) -> str:
    return f"=?{charset}?B?{base64.b64encode(text.encode(encoding)).decode()}?="


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("Größe über 5 €", "Größe über 5 €"),
        (word("朱镕基的报告", "gb2312", "gb18030"), "朱镕基的报告"),
        (word("①番", "shift_jis", "cp932"), "①番"),
        (word("案件", "iso-2022-jp", "iso2022_jp"), "案件"),
        ("=?iso-8859-1?Q?It=92s_5_=80?=", "It’s 5 €"),
        ("=?x-unknown?Q?caf=C3=A9?= and =?utf-8*de?q?T=C3=BC?= =?UTF-8?Q?r?=", "café and Tür"),
        ("Long words\n =?utf-8?q?caf=C3=A9?=", "Long words café"),
        ("Re: =?utf-8?Q?=E2=82?=\n =?utf-8?Q?=AC_5?= (2)", "Re: € 5 (2)"),
        ("a =?utf-8?B?5?= =? b ?= c", "a =?utf-8?B?5?= =? b ?= c"),
        ("1 =?= 2", "1 =?= 2"),
    ],
)
def test_fields_are_decoded(field: str, shown: str) -> None:
    message = write(part("Hello."), f"From: ada@example.org\nSubject: {field}")
    assert parse_file(message, name="a.eml").text.split("\n")[:2] == ["From: ada@example.org", f"Subject: {shown}"]


def test_a_field_of_old_bytes_is_decoded() -> None:
    message = write(part("Hello."), "From: ada@example.org\nSubject: Über die Größe der Äpfel")
    assert "Über die Größe der Äpfel" in parse_file(message.decode().encode("cp1252"), name="a.eml").text


def test_a_long_field_is_cut_between_words() -> None:
    people: Sequence[str] = [f"person{number}@example.org" for number in range(200)]
    message = write(part("Hello."), f"From: ada@example.org\nTo: {', '.join(people)}")
    to = parse_file(message, name="a.eml").text.split("\n")[1].removeprefix("To: ").removesuffix(", …").split(", ")
    assert 50 < len(to) < 100
    assert to == people[: len(to)]
