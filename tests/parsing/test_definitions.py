"""Terms and their definitions, in whatever markup, are read as one line, so that a quote names what it defines."""

import pytest

from app.knowledge.parsing.dispatch import parse_file

GLOSSARY_MD = """# Kettle

**Keep-warm mode**
: holds the water at the chosen
  temperature.

Blooming

:   pouring a little water.

```
term
: of code
```

## Codes

| Code | Meaning |
|---|---|
| E1 | Lid open |
"""
GLOSSARY_ADOC = """= Kettle

Keep-warm mode:: holds the water at the chosen
temperature.
Blooming::
  pouring a little water.

image::picture.png[A kettle]
"""
GLOSSARY_RST = """Kettle
======

Keep-warm mode
    holds the water at the chosen
    temperature.
Blooming
    pouring a little water.

- an item
  goes on

Literal::

    term
        of code
"""


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("a.md", GLOSSARY_MD, "term\n: of code"),
        ("a.adoc", GLOSSARY_ADOC, "image::picture.png[A kettle]"),
        ("a.rst", GLOSSARY_RST, "- an item\n  goes on\n\nLiteral::\n\n    term\n        of code"),
        (
            "a.html",
            "<!DOCTYPE html><html><dl><dt>Keep-warm mode<dd>holds the water at the chosen temperature."
            "<dt>Blooming<dd>pouring a little water.</dl>",
            "",
        ),
    ],
)
def test_terms_and_definitions_are_on_one_line(name: str, text: str, kept: str) -> None:
    document = parse_file(text.encode(), name=name)
    assert "Keep-warm mode: holds the water at the chosen temperature." in " ".join(document.text.split())
    assert "Blooming: pouring a little water." in document.text
    assert kept in document.text
    for heading in document.headings:
        assert heading.text in document.text[heading.offset :][:20]
