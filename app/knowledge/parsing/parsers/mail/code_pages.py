"""Find the encoding of texts that Outlook saved without Unicode."""

_WESTERN = 1252
_PAGES = frozenset({874, 932, 936, 949, 950, *range(1250, 1259)})
# Code pages of sent mail, and those that Windows uses for the same languages.
_SENT_IN = {
    20866: 1251,
    21866: 1251,
    28592: 1250,
    28594: 1257,
    28595: 1251,
    28596: 1256,
    28597: 1253,
    28598: 1255,
    28599: 1254,
    28603: 1257,
    38598: 1255,
    50220: 932,
    50221: 932,
    50222: 932,
    50225: 949,
    50227: 936,
    51932: 932,
    51949: 949,
    52936: 936,
    54936: 936,
}
# Languages by their numbers in [MS-LCID], the lower ten bits of a locale's number.
_LANGUAGES = {
    874: (0x1E,),
    932: (0x11,),
    936: (0x04,),
    949: (0x12,),
    1250: (0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x1C, 0x24),
    1251: (0x02, 0x19, 0x22, 0x23, 0x2F, 0x3F, 0x40, 0x44, 0x50),
    1253: (0x08,),
    1254: (0x1F, 0x2C),
    1255: (0x0D,),
    1256: (0x01, 0x20, 0x29),
    1257: (0x25, 0x26, 0x27),
    1258: (0x2A,),
}
_BY_LANGUAGE = {language: page for page, languages in _LANGUAGES.items() for language in languages}
_TRADITIONAL_CHINESE = frozenset({0x0404, 0x0C04, 0x1404})


def find_encoding(code_page: int, sent_in: int, locale: int) -> str:
    """The encoding, from a message's code page, else the code page it was sent in, else its locale; 0: unknown."""
    for page in (code_page, sent_in, _SENT_IN.get(sent_in)):
        if page in _PAGES:
            return f"cp{page}"
    if locale in _TRADITIONAL_CHINESE:
        return "cp950"
    return f"cp{_BY_LANGUAGE.get(locale & 0x3FF, _WESTERN)}"
