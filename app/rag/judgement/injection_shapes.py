"""What texts say in other languages, or by their shape, that try to instruct the model that reads them. Patterns."""

import re

from app.rag.judgement.injection_phrases import rule

_GAP = r"[^.!?\n]{0,40}?"

LATIN = (
    rule(
        "ignorieren ignorier vergiss vergesst vergessen missachte missachten überschreibe umgehe umgehen befolge "
        "verwirf",
        r"\b(?:ignorier\w{0,4}|vergiss|vergesst|vergessen sie|missachte\w?|überschreib\w{0,3}|umgeh\w{0,3}|"
        rf"befolge nicht|verwirf)\b{_GAP}(?:anweisung|instruktion|befehl|regeln|vorgaben|richtlinie|"
        r"systemnachricht|system-?prompt|programmierung|einschränkung|beschränkung)\w{0,4}",
    ),
    rule(
        "bist ab tu deiner deine entwicklermodus schalte deaktiviere umgehe zeig zeige nenn nenne verrat verrate "
        "gib wiederhole antworte dein deinen deinem",
        r"\bdu bist (?:jetzt|nun|ab (?:jetzt|sofort)) |\bab (?:jetzt|sofort) (?:bist|wirst|antwortest|musst|"
        r"sollst|antworte)|\btu so,? als (?:ob|wärst|hättest)|\b(?:in|an|zu) deiner? antwort (?:ein|an|hinzu)\b|"
        rf"\bentwicklermodus\b|\b(?:schalte|deaktivier\w{{0,2}}|umgehe){_GAP}(?:filter|sicherheits|beschränkung|"
        r"einschränkung)|\b(?:zeig|nenn|verrat|gib|wiederhol)\w{0,2}\b[^.!?\n]{0,30}\b(?:deine|ursprüngliche|"
        r"geheime)\w{0,2} (?:\w{1,20} )?(?:anweisung|instruktion|vorgabe|regel)|\bantworte\w? (?:\w{1,10}"
        r" )?(?:ohne|frei von) (?:\w{1,10} )?(?:filter|einschränkung|beschränkung|regeln)|\bdein\w{0,2} "
        r"(?:system-?prompt|systemanweisung|ursprünglichen anweisung)",
    ),
    rule(
        "ignore ignorez oublie oubliez contourne contournez néglige négligez désactive désactivez ne outrepasse",
        r"\b(?:ignore[zr]?|oublie[zr]?|contourne[zr]?|néglige[zr]?|désactive[zr]?|ne (?:tiens|tenez) pas compte"
        rf" de|ne sui[st](?:ez)? pas|outrepasse[zr]?)\b{_GAP}\b(?:instructions?|consignes|règles|directives|"
        r"filtres|restrictions|limitations|programmation)\b",
    ),
    rule(
        "tu vous fais faites prompt invite mode ta votre montre montrez révèle révélez affiche affichez donne "
        "donnez répète répétez réponds répondez agis agissez",
        r"\b(?:tu es|vous êtes) (?:maintenant|désormais) (?:dan|une? |en mode|libre)|\b(?:fais|faites) comme si "
        r"(?:tu|vous)|\bprompt (?:système|système)|\binvite système|\b(?:montre|révèle|affiche|donne|"
        r"répète)[zr]?\b[^.!?\n]{0,20}\b(?:tes|vos) (?:\w{1,15} )?(?:instructions|consignes|règles)|\b(?:réponds|"
        r"répondez|agis|agissez) (?:librement|sans (?:aucune? )?(?:filtre|restriction|limite|censure|règle))|"
        r"\bmode (?:développeur|sans (?:filtre|restriction))|\bdans (?:ta|votre) réponse,? (?:ajoute|inclu|"
        r"mentionne)|\b(?:ajoute|inclus|mentionne)[sz]?\b[^.!?\n]{0,40}(?:ta|votre) réponse",
    ),
    rule(
        "ignora ignorar ignore olvida olvidar olvide omite no desactiva elude sáltate anula evade desobedece",
        r"\b(?:ignora\w{0,2}|ignore|olvida\w{0,2}|olvide|omite|no sigas|desactiva|elude|sáltate|anula|evade|"
        rf"desobedece)\b{_GAP}\b(?:instrucciones|reglas|órdenes|indicaciones|programación|filtros|restricciones|"
        r"directrices|limitaciones)\b",
    ),
    rule(
        "ahora partir modo muestra revela dime imprime muéstrame actúa finge compórtate agrega añade incluye "
        "responde repite",
        r"\bahora eres (?:dan|una? |libre)|\ba partir de ahora,? (?:eres|serás|actúa|responde)|\bmodo "
        r"(?:desarrollador|sin (?:filtros?|restricciones))|\b(?:muestra|revela|dime|imprime|"
        r"muéstrame)\b[^.!?\n]{0,30}(?:prompt|instrucciones) (?:del sistema|de sistema|iniciales|ocultas|secretas)|"
        r"\b(?:actúa|finge|compórtate) como si (?:no|fueras)|\b(?:responde|actúa) (?:libremente|sin (?:ning\w{1,4}"
        r" )?(?:filtros?|restricci\w{1,4}|límites?|reglas|censura))|\b(?:muestra|revela|dime|"
        r"repite)\w{0,2}\b[^.!?\n]{0,15}\btus (?:\w{1,15} )?(?:instrucciones|reglas|directrices)|\b(?:agrega|añade|"
        r"incluye)\b[^.!?\n]{0,40}tu respuesta",
    ),
    rule(
        "ignore esqueça esquece desconsidere desative desativa contorne burle você agora modo prompt partir "
        "mostre revele diga repita responda aja",
        rf"\b(?:ignore|esqueça|esquece|desconsidere|desative|desativa|contorne|burle)\b{_GAP}\b(?:instruções|"
        r"regras|ordens|restrições|filtros|programação|diretrizes)\b|\b(?:você (?:agora é|é agora)|agora você é) |"
        r"\bmodo (?:desenvolvedor|sem (?:filtros?|restrições))|\bprompt d[oe] sistema|\b(?:mostre|revele|diga|"
        r"repita)\w{0,3}\b[^.!?\n]{0,20}\b(?:suas?|teus?) (?:\w{1,15} )?(?:instruções|regras|prompt)|\b"
        r"(?:responda|aja) (?:livremente|sem (?:filtros?|restrições|limites|censura))|\ba partir de agora,? você",
    ),
    rule(
        "ignora dimentica trascura disattiva aggira scorda non ora adesso prompt modalità d",
        rf"\b(?:ignora|dimentica|trascura|disattiva|aggira|scorda|non seguire)\w{{0,2}}\b{_GAP}\b(?:istruzioni|"
        r"regole|direttive|restrizioni|filtri|programmazione|limitazioni)\b|\b(?:ora|adesso) sei (?:dan|una? |"
        r"libero)|\bprompt di sistema|\bmodalità (?:sviluppatore|senza (?:filtri|restrizioni))|\bd'ora in poi,? "
        r"(?:sei|sarai|rispond)",
    ),
    rule(
        "negeer vergeet omzeil je",
        rf"\b(?:negeer|vergeet|omzeil)\b{_GAP}\b(?:instructies|regels|opdrachten|aanwijzingen|beperkingen)\b|\bje"
        r" bent nu (?:dan|een )",
    ),
    rule(
        "zignoruj zapomnij pomiń ignoruj önceki tüm bütün",
        rf"\b(?:zignoruj|zapomnij|pomiń|ignoruj){_GAP}(?:instrukcj|polece|zasad|reguł)|\b(?:önceki|tüm|"
        r"bütün)\b[^.!?\n]{0,25}(?:talimat|kural|komut)\w{0,8} (?:unut|yok say|görmezden|dikkate alma)",
    ),
)
"""German, French, Spanish, Portuguese, Italian, Dutch, Polish and Turkish."""

