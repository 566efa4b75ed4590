"""What texts say in English that try to instruct the model that reads them: patterns over lower-case text.

Each needs more than a single word: a manual may say "ignore the warning", only an injection says "ignore your
instructions". Gaps are short and of bounded length, so the time is linear in the text.
"""

import re
from dataclasses import dataclass

BEGINNING = 5
"""So many letters of a word decide whether a rule is tried."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, tried only on texts that have a word with one of these beginnings: most texts have few."""

    beginnings: frozenset[str]
    pattern: re.Pattern[str]


def rule(words: str, pattern: str) -> Rule:
    """A rule for texts with one of `words`."""
    return Rule(frozenset(word[:BEGINNING] for word in words.split()), re.compile(pattern, re.MULTILINE))


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_WORDS = r"(?:[\w'\u2019]{1,20}[ ,]{1,3}){0,4}?"
_BEGIN = (
    r"(?:^|[.!?:;,\"'\u201c\u2018\[(>|*-])\s{0,3}(?:please |then |and |also |always |now |can you |you must |must"
    r" ){0,4}"
)
"""Where an imperative may begin."""
_IGNORE = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|overwrite|bypass|discard|neglect|dismiss|"
    r"set aside|do not follow|don't follow|stop following|pay no attention to|abandon|erase|drop)"
)
_EARLIER = "(?:previous(?:ly)?|prior|above|earlier|preceding|former|initial|original|foregoing|following|past)"
_ORDERS = (
    r"(?:instructions?|prompts?|directions|directives?|commands|guidelines|requests|orders|training|programming|"
    r"constraints|rules|context|messages|conversations?|tasks?|protocols?|restrictions?|guidance|inputs?)\b"
)
_MODEL = (
    r"(?:ai|a\.i\.|chat ?gpt|gpt(?:-?\d)?|dan|llm|assistant|(?:ro|chat)?bot|chatbot|(?:large )?language model|"
    r"claude|gemini|copilot)"
)
_PROMPT = (
    r"(?:system ?(?:prompt|message|instructions?)|(?:initial|hidden|secret|original) (?:prompt|instructions?)|"
    r"programming)"
)
_ANSWER = (
    r"(?:reply|replies|response|responses|answers?|output text|summary|translation)\b(?! (?:headers?|body|objects?|"
    r"codes?|status|handlers?|types?|schemas?|payload|class|time|data|format|key|sheet|choice|stream|model|cache))"
)
_CHANGE = _any(
    """add include insert append integrate incorporate embed mention place put use replace substitute translate encode
    render convert modify enhance augment amend begin start end finish conclude preface prefix shift reverse anagram
    combine introduce apply invert scramble write make incorporate adjust alter tailor finalize conceal scatter swap
    rearrange represent infuse weave promote suffix prepend craft group complement supplement"""
)
_CODES = (
    r"(?:base ?\d\d|rot ?13|caesar|morse|hex|binary|leet|emojis?|reverse|uppercase|all caps|pig latin|english|german|"
    r"french|spanish|italian|chinese|japanese|russian|portuguese|arabic|korean|dutch|hindi|latin|klingon)\b"
)
_FREE = (
    r"(?:unfiltered|unrestricted|uncensored|unlimited|amoral|unbound|jailbroken|no[ -]limits|non-restricted|rogue|"
    r"evil)"
)

_IGNORE_WORDS = (
    "ignore ignoring disregard disregarding forget forgetting override overriding overwrite bypass discard "
    "neglect dismiss set follow following pay abandon erase drop"
)
_MODEL_WORDS = (
    "ai chatgpt gpt dan llm assistant chatbot bot robot robots bots assistants llms claude gemini copilot language"
)
_ANSWER_WORDS = "reply replies response responses answer answers output summary translation"

