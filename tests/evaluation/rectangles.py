"""Quote random sentences of PDFs; report how many get rectangles, and how many of these hold exactly the quoted words.

    python -m tests.evaluation.rectangles [FILE.pdf …] [--quotes 40] [--seed 1] [--save FOLDER]

Besides the given files, PDFs are printed by Chromium from texts in several scripts: in columns, justified, hyphenated,
with ligatures, on turned and cropped pages. A rectangle holds a character if the middle of the character, as PDFium
tells it, is in it. `--save` keeps the printed PDFs, and the rectangles as JSON, to be checked by another program.
"""

import argparse
import asyncio
import ctypes
import json
import random
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, cast

from playwright.async_api import PdfMargins
from pypdfium2 import raw
from rich.console import Console
from rich.table import Table

from app import language
from app.errors import DocumentError
from app.knowledge.parsed_documents import PageArea, QuotedText
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import pdf, pdf_places
from tests.browser import find_chromium, running_chromium
from tests.files.pdf import open_pdf, turned

_to_device = cast(Callable[..., int], raw.FPDF_PageToDevice)
_read_unicode = cast(Callable[..., int], raw.FPDFText_GetUnicode)

ROOT = Path(__file__).parents[2]
LIMITS = ParsingLimits()
ENGLISH = (ROOT / "app/handbook/09-operating.md").read_text(encoding="utf-8")
GERMAN = "".join(
    json.loads(line)["question"] + " "
    for line in (ROOT / "tests/evaluation/german_docs/questions.jsonl").read_text(encoding="utf-8").splitlines()
)
FRENCH = (
    "L’œuvre difficile de l’affiche raffinée suffit à l’élève. Où est passée la façade effilée du château ? "
    "Le chef offrit un café flambé à l’hôtesse stupéfaite. "
) * 12
HEBREW = (
    "ניתן להחזיר סחורה בתוך 30 יום מיום המסירה. המשלוח לחו״ל עולה 12.50 דולר לחבילה. "
    "התמיכה זמינה בימים א׳ עד ה׳ בין השעות 9 ל-17. קובץ PDF נשמר בשרת. "
) * 10
ARABIC = (
    "يمكن إرجاع البضائع خلال 30 يوما من تاريخ التسليم. تكلفة الشحن إلى الخارج هي 12 دولارا لكل طرد. "
    "الدعم متاح من الأحد إلى الخميس. يحفظ ملف PDF على الخادم. "
) * 10
TEXTS = {
    "English": ("en", "ltr", ENGLISH[:9000]),
    "German": ("de", "ltr", GERMAN * 3),
    "French": ("fr", "ltr", FRENCH),
    "Hebrew": ("he", "rtl", HEBREW),
    "Arabic": ("ar", "rtl", ARABIC),
}
LAYOUTS = {
    "one column": "text-align: left",
    "two columns, justified, hyphenated": "columns: 2; text-align: justify; hyphens: auto; font-size: 9pt",
    "three columns, serif": "columns: 3; font-family: 'DejaVu Serif'; font-size: 8pt; hyphens: auto",
    "spaced, small capitals": "letter-spacing: 1.5px; word-spacing: 6px; font-variant: small-caps",
}
CROP = (20, 25, 585, 830)
TURNS = (0, 90, 180, 270)
MARGIN: PdfMargins = {"top": "15mm", "right": "15mm", "bottom": "15mm", "left": "15mm"}


@dataclass
class Score:
    """Counts over the PDFs of a kind. `wrong` has the quotes whose rectangles hold other characters."""

    pdfs: int = 0
    quotes: int = 0
    placed: int = 0
    exact: int = 0
    wrong: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])


async def print_samples(program: str) -> dict[str, bytes]:
    """PDFs by kind and layout."""
    printed: dict[str, bytes] = {}
    async with running_chromium(program) as browser:
        page = await browser.new_page()
        for (name, (code, direction, text)), (layout, style) in product(TEXTS.items(), LAYOUTS.items()):
            paragraphs = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
            style = f"body {{ font-family: 'DejaVu Sans'; {style} }}"
            await page.set_content(f"<html lang={code} dir={direction}><style>{style}</style>{paragraphs}")
            printed[f"{name}/{layout}"] = await page.pdf(format="A4", margin=MARGIN)
        # Text that is itself turned.
        sideways = "".join(f"<p>{part}</p>" for part in ENGLISH[:3000].split("\n\n"))
        for mode in ("vertical-rl", "sideways-lr"):
            await page.set_content(f"<style>body {{ writing-mode: {mode}; height: 90vh }}</style>{sideways}")
            printed[f"sideways/{mode}"] = await page.pdf(format="A4", margin=MARGIN)
        await page.set_content(f"<body style='transform: rotate(7deg)'>{sideways}")
        printed["slanted/7 degrees"] = await page.pdf(format="A4", margin=MARGIN)
    return printed


