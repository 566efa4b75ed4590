"""What answers say when their sources hold nothing: patterns over one lower-case sentence, in five languages.

The sources must be named as sources: "the passages do not mention a price" is missing information, "the contract does
not mention a price" is an answer.
"""

import re


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


def _compiled(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_EN_GIVEN = _any("provided given supplied retrieved available numbered cited above these those your uploaded quoted")
_EN_NAMED = _any(
    "passages? sources? documents? documentation contexts? excerpts? texts? materials? information articles? results"
)
_EN_KNOWN = "(?:passages?|sources|source documents?|context|excerpts?|texts|knowledge base|documents|documentation)"
_EN = rf"(?:{_EN_GIVEN} (?:\w+ ){{0,2}}?{_EN_NAMED}|{_EN_KNOWN}|information provided)"
_EN_NOT = r"(?:(?:do|does|did|can) ?not|don't|doesn't|didn't|cannot|can't)"
_EN_TELL = _any(
    """contain include mention provide say state specify answer address cover discuss hold give have indicate describe
    explain offer list tell reveal refer make talk support disclose seem appear"""
)
_EN_TOLD = _any(
    """mentioned specified stated provided described covered discussed addressed included found given listed available
    contained answered disclosed determined indicated"""
)
_EN_UNABLE = (
    r"(?:(?:i|we) (?:(?:could|can|did) ?not|couldn't|can't|didn't|(?:was|am|were) (?:not able|unable) to)|"
    r"i'm (?:not able|unable) to)"
)
_EN_FIND = "(?:find|locate|determine|answer|provide (?:an|a specific) answer|give (?:you )?an answer)"
_EN_SAY = "(?:tell|know|say|identify|confirm)"  # "we cannot confirm bookings by phone" is a company's own word
_EN_FACTS = "(?:information|mention|details?|answer|data|context|reference)"
_ENGLISH = (
    rf"\b{_EN} (?:provided |given |i have (?:access to )?)?(?:\w+ly )?{_EN_NOT} (?:\w+ly )?{_EN_TELL}\b",
    rf"\b{_EN} (?:provided |given )?(?:{_EN_TELL}s?|has|includes?|provides?|makes?) "
    r"(?:no|nothing|neither|insufficient|not enough)\b",
    rf"\b{_EN} (?:provided |given )?(?:lacks?|(?:is|are) (?:silent|not sufficient|insufficient|not enough))\b",
    rf"\b(?:none|neither|nothing)\b[^.]{{0,60}}\b(?:in|of|from) (?:the |any )?{_EN}\b",
    rf"\b{_EN_UNABLE} {_EN_FIND}\b",
    rf"\bi (?:cannot|can't|could not|couldn't|am not able to|am unable to|was not able to|was unable to) {_EN_SAY}\b",
    rf"\bi'm (?:not able|unable) to {_EN_SAY}\b",
    rf"\bleft (?:open|unanswered)\b[^.]{{0,20}}\bby (?:the |any )?{_EN}\b",
    rf"^there (?:isn't|aren't|is not|are not) (?:enough|sufficient) (?:\w+ )?{_EN_FACTS}\b",
    rf"\b{_EN} (?:mention|describe|discuss|cover|address|name)s?\b[^.,;]{{0,60}} but not\b",
    rf"\b{_EN}\b[^.]{{0,20}}\b(?:not possible|impossible) to (?:{_EN_FIND}|{_EN_SAY})\b",
    rf"\b(?:not possible|impossible) to (?:{_EN_FIND}|{_EN_SAY})\b[^.]{{0,60}}\b(?:from|with|on) (?:the |any )?{_EN}\b",
    rf"\b(?:i|we) (?:do not|don't|did not|didn't) (?:currently )?have (?:\w+ ){{0,2}}?{_EN_FACTS}\b",
    rf"\b(?:i|we) (?:have|found|find|see) (?:no|not enough|insufficient) (?:\w+ )?{_EN_FACTS}\b",
    r"^(?:sorry,? |unfortunately,? )?(?:there(?:'s| is| are| was) )?(?:no|not enough|insufficient) (?:\w+ )?"
    rf"{_EN_FACTS}\b",
    rf"(?:\b(?:not|never|nowhere|cannot be|can't be|could not be)|n't) (?:\w+ )?{_EN_TOLD}\b[^.]{{0,40}}"
    rf"\b(?:in|by|from|on|with) (?:any of )?(?:the |any )?{_EN}\b",
    rf"\b(?:is|are) (?:not|nowhere) (?:in|part of|to be found in) (?:any of )?(?:the )?{_EN}\b",
    rf"^no (?:answer|{_EN_FACTS}) (?:can|could) be (?:given|found|determined|provided)\b",
    rf"\b{_EN} (?:are|is) (?:\w+ )?(?:unrelated|not relevant|irrelevant) to\b",
    rf"^what\b[^.]{{0,80}}\bis (?:not|nowhere) {_EN_TOLD}\b",
    r"\bi (?:do not|don't|cannot|can't) see (?:the|an|any) (?:answer|information|mention)\b",
    r"\binformation\b[^.]{0,80}\b(?:is|was) (?:not (?:available|provided|given|included|present)|missing)\b",
    r"^(?:sorry,? )?(?:i|we) (?:do not|don't) know\b",
)

_DE_GIVEN = "(?:bereitgestellte|vorliegende|gegebene|verfügbare|angegebene|genannte|zitierte|vorhandene)[nrms]?"
_DE_NAMED = _any(
    """textpassagen? passagen? quellen? dokumenten? dokumente textstellen? texten? texte auszügen? auszüge unterlagen
    kontext abschnitten? abschnitte informationen"""
)
_DE_KNOWN = _any(
    """textpassagen passagen quellen dokumente dokumenten textstellen auszüge auszügen unterlagen kontext
    wissensdatenbank wissensbasis"""
)
_DE = rf"(?:{_DE_GIVEN} (?:\w+ )?{_DE_NAMED}|{_DE_KNOWN})"
_DE_NOT = _any("nicht nichts kein keine keinen keiner keinerlei nirgends")
_DE_TELL = _any(
    """enthalten enthält bieten bietet liefern liefert geben gibt nennen nennt machen macht erwähnen erwähnt
    beantworten beantwortet sagen sagt gehen geht beschreiben reichen reicht"""
)
_DE_FACTS = "(?:information(?:en)?|angaben?|hinweise?|antwort|auskunft|daten)"
_GERMAN = (
    rf"\b{_DE} (?:\w+ ){{0,2}}?{_DE_TELL}\b[^.]{{0,80}}?\b{_DE_NOT}\b",
    rf"\b{_DE_TELL} (?:die |diese )?{_DE} (?:\w+ ){{0,2}}?{_DE_NOT}\b",
    rf"\b(?:in|im|aus|anhand|mit|zu|zum) (?:den |der |dem |diesen )?{_DE}\b[^.]{{0,80}}"
    rf"\b(?:{_DE_NOT}|fehlt|fehlen)\b",
    rf"\b{_DE}\b[^.]{{0,40}}\b{_DE_NOT}\b[^.]{{0,20}}\bzu entnehmen\b",
    rf"\bin (?:keine[mrn]|keiner) (?:der|dieser|von den) {_DE}\b",
    rf"\b{_DE_NOT}\b[^.]{{0,60}}\b(?:in|aus|von|anhand|mit) (?:den |der |dem |diesen )?{_DE}\b",
    rf"\b(?:keine?|keiner) (?:der|dieser) {_DE}\b",
    rf"\b(?:ich|wir|es)\b[^.]{{0,20}}\b(?:keine?|keinerlei|nicht genügend|nicht genug) (?:\w+ )?{_DE_FACTS}\b",
    r"\b(?:ich|wir) (?:kann|können|konnte|konnten)\b[^.]{0,60}\bnicht (?:beantworten|sagen|finden)\b",
    rf"^(?:leider )?(?:keine|nicht genügend|dazu liegen)[^.]{{0,40}}\b{_DE_FACTS}\b",
    r"^(?:das )?wei(?:ß|ss) ich nicht\b|^ich wei(?:ß|ss) (?:es |das )?nicht\b",
)

_FR = (
    "(?:(?:passages|sources|documents|extraits|textes?|informations|contexte|documentation|éléments)"
    r"(?: (?:fourni|disponible|donné|cité|consulté)e?s?)?|base de connaissances)"
)
_FR_NOT = "(?:pas|aucune?|rien|jamais|nulle part)"
_FR_TELL = r"(?:contien|mentionn|précis|indiqu|fourni|donn|permet|répond|abord|parl|dis|compor|inclu|trait|évoqu)\w*"
_FR_FACTS = r"(?:d')?(?:informations?|réponse|mention|données|éléments)"
_FRENCH = (
    rf"\b{_FR} n(?:e |'y? ?){_FR_TELL} {_FR_NOT}\b",
    rf"\bje (?:ne |n')[^.]{{0,20}}{_FR_NOT}\b[^.]{{0,40}}\b(?:{_FR_FACTS}|répondre|trouver|déterminer)\b",
    rf"\bn(?:e |')[^.]{{0,30}}\b{_FR_NOT}\b[^.]{{0,60}}\b(?:dans|par|avec) (?:les |la |le |ces )?{_FR}\b",
    rf"^(?:rien|aucune?)\b[^.]{{0,20}}\b(?:dans|de|des|parmi) (?:les |la |ces )?{_FR}\b[^.]{{0,10}}\bn(?:e |')",
    rf"^(?:aucune?|pas de) {_FR_FACTS}\b[^.]{{0,30}}\b(?:trouvée?s?|disponibles?|donnée?s?|fournie?s?)\b",
    rf"\b{_FR}\b[^.]{{0,12}}\b(?:rest|sont)\w* muet\w*\b",
    r"\b(?:je n'ai|nous n'avons) (?:pas|aucun) (?:accès|connaissance)\b[^.]{0,30}\binformations?\b",
    rf"\b{_FR} (?:fournie?s? )?ne (?:suffis\w+|répond\w*) pas\b|\b{_FR} ne \w+ rien\b",
    rf"\bimpossible de (?:répondre|déterminer|savoir|trouver)\b[^.]{{0,50}}\b{_FR}\b",
    rf"\bn(?:e |')[^.]{{0,30}}\b(?:dans|par|avec) (?:aucune?|nul(?:le)?)(?: des| de ces)? {_FR}\b",
    rf"\b{_FR}\b[^.]{{0,20}}\b(?:pas possible|impossible) de (?:déterminer|savoir|répondre|dire|trouver)\b",
    rf"\b(?:pas possible|impossible) de (?:déterminer|savoir|répondre|dire|trouver)\b[^.]{{0,50}}"
    rf"\b(?:avec|dans|à partir de|d'après) (?:les |ces |des )?{_FR}\b",
    rf"^(?:malheureusement,? )?(?:il n'y a )?(?:pas |aucune? ){_FR_FACTS}\b",
    r"^(?:désolée?,? )?(?:je ne sais pas|je l'ignore)\b",
)

_ES_NAMED = "(?:pasajes|fuentes|documentos|fragmentos|textos|extractos|contexto|información|documentación)"
_ES_GIVEN = r"(?:proporcionad|disponible|dad|facilitad|citad|suministrad)[oa]?s?"
_ES_KNOWN = "(?:pasajes|fuentes|documentos|fragmentos|extractos|contexto|base de conocimientos?|documentación)"
_ES = f"(?:{_ES_NAMED} {_ES_GIVEN}|{_ES_KNOWN})"
_ES_TELL = (
    r"(?:contien|mencion|inclu|proporcion|especific|indic|dic|respond|abord|ofrec|describ|habl|aport|explic|permit|tien)"
    r"\w*"
)
_ES_FACTS = "(?:información|respuesta|mención|datos|detalles)"
_SPANISH = (
    rf"\b{_ES} (?:no|tampoco) {_ES_TELL}\b",
    rf"\bno (?:he podido|he encontrado|pude|puedo|encuentro|encontré|dispongo de|tengo)\b[^.]{{0,30}}"
    rf"\b(?:{_ES_FACTS}|responder|encontrar|determinar)\b",
    rf"\bno (?:hay|existe|se encontró) (?:\w+ )?{_ES_FACTS}\b",
    rf"\bno (?:se|está|están|aparece|aparecen|figura|figuran|hay)\b[^.]{{0,50}}"
    rf"\b(?:en|por|con) (?:las |los |el |la )?{_ES}\b",
    r"^(?:lo siento,? )?(?:no lo sé|no sé)\b",
)

_ZH_SOURCES = "(?:资料|文档|文件|来源|段落|上下文|知识库|文本|信息|片段|材料)"
_CHINESE = (
    rf"{_ZH_SOURCES}(?:中|里|内|都|均|并|本身)*(?:没有|沒有|并未|未|无|不)[^。]{{0,12}}"
    "(?:提|包含|包括|说明|回答|涉及|给出|找到|信息|相关|答案|足|关于|有关)",
    f"没有(?:任何|一个|哪个)?{_ZH_SOURCES}(?:涉及|提|说明|回答|包含|给出)",
    f"{_ZH_SOURCES}(?:中|里|内)?(?:都|均)?(?:找不到|查不到|看不到|没有找到|无法得知|无法看出|无法确定)",
    "(?:无法|不能|未能)(?:从|在|根据|找到|回答|确定)[^。]{0,30}(?:找到|回答|确定|得出|信息|答案|问题|资料)",
    f"(?:不在|没有出现在)[^。]{{0,8}}{_ZH_SOURCES}",
    "^(?:抱歉|对不起)?\\uff0c?我(?:也)?不知道",
    "(?:没有|未)(?:找到|足够)[^。]{0,20}(?:信息|答案|内容|资料)",
)

MISSING = _compiled(*_ENGLISH, *_GERMAN, *_FRENCH, *_SPANISH, *_CHINESE)
"""The sources do not hold it."""

BESIDE = _compiled(
    r"^(?:i am |i'm )?(?:so |very )?(?:sorry|unfortunately|i apologi[sz]e)\b[^.]{0,20}$",
    r"^(?:please|if you|could you|can you|feel free|let me know|try|would you|consider|for (?:more|further|accurate)|"
    r"to (?:answer|find|get)|i (?:would|recommend|suggest)|you (?:may|might|could|can) (?:want|need|try|wish|contact|"
    r"check|consult|ask|provide))\b",
    rf"^(?:however, |instead, )?(?:they|it|the {_EN}|these {_EN_KNOWN}) (?:only |mainly |mostly |merely )?"
    r"(?:focus|discuss|cover|describe|deal with|are about|is about)(?:e?s)?\b[^,;]*$",
    r"^(?:leider|entschuldigung|(?:es )?tut mir leid)\b[^.]{0,20}$",
    r"^(?:bitte|wenn sie|falls|könnten sie|können sie|wenden sie|für (?:weitere|genauere))\b",
    rf"^(?:sie|die {_DE}) (?:behandeln|beschreiben|befassen|betreffen|handeln|beziehen)\b[^,;]*$",
    r"^(?:désolée?|malheureusement|je suis désolée?)\b[^.]{0,20}$",
    r"^(?:veuillez|si vous|pourriez-vous|pouvez-vous|n'hésitez|pour (?:plus|obtenir|en savoir)|"
    r"ils (?:traitent|portent))\b",
    r"^(?:lo siento|lamentablemente|desafortunadamente)\b[^.]{0,20}$",
    r"^(?:por favor|si (?:usted|tiene|desea|puede)|podría|puede (?:consultar|proporcionar)|para (?:más|obtener))\b",
    "^(?:抱歉|对不起|很抱歉|请|如果|如需|建议|您可以)",
)
"""What may stand beside that: regret, advice to the asker, and what the sources are about instead."""

ABOUT = _compiled(
    rf"^(?:however, |instead, )?(?:they|it|the {_EN}|these {_EN_KNOWN}) (?:only |mainly |mostly |merely )?"
    r"(?:focus|discuss|cover|describe|mention|deal with|are about|is about)(?:e?s)?\b[^,;]*$",
    r"^(?:i|we) (?:have )?(?:looked|searched|gone|went|checked|read)\b",
    rf"^(?:sie|die {_DE}) (?:\w+ )?(?:behandeln|beschreiben|befassen|betreffen|handeln|beziehen|erwähnen)\b[^,;]*$",
    rf"^(?:les |ces )?{_FR} (?:ne )?(?:mentionn|trait|décriv|abord|concern|parl)\w*\b[^,;]*$",
    rf"^(?:las |los |el |la )?{_ES} (?:solo |sólo )?(?:mencion|trat|describ|abord|habl)\w*\b[^,;]*$",
    rf"^(?:所给|提供的|这些)?{_ZH_SOURCES}(?:中|里)?(?:只|仅|主要)?(?:提到|讨论|描述|介绍|涉及)",
)
"""What the sources are about instead; what comes after it may speak of them as "they"."""

THEY = _compiled(
    rf"^(?:(?:none|neither) of them {_EN_TELL}s?|(?:they|it) {_EN_NOT} (?:\w+ly )?{_EN_TELL}|"
    r"(?:they|it) (?:says?|contains?|gives?|mentions?) (?:nothing|no)\b|not\b)",
    rf"^(?:sie )?(?:{_DE_TELL} (?:aber |jedoch )?(?:\w+ ){{0,3}}?{_DE_NOT}|{_DE_NOT})\b",
    rf"^(?:ils?|elles?) ne {_FR_TELL} {_FR_NOT}\b|^pas\b",
    rf"^(?:no|tampoco) {_ES_TELL}\b",
    "^(?:并)?(?:没有|未|无)(?:说明|提|涉及|给出|包含|回答)",
)
"""The same, said of sources that were named before."""

CONDITION = _compiled(
    "^(?:if|when|whenever|unless|wenn|falls|sofern|si|s'il|lorsque|quand|cuando|如果|若)\\b", "^如果|^若"
)
"""A sentence that begins like this tells what happens if, not that it is so."""

TURN = re.compile(
    "[,;\u2013\u2014] ?(?:but|however|although|though|aber|jedoch|mais|cependant|pero|sin embargo)\\b|"
    "\uff0c(?:但是?|不过)|\uff0c(?=(?:并)?(?:没有|未))|"
    "; ?(?=(?:they|it|none|neither|sie|ils?|elles?)\\b)| ?;(?= ?(?:ils?|elles?)\\b)"
)
"""Where a sentence goes on with something else after all."""
