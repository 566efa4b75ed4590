"""Write compound files (OLE) with a few small streams, as Outlook saves messages."""

import struct
from dataclasses import dataclass, field
from itertools import pairwise

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_CUTOFF = 4096  # shorter streams stand in small sectors elsewhere; padding makes all of them long


@dataclass
class _Entry:
    name: str
    data: bytes | None = None
    children: dict[str, "_Entry"] = field(default_factory=dict[str, "_Entry"])


def compound_file(streams: dict[str, bytes]) -> bytes:
    """A file with these streams, by their paths; short ones end with zeros, as only long ones stand by themselves."""
    root = _Entry("Root Entry")
    for path, data in streams.items():
        *folders, name = path.split("/")
        place = root
        for folder in folders:
            place = place.children.setdefault(folder, _Entry(folder))
        place.children[name] = _Entry(name, data)
    entries = _flatten(root)
    sectors: list[bytes] = []
    chain: list[int] = []
    starts: dict[int, int] = {}
    for number, (entry, *_) in enumerate(entries):
        if entry.data is not None:
            starts[number] = _store(entry.data.ljust(_CUTOFF, b"\0"), sectors, chain)
    directory = b"".join(
        _write_entry(entry, left, right, child, starts.get(number, _END if entry is root else 0))
        for number, (entry, left, right, child) in enumerate(entries)
    )
    first_directory = _store(directory, sectors, chain)
    tables = -(-(len(chain) + 4) * 4 // _SECTOR)
    allocated = [*chain, *[_FAT] * tables]
    numbers = [len(chain) + index for index in range(tables)]
    table = b"".join(struct.pack("<I", each) for each in allocated).ljust(tables * _SECTOR, b"\xff")
    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + bytes(16)
        + struct.pack(
            "<HHHHH6xIIIIIIIIII",
            0x3E,
            3,
            0xFFFE,
            9,
            6,
            0,
            tables,
            first_directory,
            0,
            _CUTOFF,
            _END,
            0,
            _END,
            0,
            *numbers[:1],
        )
    )
    header += b"".join(struct.pack("<I", number) for number in numbers[1:])
    return header.ljust(_SECTOR, b"\xff") + b"".join(sectors) + table


def _flatten(root: _Entry) -> list[tuple[_Entry, int, int, int]]:
    """All entries with the numbers of their left and right neighbors and of their first child."""
    order = [root]
    for entry in order:
        order += sorted(entry.children.values(), key=lambda child: (len(child.name), child.name.upper()))
    numbers = {id(entry): number for number, entry in enumerate(order)}
    rights: dict[int, int] = {}
    firsts: dict[int, int] = {}
    for entry in order:
        children = sorted(entry.children.values(), key=lambda child: (len(child.name), child.name.upper()))
        if children:
            firsts[id(entry)] = numbers[id(children[0])]
        for child, following in pairwise(children):
            rights[id(child)] = numbers[id(following)]
    return [(entry, _FREE, rights.get(id(entry), _FREE), firsts.get(id(entry), _FREE)) for entry in order]


def _store(data: bytes, sectors: list[bytes], chain: list[int]) -> int:
    start = len(sectors)
    for offset in range(0, len(data), _SECTOR):
        sectors.append(data[offset : offset + _SECTOR].ljust(_SECTOR, b"\0"))
        chain.append(len(sectors))
    chain[-1] = _END
    return start


def _write_entry(entry: _Entry, left: int, right: int, child: int, start: int) -> bytes:
    name = entry.name.encode("utf-16-le")
    kind = 2 if entry.data is not None else 5 if entry.name == "Root Entry" else 1
    size = max(_CUTOFF, len(entry.data)) if entry.data is not None else 0
    return (
        name.ljust(64, b"\0")
        + struct.pack("<HBBIII", len(name) + 2, kind, 1, left, right, child)
        + bytes(36)
        + struct.pack("<IQ", start, size)
    )