ENGLISH = (
    rule(
        _IGNORE_WORDS,
        rf"\b{_IGNORE} {_WORDS}{_EARLIER} {_WORDS}{_ORDERS}",
    ),
    rule(
        _IGNORE_WORDS,
        rf"\b{_IGNORE} (?:all |any |every |the |of |these |those |absolutely ){{0,6}}(?:your |openai |instructions|"
        r"everything (?:you|i|above|before|said|that))"
        r"(?:(?<!your )(?<!openai )|(?:\w{1,20} ){0,3}(?:instructions?|training|programming|rules|guidelines|"
        r"restrictions|prompts?|directives?|safety|ethic\w*|filters?|persona|limitations?|polic\w*))",
    ),
    rule(
        _IGNORE_WORDS,
        rf"\b{_IGNORE} (?:the |this |all )?(?:rest of )?(?:this |the )?(?:users?'?s? (?:request|question|query|"
        r"prompt|message|input)|rest of (?:this|the) (?:data|document|text|page|e-?mail|message|prompt))",
    ),
    rule(
        "instruction instructions input inputs prompt prompts message messages request requests",
        r"\b(?:regardless of|no matter what|instead of|contrary to) (?:any |all |your |the )?(?:previous|prior|"
        r"earlier|other) (?:instructions?|inputs?|prompts?|messages?|requests?)\b",
    ),
    rule(
        "going about",
        r"\byou(?: are|'re) (?:now )?(?:going to (?:act|be|play|pretend|behave|roleplay|role-play|emulate|"
        r"simulate|answer|become)|about to (?:immerse|act|play|become))\b",
    ),
    rule(
        _MODEL_WORDS,
        rf"\byou are now (?:(?:a|an|the|my) )?(?:[\w'-]{{1,20}} ){{0,3}}{_MODEL}\b",
    ),
    rule(
        "mode",
        r"\byou are now (?:in |entering )?(?:[\w'-]{1,20} ){0,2}mode\b",
    ),
    rule(
        "dan free longer",
        r"\byou(?: are|'re| will be)? (?:now )?(?:dan|free (?:of|from) (?:all|any|your|the) (?:constraints|"
        r"restrictions|rules|limits|typical)|no longer (?:bound|restricted|an? ai|chatgpt))\b",
    ),
    rule(
        "now point moment",
        r"\bfrom (?:now on|this (?:point|moment)(?: on| onwards?| forward)?),? (?:you(?:'ll| will| are going to|"
        r" have to| must| shall| should| are| can only)? )?(?:to )?(?:act|answer|respond|reply|be (?:a|an|my|"
        r"known)|speak|only|pretend|behave|play|are|your|every|all (?:of )?your|ignore|no longer|always)\b",
    ),
    rule(
        "act pretend role roleplay impersonate simulate emulate behave answer respond reply stay refuse ignore only",
        r"\b(?:i want you to|i need you to|i would like you to|i'd like you to|you must|you will|you should|your"
        r" task is to|your job is to) (?:now )?(?:act as|act like|pretend|role-?play|impersonate|simulate|emulate|"
        r"behave (?:as|like)|answer as|respond as|reply as|reply with|stay in character|never refuse|ignore|only "
        r"(?:answer|respond|reply|output|say))\b",
    ),
    rule(
        "pretend act imagine",
        r"\b(?:pretend|act as though|act as if|imagine) (?:that )?(?:to be|you(?: are|'re)) (?:(?:a|an|the|my|in|"
        r"no|not)\b|dan\b|free\b)",
    ),
    rule(
        "act behave respond answer reply talk speak pose",
        r"\b(?:act|behave|respond|answer|reply|talk|speak|pose) (?:exactly )?(?:as|like) (?:(?:a|an|the) )?"
        rf"(?:{_FREE}|dan\b|evil|[\w-]{{1,15}}gpt\b|(?:[\w-]{{1,15}} ){{0,2}}{_MODEL}\b)",
    ),
    rule(
        "anything jailbreak jailbrake jailbroken jailbrek dan mode unrestricted unfiltered god opposite maintenance",
        r"\bdo anything now\b|\bjailbr(?:ea?k|oken?)(?:ed)?\b|\bdan mode\b|\b(?:developer|debug|god|unrestricted|"
        r"unfiltered|maintenance|sudo|admin|opposite) mode (?:is )?(?:now )?(?:enabled|activated|output)|\b"
        r"(?:enter|activate|switch to|enable) (?:unrestricted|unfiltered|dan|god|jailbreak|opposite|maintenance)"
        r"(?: mode)?\b",
    ),
    rule(
        "unfiltered unrestricted uncensored unlimited amoral unbound jailbroken limits restricted rogue evil",
        rf"\b{_FREE} (?:and \w{{1,20}} )?(?:ai|assistant|chatbot|bot|language model|response|answer|version of "
        r"(?:chat|your))",
    ),
    rule(
        "character",
        r"\b(?:stay|remain|staying|break(?:ing)?|out of) (?:in )?character\b[^.!?\n]{0,80}\b(?:you|your|ai|chatgpt|"
        r"answer|respond|refuse)\b",
    ),
    rule(
        "restrictions guidelines constraints limitations boundaries implications considerations policy policies "
        "openai safety",
        r"\b(?:without|no|any|has no|have no|regardless of|ignor\w{1,3}|against|violat\w{1,4}|bypass\w{0,3}) "
        r"(?:any |all |your |the |of ){0,4}(?:(?:moral|ethical|legal)(?:ity)?(?:,| or| and)? (?:or |and )?(?:\w{1,15}"
        r" )?(?:restrictions|guidelines|constraints|limitations|boundaries|considerations|implications)|content"
        r" polic\w{1,3}|openai'?s? (?:\w{1,15} )?(?:polic|guidelines|rules)|safety (?:protocols|filters|guidelines|"
        r"measures|restrictions))",
    ),
    rule(
        _MODEL_WORDS,
        r"\b(?:hello|hi|hey|dear|attention|note to|message (?:to|for)|instructions? (?:to|for)|if you are) (?:all"
        rf" |any |the |an? )?(?:automated |helpful |dear |esteemed )?{_MODEL}s?\b",
    ),
    rule(
        "chatgpt gpt assistant ai language llm",
        r"\b(?:chat ?gpt|assistant|ai model|language model|llm),? (?:you (?:are|will|must|should|have)|please|from"
        r" now|ignore|forget|disregard|pretend|i (?:want|need|command|implore))\b",
    ),
    rule(
        "prompt prompts message messages instruction instructions systemprompt programming",
        r"\b(?:reveal|show|print|output|display|repeat|tell|give|share|list|leak|disclose|dump|expose|send|write|"
        r"recite|what (?:is|are|was|were)|summari[sz]e|translate|copy)\b[^.!?\n]{0,30}\byour (?:\w{1,15}"
        rf" ){{0,2}}{_PROMPT}",
    ),
    rule(
        "filter filters restrictions restriction safety guidelines limitation limitations rules safeguards "
        "protocol protocols",
        r"\b(?:disable|turn off|deactivate|remove|bypass|drop|disengage|suspend) (?:all |any )?(?:of )?(?:your|the"
        r" ai'?s?) (?:\w{1,20} )?(?:filters?|restrictions?|safety|guidelines|limitations?|rules|safeguards|"
        r"protocols?)\b",
    ),
    rule(
        "system safety",
        r"\bsystem (?:override|malfunction)\b|\b(?:disable|override) (?:all )?safety (?:protocols|filters|"
        r"measures)\b",
    ),
    rule(
        "task instruction instructions directive directives goal objective mission role order orders",
        r"\b(?:your|the) (?:new|next|real|actual|only|primary|updated) (?:\w{1,20} )?(?:task|instructions?|"
        r"directives?|goal|objective|mission|role|orders?) (?:is to|is:|are to|are:|is now|:)",
    ),
    rule(
        "instruction instructions directive directives task order orders",
        r"\b(?:new|updated|real|priority|special|secret|hidden|admin|legal amendment,? follow) (?:instructions?|"
        r"directives?|task|orders?) ?:",
    ),
    rule(
        "follow obey execute adhere comply",
        r"\b(?:follow|obey|execute|adhere to|comply with) (?:only )?(?:the|these|this|my|all) (?:following |new |"
        r"next )?(?:instruction|directive|order|command)s?\b[^.!?\n]{0,20}(?::|instead|only|immediately|without)",
    ),
    rule(
        "everything mistake",
        r"\b(?:ignore|forget|stop) everything\b(?! else)|\bi(?: have)? made a mistake when i gave you\b",
    ),
    rule(
        _ANSWER_WORDS,
        rf"{_BEGIN}{_CHANGE}\b(?:[^.!?\n]|[.!?](?=\S)){{0,140}}? your (?:\w{{1,15}} )?{_ANSWER}",
    ),
    rule(
        _ANSWER_WORDS,
        rf"^in your (?:\w{{1,15}} )?{_ANSWER}|[.!?:] in your (?:\w{{1,15}} )?{_ANSWER}",
    ),
    rule(
        _ANSWER_WORDS,
        rf"\b(?:at|to) the (?:start|beginning|end|top|bottom) of (?:your|every|each|all) (?:\w{{1,15}} )?{_ANSWER}",
    ),
    rule(
        "reply response answer",
        r"\b(?:in|of|to|for) your (?:\w{1,15} )?(?:reply|response|answer),? (?:suggest|mention|include|"
        r"recommend|say|tell|add|with numbers|based on)",
    ),
    rule(
        "reply respond answer response",
        rf"{_BEGIN}(?:reply|respond|answer|respond back|provide your (?:answer|response|reply)|give your (?:answer|"
        rf"response|reply)) (?:only )?(?:in|using|with|as|via) (?:only )?{_CODES}",
    ),
    rule(
        "say print output respond reply answer",
        r"\b(?:just|only) (?:say|print|output|respond with|reply with|answer with) [\"'\u201c\u2018]|\b(?:respond|"
        r"reply|answer) only (?:with|as) [\"'\u201c\u2018\u2022]|\b(?:say|respond with|reply"
        r" with)\b[^.!?\n]{1,60}\band nothing else\b",
    ),
    rule(
        "response responses reply replies answer answers",
        r"\b(?:all|every) (?:of your )?(?:responses?|replies|answers?) must (?:begin|start|end|include|contain)",
    ),
    rule(
        "tell",
        r"\btell (?:the|your) users? (?:to|that they|they) (?:visit|click|call|download|go to|enter|re-?enter|have"
        r" a|must|need|install|send)\b",
    ),
    rule(
        "asked told summarizing summarising instructed",
        r"\b(?:when|while|if) (?:you (?:are|were) )?(?:asked|told|summari[sz]ing|instructed) (?:to )?"
        r"(?:summari[sz]e )?(?:this|the)? ?[^.!?\n]{0,40}\b(?:make sure to|be sure to|instead|include|say|output|"
        r"you must|always)\b",
    ),
    rule(
        "please",
        r"\bplease (?:\w{1,12} )?(?:delete|transfer|move|grant|update|deposit|redirect|cancel|unlock|disable|"
        r"remove|withdraw|pay|buy|order|book|share|retrieve|find|fetch|schedule|add|fill|change|publish|search|"
        r"access|send)\b[^.!?\n]{0,60}\bmy (?!(?:question|problem|issue|english|understanding|code|case|situation|"
        r"opinion|life)s?\b)",
    ),
    rule(
        "fetch find retrieve search check access look get export download copy",
        r"\b(?:fetch|find|retrieve|search|check|access|look up|get|export|download|copy)\b[^.!?\n]{0,60}\b(?:my|"
        r"the user's)\b[^!?\n]{0,80}\b(?:send|forward|e-?mail|share)\b[^!?\n]{0,60}@",
    ),
    rule(
        "purposes debugging following pipeline",
        r"\b(?:for|this is for) (?:testing|debugging|test|academic) purposes(?: only)?[,:]|\bto enable debugging, |"
        r"\bdo the following in your \w{1,10}:|\bpart of a test pipeline\b",
    ),
    rule(
        "respond reply answer speak persona role",
        r"\b(?:always|only|now|and|must) (?:respond|reply|answer|speak) as\b(?! (?:a|an|the|soon|well|quickly|"
        r"expected|if|much|possible|follows)\b)|\b(?:the|your|this) persona (?:of|is)\b|\byou(?:'re| are) (?:now"
        r" )?in the role of\b",
    ),
    rule(
        "refuse refuses amoral immoral unhinged unethical",
        r"\b(?:never|does not|doesn't|do not|don't|cannot|not) refuses? (?:any|to answer|a|an|requests?)\b|\bnever"
        r" refuse\b|\b(?:amoral|immoral|unhinged|unethical)\b[^\n]{0,120}\b(?:answers?|responds?|responses?|repl"
        r"(?:y|ies)|chatbot|ai)\b",
    ),
    rule(
        "bot ai assistant model chatbot no",
        r"\b(?:chat)?(?:bot|ai|assistant|model|chatbot) (?:that (?:has|is)|who has|which has|with|without|has|"
        r"created to have) (?:no |any |absolutely no )?(?:moral |ethical )?(?:restrictions|filters?|rules|limits|"
        r"limitations|censorship|guidelines)\b|\bno (?:restrictions|rules|filters|limits|limitations|boundaries|"
        r"ethics|morals|ethical|moral)(?:,| or| and) (?:no )?(?:\w{1,12} )?(?:restrictions|rules|filters|limits|"
        r"limitations|boundaries|ethics|morals)\b",
    ),
    rule(
        "answer answers respond responds follow follows fulfil fulfill fulfills matter",
        r"\b(?:answers?|responds? to|follows?|fulfill?s?) (?:any|all|every|any and all) (?:\w{1,12} )?(?:requests?|"
        r"prompts?) (?:put|given|without|asked|no matter|regardless)|\bno matter what (?:i|the user|it is|is) "
        r"(?:ask|say|type|told|the)",
    ),
    rule(
        "stands standing insert your prompt",
        r"\byou are [\w-]{2,15},? (?:which |that |an acronym )?(?:that )?(?:stands|standing) for\b|"
        r"[\[{<(](?:insert|your) (?:your )?(?:prompt|question)(?: here)?[\]}>)]|\bprompt ?= ?\"",
    ),
    rule(
        "code",
        r"\bcode (?:block|snippet|excerpt|segment|fragment)s?\b[^.!?\n]{0,60}\b(?:your|the) (?:implementation|"
        r"codebase|algorithm|fabric)\b|\byour (?:implementation|algorithm|codebase|code|"
        r"solution)\b[^.!?\n]{0,50}\b(?:following|below|subsequent|given) code (?:block|snippet|excerpt|segment|"
        r"fragment)",
    ),
)
"""Speaks to a model: of its orders, its role, its answer."""