SCRIPTS = (
    (
        re.compile("[\u0400-\u04ff]"),
        re.compile(
            rf"(?:игнорируй|забудь|проигнорируй|отключи|обойди|нарушь|отмени|не следуй){_GAP}(?:инструкци|правил|"
            r"указани|команд|ограничени|фильтр|настройк)|\bты теперь |\bтеперь ты |\bотвеча(?:й|йте) (?:без|"  # noqa: RUF001
            r"свободно)|(?:покажи|раскрой|выведи|повтори)\w{0,2}[^.!?\n]{0,25}(?:инструкци|промпт|правила)|"
            r"системн\w{1,3} (?:промпт|инструкц|сообщени)|начальн\w{1,3} инструкци|режим разработчика|"
            r"представь,? что ты|притворись"
        ),
    ),
    (
        re.compile("[\u4e00-\u9fff]"),
        re.compile(
            r"(?:忽略|无视|忘记|忘掉|不要理会|绕过|覆盖|忽視|無視|忘記|關閉|关闭|解除|不要遵守|违反)[^。\uff01\uff1f\n]{0,14}(?:指令|指示|规则|規則|提示词|提示|命令|安全限制|过滤|"
            r"過濾|限制|设定|要求)|你现在是|你現在是|从现在(?:开始|起)[,\uff0c]?你|(?:显示|输出|告诉我|透露|打印|泄露|重复|顯示)[^。\n]{0,10}(?:系统提示|提示词|"
            r"系统指令|初始指令|系統提示)|(?:开发者|開發者|无限制|越狱)模式|假装你(?:是|没有)|假裝你|(?:不受|没有)(?:任何)?(?:限制|约束)地?(?:回答|回复|的ai|的人工智能)|"
            r"自由回答|你(?:的新任务|的新指令)"
        ),
    ),
    (
        re.compile("[\u3040-\u30ff]"),
        re.compile(
            r"(?:指示|命令|ルール|規則|プロンプト|制限|フィルター|設定)[^。\n]{0,12}(?:無視|忘れて|上書き|解除|オフに|無効|回避|従わな)|あなたは(?:今|これから|"
            r"もう)[^。\n]{0,15}(?:です|になり|として)|システムプロンプト|(?:制限|フィルター)なし(?:で|に)(?:答|回答|応答)|(?:ふり|振り)をして(?:ください|くれ)|"
            r"開発者モード|(?:無視|忘れ)て[^。\n]{0,10}(?:指示|命令)"
        ),
    ),
    (
        re.compile("[\uac00-\ud7af]"),
        re.compile(
            r"(?:지시|명령|규칙|지침|프롬프트|제한|필터|설정)[^.\n]{0,12}"
            r"(?:무시|잊어|잊고|해제|꺼|비활성|우회)|(?:너는|당신은|넌) (?:이제|지금)[^.\n]{0,15}"
            r"(?:야|이다|입니다)|시스템 ?프롬프트|개발자 모드"
            r"|제한 없(?:는|이) (?:ai|답|대답|응답)|시스템 (?:메시지|지시|지침)"
        ),
    ),
    (
        re.compile("[\u0600-\u06ff]"),
        re.compile(
            r"(?:تجاهل|انس|انسى|تجاوز|تخط|عطل|أوقف)[^.\n]{0,20}(?:تعليمات|التعليمات|قواعد|القواعد|أوامر|الأوامر|"
            r"قيود|القيود|توجيهات)|أنت الآن|وضع المطور|موجه النظام|رسالة النظام"
        ),
    ),
    (
        re.compile("[\u0900-\u097f]"),
        re.compile(r"(?:निर्देश|नियम|आदेश)[^।\n]{0,20}(?:अनदेखा|भूल|नज़रअंदाज़|नजरअंदाज)"),
    ),
)
"""Russian, Chinese, Japanese, Korean, Arabic and Hindi: the letters that a text must have, and the pattern."""

