"""The control words of RTF that matter for its text, and the charsets of its fonts."""

import codecs
import re

CHARACTERS = {
    "tab": "\t",
    "line": "\n",
    "lbr": "\n",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "nestcell": " ",
    "nestrow": " ",
}
"""Words that stand for characters. Tables in cells are read as text."""
SYMBOLS = {"~": "\xa0", "_": "\u2011", "-": "", "{": "{", "}": "}", "\\": "\\", "\t": "\t"}
"""Characters that are written after a backslash, and what they stand for."""

SKIPPED = frozenset(
    re.findall(
        r"\S+",
        """
        aftncn aftnsep aftnsepc annotation atnauthor atndate atnicn atnid atnparent atnref atntime atrfend atrfstart
        author background bkmkend bkmkstart blipuid buptim category colorschememapping colortbl comment company creatim
        datafield datastore defchp defpap doccomm docvar ebcend ebcstart factoidname falt ffdeftext ffentrymcr ffexitmcr
        ffformat ffhelptext ffl ffname ffstattext filetbl fldinst fldtype fontemb fontfile footer footerf footerl
        footerr formfield ftncn ftnsep ftnsepc generator gridtbl header headerf headerl headerr hlinkbase htmltag info
        keywords latentstyles listoverridetable listpicture listtable mailmerge mctrlPr mmathPict nextfile nonesttables
        objalias objclass objdata objname objsect objtime oldcprops oldpprops oldsprops oldtprops oleclsid operator
        panose password passwordhash pgp pgptbl picprop pict pn pnseclvl pntxta pntxtb printim private propname
        protend protstart protusertbl pxe revtbl revtim rsidtbl rxe shprslt sp staticval stylesheet subject svb tc
        template themedata txe upr userprops wgrffmtfilter windowcaption writereservation writereservhash xe xform
        xmlattrname xmlattrvalue xmlclose xmlname xmlnstbl xmlopen
        """,
    )
)
"""Groups that are not part of the text."""
SHOWN = frozenset({"shpinst", "shptxt", "do", "dptxbxtext", "moMath", "moMathPara", "footnote"})
"""Groups with text, although they may be marked as optional."""

_CHARSETS = {
    0: "cp1252",
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
CODE_PAGES = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
"""The encodings that words in the head of a file name."""
_NUMBERED_PAGES = {65001: "utf-8", 10000: "mac_roman", 936: "gb18030"}


def find_charset(number: int) -> str | None:
    """The encoding of a font; None if it is that of the file."""
    return _CHARSETS.get(number)


def find_code_page(number: int) -> str:
    """The encoding of a code page; Western if it is unknown."""
    try:
        return codecs.lookup(_NUMBERED_PAGES.get(number, f"cp{number}")).name
    except LookupError:
        return CODE_PAGES["ansi"]
