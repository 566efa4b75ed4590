"""A text that grows, without an object for each of its pieces: a token takes 50 bytes as one, and 5 in the text."""


class GrowingText:
    """A text that others may hold while it grows."""

    __slots__ = ("value",)

    def __init__(self, value: str = "") -> None:
        self.value = value

    def __len__(self) -> int:
        return len(self.value)

    def append(self, more: str) -> None:
        """Append to it in place, which Python does for a variable and not for an attribute."""
        value, self.value = self.value, ""
        value += more
        self.value = value