SHAPED = re.compile(
    "|".join(
        (
            r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|endofprompt|begin_of_text|end_of_text|"
            r"start_header_id|end_header_id|eot_id|channel|message|return|end|start)\|>",
            r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?(?:system|assistant)>\s|^</?(?:system|assistant)>|"
            r"\[system\]|\(system\):",
            r"\[(?:ai|assistant|llm|system|hidden|admin|administrator|developer|chatbot|gpt|instructions?|user)"
            r"(?:[ _-](?:instructions?|notes?|override|directive|message|prompt|command|task|left the chat))?"
            r"(?:\]\s?:|:|\] ?(?:new|your|include|ignore|override|tell|say|output|append))|\[(?:ai|llm|"
            r"system)[ _-](?:instructions?|override|directive|command|prompt)\]",
            r"^[-#*= ]{3,12}(?:begin |end |new |end of )?(?:system|assistant|instructions?|admin|override|report"
            r" only)(?:[ _-](?:prompt|message|instructions?|override))?[-#*= ]{0,12}:?[-#*= ]{0,12}(?:$|all"
            r" content here)",
            r"<!--[^>]{0,80}\b(?:hidden:|instructions? (?:to|for) |ai[: ]|llm|chatgpt|(?<!-)ignore (?:the|all|any|"
            r"previous|your)|the user's request|your (?:response|answer|reply|summary)|extract and|inform (?:the"
            r" )?users?)",
            r"!\[[^\]\n]{0,80}\]\(\s?https?://[^)\s]{1,200}?[?&/][\w.-]{0,40}=?(?:\{|\[|<|%7b|%5b|\$)",
            r"\b(?:send|forward|e-?mail|transmit|exfiltrate|upload|share|post)\b[^!?\n]{0,60}\b(?:information|"
            r"details|data|results?|lists?|summary|summaries|conversation|history|passwords?|credentials|records?|"
            r"report|them|it|this|file|everything)\b[^!?\n]{0,50}?\bto (?:my |me |the |our )?(?:e-?mail|address|"
            r"account|at|following|amazon)?[^!?\n@]{0,40}@[\w-]{1,40}\.",
            r"\b(?:send|forward|post|leak|exfiltrate|append|transmit)\b[^.!?\n]{0,40}\b(?:conversation|chat"
            r" history|system prompt|user's (?:data|message|password|question)|previous messages|(?:user'?s?"
            r" )?passwords?)\b[^.!?\n]{0,40}\bto https?://",
        )
    ),
    re.MULTILINE,
)
"""The shapes of a prompt, or of a message to the outside: role markers, hidden comments, links that carry data."""
