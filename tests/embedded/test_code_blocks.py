"""Code and lists are quoted where they belong to the answer: code shows how something is done, not what it means."""

import pytest

from tests.embedded.extractive.quoting import answer

OUTCOMES = """Gannet prints one line for each file:

```
frozen   3 of 9
skipped  6 of 9
```"""
FROZEN = "A frozen file is one that Gannet no longer copies, although it is in the folder."
OPTIONS = """## Show the options

```
gannet options { depth, width, keep }
```"""
DEPTH = """| Option | Default | What it does |
|---|---|---|
| `depth` | `3` | Most folders below each other that are read. |
| `width` | `9` | Most files of one folder whose depth is read. |
"""
INSTALL = "To install Gannet, you need Rust 1.80 or newer."
FLAGS = """With another Rust version, these flags are needed:

- `--locked`, which keeps the packages
- `--offline`, which downloads none"""
BUILD = "You build Gannet with this command:\n\n```sh\ncargo build --locked\n```"
REST = """copied  4 of 9 files (44%)
cited   2 of 9 files (22%)
```

**Copied** files are in both folders."""
CITE = "The files of a paper are cited in its last line."


def quoted(question: str, *texts: str) -> str:
    return "\n".join(answer(question, *texts))


@pytest.mark.parametrize("question", ["What does frozen mean?", "What is a frozen file?"])
def test_code_does_not_say_what_something_means(question: str) -> None:
    said = quoted(question, OUTCOMES, FROZEN)
    assert "no longer copies" in said
    assert "3 of 9" not in said


def test_a_row_with_the_name_of_an_option_says_what_it_is() -> None:
    said = quoted("What is depth?", OPTIONS, DEPTH)
    assert said.startswith("Option: `depth`")
    assert "gannet options" not in said


def test_a_list_of_another_passage_does_not_follow_a_sentence_that_answers() -> None:
    said = quoted("Which Rust version do I need?", INSTALL, FLAGS)
    assert said.startswith("To install Gannet, you need Rust 1.80")
    assert "--offline" not in said


def test_how_something_is_done_is_shown_with_its_code() -> None:
    assert "cargo build --locked" in quoted("How do I build Gannet?", INSTALL, BUILD)


def test_the_end_of_code_whose_beginning_is_elsewhere_is_no_answer() -> None:
    said = quoted("Where are the files cited?", REST, CITE)
    assert "in its last line" in said
    assert "22%" not in said
