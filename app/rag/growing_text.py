"""A text that grows without an object for each piece: a token takes 50 bytes as an object, and 5 in the text."""

# A single string would be moved whenever it outgrew its place in memory, and leave holes of all sizes behind: with 200
# answers at once, as many bytes as their texts. A full block stays where it is.
_BLOCK = 2048


class GrowingText:
    """A text that others may refer to while it grows."""

    __slots__ = ("_full_blocks", "_last_block", "_length")

    def __init__(self, text: str = "") -> None:
        self._full_blocks: list[str] = []
        self._last_block = text
        self._length = len(text)

    def __len__(self) -> int:
        return self._length

    @property
    def value(self) -> str:
        """The whole text."""
        return "".join(self._full_blocks) + self._last_block

    def append(self, more: str) -> None:
        """Append to the last block in place, which Python does for a variable and not for an attribute."""
        block, self._last_block = self._last_block, ""
        block += more
        if len(block) >= _BLOCK:
            self._full_blocks.append(block)
            block = ""
        self._last_block = block
        self._length += len(more)