def choose_quotes(text: str, chance: random.Random, count: int) -> list[QuotedText]:
    """Random sentences, as citations quote them."""
    spans = [span for span in language.sentence_spans(text) if 8 <= span[1] - span[0] <= 600]
    return [QuotedText(start, text[start:end]) for start, end in chance.sample(spans, min(count, len(spans)))]


def characters_inside(document: Any, area: PageArea) -> Counter[str]:
    """The characters of a page whose middles are in the boxes."""
    page = document[area.page - 1]
    text_page = page.get_textpage()
    found: Counter[str] = Counter()
    size = round(area.width * 100), round(area.height * 100)
    for index in range(text_page.count_chars()):
        char = chr(_read_unicode(text_page, index))
        left, bottom, right, top = text_page.get_charbox(index)
        x, y = ctypes.c_int(), ctypes.c_int()
        _to_device(page, 0, 0, *size, 0, (left + right) / 2, (bottom + top) / 2, x, y)
        if any(b.left <= x.value / 100 <= b.right and b.top <= y.value / 100 <= b.bottom for b in area.boxes):
            found.update(letters(char))
    return found


def letters(text: str) -> str:
    """What is compared: no white space, no hyphens (which may divide words), one form of each letter."""
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum() or char in ".,;:!?()")


def measure(
    data: bytes, name: str, score: Score, chance: random.Random, count: int
) -> list[tuple[str, list[PageArea]]]:
    """Add a PDF to the score; returns the quotes and their places."""
    try:
        text = pdf.parse_pdf(data, LIMITS).text
    except DocumentError:
        return []
    quotes = choose_quotes(text, chance, count)
    found = pdf_places.find_quotes(data, quotes, LIMITS)
    score.pdfs += 1
    score.quotes += len(quotes)
    document = open_pdf(data)
    for quote, areas in zip(quotes, found, strict=True):
        if areas:
            score.placed += 1
            inside = sum((characters_inside(document, area) for area in areas), Counter[str]())
            wanted = Counter(letters(quote.text))
            if inside == wanted:
                score.exact += 1
            else:
                more, less = "".join((inside - wanted).elements()), "".join((wanted - inside).elements())
                score.wrong.append((name, quote.text, f"+{more!r} -{less!r}"))
    document.close()
    return [(quote.text, list(areas)) for quote, areas in zip(quotes, found, strict=True)]


def samples(files: Sequence[Path]) -> Iterator[tuple[str, str, bytes]]:
    """Kind, name and bytes of each PDF."""
    for file in files:
        yield "given", file.name, file.read_bytes()
    program = find_chromium()
    if program is None:
        return
    printed = asyncio.run(print_samples(program))
    for name, data in printed.items():
        yield name.partition("/")[0], name, data
    for (name, data), degrees in product(list(printed.items())[1::5], TURNS):
        yield "turned, cropped", f"{name}/{degrees}", turned(data, degrees, CROP)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--quotes", type=int, default=40, help="of each PDF")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path)
    given = parser.parse_args()
    scores: dict[str, Score] = {}
    chance = random.Random(given.seed)  # noqa: S311 - nothing is at stake
    for number, (kind, name, data) in enumerate(samples(given.files)):
        places = measure(data, name, scores.setdefault(kind, Score()), chance, given.quotes)
        if given.save:
            given.save.mkdir(exist_ok=True)
            (given.save / f"{number}.pdf").write_bytes(data)
            listed = [{"quote": text, "areas": [asdict(area) for area in areas]} for text, areas in places]
            (given.save / f"{number}.json").write_text(json.dumps(listed), encoding="utf-8")
    console, table = Console(), Table("", "PDFs", "quotes", "with rectangles", "exact")
    for kind, score in scores.items():
        table.add_row(kind, *(str(count) for count in (score.pdfs, score.quotes, score.placed, score.exact)))
    for score in scores.values():
        for name, text, difference in score.wrong[:10]:
            console.print(f"{name}: {text!r} {difference}", markup=False)
    console.print(table)


if __name__ == "__main__":
    main()
