"""What a chat session shows, by the rules alone: a tree of messages, one of each group of alternatives current."""

from collections.abc import Sequence


class Tree:
    """The messages of a session by their ids, in the order in which they were sent."""

    def __init__(self) -> None:
        self.previous: dict[str, str | None] = {}
        self.current: dict[str | None, str] = {}

    def ask(self, question: str, answer: str, previous: str | None) -> None:
        """Add a turn after a message, and show it."""
        self.previous |= {question: previous, answer: question}
        self.current[question] = answer
        self.show(question)

    def answer_again(self, question: str, answer: str, *, at_once: bool) -> None:
        """Add an answer to a question, and show the question; `at_once` if the new answer is shown from the start."""
        self.show(question)
        self.previous[answer] = question
        if at_once:
            self.current[question] = answer

    def complete(self, answer: str) -> None:
        """Make an answer that is complete the current one."""
        self.current[self.previous[answer]] = answer

    def show(self, message: str) -> None:
        """Show a message: it and all before it are current."""
        place: str | None = message
        while place is not None:
            before = self.previous[place]
            self.current[before] = place
            place = before

    @property
    def path(self) -> Sequence[str]:
        """What is shown."""
        return self.follow(None)

    def follow(self, message: str | None) -> list[str]:
        """What is current after a message; None for all from the start."""
        found: list[str] = []
        while (message := self.current.get(message)) is not None:
            found.append(message)
        return found

    def before(self, message: str | None) -> list[str]:
        """A message and those before it, oldest first."""
        found: list[str] = []
        while message is not None:
            found.append(message)
            message = self.previous[message]
        return found[::-1]

    def alternatives(self, message: str) -> list[str]:
        """The messages in the same place, oldest first."""
        return [other for other in self.previous if self.previous[other] == self.previous[message]]
