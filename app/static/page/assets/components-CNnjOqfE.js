import{A as e,B as t,D as n,E as r,F as i,G as a,H as o,K as s,M as c,N as l,O as u,Q as d,R as f,U as p,V as m,W as h,Y as g,Z as _,a as v,at as y,c as ee,d as te,dt as b,et as x,ft as S,ht as C,i as w,it as T,j as E,k as D,l as ne,mt as re,n as ie,nt as O,o as ae,ot as k,p as A,q as j,rt as M,s as oe,st as N,t as se,tt as P,u as F,x as I,y as ce,z as L}from"./packages-index-KU4Y_6uS.js";var le={close:`Close`,dismiss:`Dismiss`,loading:`Loading`,retry:`Try again`,skip:`Skip to the content`,notifications:`Notifications`,"unreachable.title":`The server cannot be reached`,"problem.title":`Something went wrong`,"missing.title":`There is nothing here`,"missing.text":`It was deleted, or you have no access to it.`,"missing.home":`Go to the start page`,"side.label":`Projects and chats`,"side.open":`Open the side bar`,"side.appearance":`Appearance and language`,"theme.system":`Like the system`,"theme.light":`Light`,"theme.dark":`Dark`,"signIn.title":`Sign in to Footnote`,"signIn.email":`Email address`,"signIn.password":`Password`,"signIn.token":`Access token`,"signIn.tokenHelp":`A token that you created here, or that the operator gave you.`,"signIn.enter":`Sign in`,"signIn.useToken":`Use an access token`,"signIn.usePassword":`Use a password`,"composer.label":`Your question`,"composer.placeholder":`Ask your documents`,"composer.send":`Send`,"composer.keys":`Enter sends, Shift + Enter starts a new line`,"composer.stop":`Stop the answer`,"message.question":`Your question`,"message.answer":`Answer`,cancel:`Cancel`,save:`Save`,delete:`Delete`,copy:`Copy`,copied:`Copied`,tokens_one:`{count} token`,tokens_other:`{count} tokens`,"side.newChat":`New chat`,"side.search":`Search`,"side.searchKeys":`Ctrl K`,"side.status":`Status of the server`,"side.playground":`Playground for developers`,"side.signOut":`Sign out`,"side.noChats":`Chats that you begin appear here.`,"side.more":`Show older chats`,"age.today":`Today`,"age.yesterday":`Yesterday`,"age.week":`Last 7 days`,"age.month":`Last 30 days`,"age.older":`Older`,"project.choose":`Project: {name}`,"project.new":`New project`,"project.name":`Name`,"project.description":`What it is about (optional)`,"project.local":`Use only models on this machine`,"project.localHelp":`Documents and questions never leave it then.`,"project.create":`Create project`,"session.rename":`Rename`,"session.share":`Share with the project`,"session.unshare":`Stop sharing`,"session.shared":`Shared`,"session.delete":`Delete`,"session.deleteTitle":`Delete this chat?`,"session.deleteText":`“{title}” and all its answers will be gone.`,"session.title":`Title`,"session.titleHelp":`Without one, it is the beginning of the first question.`,"session.menu":`More about this chat`,"session.menuOf":`More about {title}`,"rag.on":`Documents on`,"rag.onHelp":`Answers come from the documents of {project}.`,"rag.off":`Documents off`,"rag.offHelp":`The model answers alone; no documents are searched.`,"message.writing":`The answer is being written.`,"message.finished_one":`The answer is complete, with one source.`,"message.finished_other":`The answer is complete, with {count} sources.`,"message.reasoning":`How the model came to it`,"message.cancelled":`You stopped this answer.`,"message.interrupted":`The server stopped while it was writing.`,"message.copy":`Copy the text`,"regenerate.earlier":`The earlier answer is shown again.`,"message.regenerate":`Answer again`,"message.helpful":`Helpful`,"message.notHelpful":`Not helpful`,"message.evidence":`Everything that was found`,"message.confidence":`{percent} confident`,"message.confidenceHelp":`How likely the answer is right, judged by its sources.`,"messages.label":`Messages`,"messages.toEnd":`Go to the newest message`,"message.edit":`Edit and ask again`,"message.menu":`More about this answer`,"message.copyWithSources":`Copy with its sources`,"edit.label":`The edited question`,"edit.help":`What followed stays as another version.`,"versions.label":`Versions`,"versions.previous":`Previous version`,"versions.next":`Next version`,"versions.number":`{number} / {all}`,"versions.which":`Version {number} of {all}`,"branch.shown":`The message is in another version of this chat, which is now shown.`,"message.replay":`Ask again with the same settings`,"compare.open":`Ask again with one change`,"compare.title":`Ask again with one change`,"compare.knob":`What to change`,"compare.knobHelp":`Everything else stays as the chat is set.`,"compare.on":`on`,"compare.off":`off`,"compare.changes":`What would be sent differently`,"compare.tokens":`{before} → {after} tokens in the prompt`,"compare.kept_one":`{count} passage stays`,"compare.kept_other":`{count} passages stay`,"compare.come":`Comes in`,"compare.gone":`Goes out`,"compare.ask":`Ask`,"compare.shown":`Shown in the chat`,"compare.usage":`Prompt {input}, answer {output}, {time}`,"compare.keep":`Keep this one`,"compare.help":`The second answer stays as another version of the question, whichever you keep.`,"export.markdown":`Save as Markdown`,"export.json":`Save as JSON`,"export.untitled":`Chat`,"outcome.NO_SOURCES":`Nothing found`,"outcome.NO_SOURCESHelp":`No document has anything relevant.`,"outcome.REJECTED":`Withdrawn`,"outcome.REJECTEDHelp":`The sources do not support what the model wrote.`,"outcome.INSUFFICIENT":`Not in the documents`,"outcome.INSUFFICIENTHelp":`The model says that the sources do not contain the answer.`,"rating.title":`What was not helpful?`,"rating.comment":`Anything else (optional)`,"rating.send":`Send`,"reason.INCORRECT":`It is wrong`,"reason.INCOMPLETE":`Something is missing`,"reason.IRRELEVANT":`It answers another question`,"reason.UNSUPPORTED":`The sources do not say that`,"reason.OUTDATED":`The sources are out of date`,"reason.UNCLEAR":`It is hard to understand`,"reason.REFUSED":`The documents do hold the answer`,"reason.OTHER":`Something else`,"stage.searching":`Searching the documents`,"stage.reading_one":`Reading one passage`,"stage.reading_other":`Reading {count} passages`,"stage.reconnecting":`The connection is lost. It continues where it stopped as soon as the server can be reached.`,"marker.name":`Source {index}: {title}`,"sources.title":`Sources`,"source.page":`page {page}`,"source.changed":`Changed`,"source.changedHelp":`The document has changed since this answer. The quote is what it said then.`,"source.deleted":`Deleted`,"source.deletedHelp":`The document was deleted. The quote is kept.`,"source.notFound":`These words are not in the passage any more.`,"source.placedByServer":`Marker placed by Footnote`,"source.placedByModel":`Marker placed by the model`,"source.uses":`Places in the answer`,"source.use":`Place {number}`,"source.open":`Read in the document`,"source.visit":`Visit`,"source.gone":`This passage does not exist any more.`,"source.passage":`The cited passage`,"source.readOn":`Read on`,"support.strong":`Strong support`,"support.fair":`Fair support`,"support.weak":`Weak support`,"support.help":`How well the quote supports the sentence that cites it.`,"evidence.label":`Where this answer comes from`,"evidence.close":`Close the panel`,"evidence.sources":`Sources`,"evidence.all":`All sources`,"found.cited":`Cited`,"found.nothingCited":`The answer cites nothing.`,"found.read":`Read, but not cited`,"found.left":`Found, but not given to the model`,"found.score":`Relevance {score}`,"decision.INCLUDED":`In the prompt`,"decision.SHORTENED":`Its beginning is in the prompt`,"decision.BELOW_THRESHOLD":`Below the threshold`,"decision.OVER_BUDGET":`Did not fit`,"decision.DUPLICATE":`Says the same as another`,"decision.BEYOND_TOP_K":`Enough better ones were found`,"window.title":`Context window`,"window.label":`Context window: {used} of {all} tokens are taken`,"window.free":`Free`,"window.all":`Whole window`,"window.none":`The model was not called for this answer.`,"window.reduced":`{requested} were requested`,"window.reported":`Counted: {counted}. Reported by the provider: {reported}.`,"window.passages_one":`{count} passage`,"window.passages_other":`{count} passages`,"window.turns_one":`{count} message`,"window.turns_other":`{count} messages`,"window.memories_one":`{count} fact`,"window.memories_other":`{count} facts`,"window.dropped_one":`{count} left out`,"window.dropped_other":`{count} left out`,"window.wouldSend":`Would send {used} of {all} tokens`,"counting.EXACT":`Counted with the model's own tokenizer.`,"counting.CALIBRATED":`Estimated, and corrected by what the provider reported earlier.`,"counting.ESTIMATED":`Estimated, rather too high than too low.`,"part.SYSTEM":`Instructions`,"part.TOOLS":`Tools`,"part.MEMORIES":`Facts about you`,"part.CONTEXT":`Passages`,"part.HISTORY":`Conversation`,"part.QUESTION":`Question`,"part.MARGIN":`Margin`,"part.COMPLETION":`Room for the answer`,"prompt.title":`What would be sent to the model`,"prompt.read":`Read the prompt`,"prompt.none":`The model would not be called.`,"role.system":`Instructions`,"role.user":`User`,"role.assistant":`Assistant`,"markdown.table":`Table`,"markdown.code":`Code`,"search.title":`Search chats`,"search.placeholder":`Part of a title, or words of a message`,"search.results":`Found`,"search.nothing":`No title and no message has these words.`,"search.chats":`Chats`,"search.messages":`In questions and answers`,"newChat.documents_one":`{count} document to ask`,"newChat.documents_other":`{count} documents to ask`,"home.title":`Begin with a project`,"home.text":`A project holds the documents that answers come from, and the chats about them.`,"tour.title":`How it works`,"tour.questions":`Questions to begin with`,"tour.question1":`Which document formats can Footnote read?`,"tour.question2":`How can I resume an answer after the connection breaks?`,"tour.question3":`What happens if the documents do not contain the answer?`,"tour.step1":`Ask`,"tour.text1":`Type a question, or pick one above. While you type, a bar shows what would be sent.`,"tour.step2":`Check`,"tour.text2":`Each number in the answer is a footnote. Point at it to see the source's own words.`,"tour.step3":`Look inside`,"tour.text3":`Click a footnote for the passage and its document, and for what was found but not used.`,"tour.dismiss":`Got it`,"knowledge.title":`Knowledge · {project}`,"knowledge.views":`Views of the knowledge`,"knowledge.documents":`Documents`,"knowledge.search":`Search`,"knowledge.model":`Embedding model`,"knowledge.documentCount_one":`{count} document`,"knowledge.documentCount_other":`{count} documents`,"knowledge.passageCount_one":`{count} passage`,"knowledge.passageCount_other":`{count} passages`,"knowledge.add":`Add documents`,"knowledge.drop":`Drop files or folders here.`,"knowledge.formats":`{names}, and any other text.`,"knowledge.formatsTitle":`Formats that can be read`,"knowledge.chooseFiles":`Choose files`,"knowledge.chooseFolder":`Choose a folder`,"knowledge.tooManyFiles":`Only the first {count} files are added.`,"knowledge.uploads":`Files being sent`,"knowledge.uploading":`Sending {name}`,"knowledge.takeBack":`Take back {name}`,"knowledge.moreUploads":`and {count} more`,"knowledge.filter":`Filter by title`,"knowledge.status":`Status`,"knowledge.allStatuses":`Every status`,"knowledge.more":`Show more`,"knowledge.noMatch":`No document matches`,"knowledge.empty":`No documents yet`,"knowledge.emptyHelp":`Drop some above. A minute later you can ask them.`,"knowledge.emptyViewer":`An editor of this project can add some.`,"status.QUEUED":`Waiting`,"status.PROCESSING":`Being read`,"status.READY":`Ready`,"status.FAILED":`Failed`,"stage.PARSING":`Being read`,"stage.CHUNKING":`Being split`,"stage.EMBEDDING":`Being embedded`,"stage.INDEXING":`Being indexed`,"document.menu":`More for {title}`,"document.preview":`Preview`,"document.previewHelp":`The text as it was read, passage by passage: this is what answers are made from.`,"document.openOriginal":`Open the original`,"document.download":`Download the original`,"document.rename":`Rename`,"document.replace":`Replace by a new file`,"document.delete":`Delete`,"document.version":`version {version}`,"document.progress":`Progress of {title}`,"document.title":`Title`,"document.titleHelp":`Titles are searched, too. Leave it empty to use the title in the file.`,"document.noSource":`This document was added without a source name, so there is no telling which file replaces it. Delete it and add the new file.`,"document.newFile":`New file`,"document.replaceHelp":`The old version is searched until the new one is ready.`,"document.deleteTitle":`Delete “{title}”?`,"document.deleteHelp":`It is no longer found. Answers that cite it keep their quotes, and say that it was deleted.`,"search.label":`Words or a question`,"search.help":`Shows the passages that a question would find, best first.`,"search.mode":`Match by`,"search.HYBRID":`Words and meaning`,"search.LEXICAL":`Words only`,"search.VECTOR":`Meaning only`,"search.go":`Search`,"search.none":`Nothing was found`,"search.scoreHelp":`Words {words}, meaning {meaning}`,"space.model":`Model`,"space.dimensions":`{count} dimensions`,"space.weight":`Weight of meaning`,"space.weightHelp":`What meaning counts in a score; words count the rest.`,"space.threshold":`Threshold`,"space.thresholdHelp":`Passages that score less are not used for answers.`,"space.measured":`Measured`,"space.measuredAt":`on this project's own texts, when it had {count} passages`,"space.notMeasured":`not yet: there are too few passages`,"space.building":`Switching to {model}: {done} of {total} passages`,"space.progress":`Progress of the switch to {model}`,"space.cancel":`Keep the present model`,"space.switch":`Switch the model`,"space.switchHelp":`All passages are embedded again in the background. Until that is done, the present model answers.`,"space.go":`Switch`,"space.failed":`The switch to {model} failed.`,saved:`Saved`,"session.settings":`Settings of this chat`,"option.reset":`Use the defaults`,"option.enableRag":`Answer from the documents`,"option.enableRagHelp":`Passages of the project's documents are found for each question and given to the model.`,"option.ragTopK":`Passages`,"option.ragTopKHelp":`How many passages an answer may use. More cost more of the window, and distract small models.`,"option.ragThreshold":`Threshold`,"option.ragThresholdHelp":`Passages that score less are left out. The default is measured on the project's own texts.`,"option.includeCitations":`Show sources`,"option.includeCitationsHelp":`Answers contain markers such as [1], each checked against its passage.`,"option.grounding":`Grounding`,"option.grounding.GROUNDED":`Only from the sources`,"option.grounding.OPEN":`Sources and general knowledge`,"option.grounding.GROUNDEDHelp":`What the sources do not say is refused.`,"option.grounding.OPENHelp":`The model may also say what it knows by itself; that has no footnote.`,"option.contextTokenRatio":`Share of the window for passages`,"option.contextTokenRatioHelp":`The rest is for the conversation so far and the answer.`,"option.reformulate":`Rewrite questions for the search`,"option.reformulateHelp":`A model turns “and when?” into a whole question first. That takes one more request.`,"option.model":`Model`,"option.modelHelp":`As provider/model. The list shows what this server can reach.`,"option.temperature":`Temperature`,"option.temperatureHelp":`0 gives the likeliest words; more gives more variety, and more mistakes.`,"option.promptProfile":`Kind of prompt`,"option.promptProfileHelp":`Small models follow a short prompt with an example better.`,"option.promptProfile.AUTO":`By the model's size`,"option.promptProfile.SMALL":`For small models`,"option.promptProfile.LARGE":`For large models`,"option.maxTokens":`Longest answer, in tokens`,"option.maxTokensHelp":`Empty: as much as fits the window.`,"option.systemPrompt":`Instructions to the model`,"option.systemPromptHelp":`Placed at the start of every prompt.`,"project.settings":`Settings · {project}`,"project.about":`About the project`,"project.localOnly":`Only models on this machine`,"project.localOnlyHelp":`Documents and questions never leave it.`,"project.noSources":`Answer when nothing relevant is found`,"project.noSourcesHelp":`Given when answers must come from the sources.`,"project.rejected":`Answer in place of one without sources`,"project.rejectedHelp":`Given when the model cites nothing that holds.`,"project.defaults":`Defaults for its chats`,"project.defaultsHelp":`Every chat of the project uses these unless it sets its own.`,"project.delete":`Delete this project`,"project.deleteHelp":`Its documents, chats and memories go with it. There is no way back.`,"project.deleteTitle":`Delete {project}?`,"project.typeName":`Type “{project}” to confirm`,"memories.title":`What it remembers about you`,"memories.help":`Facts that are given to the model with your questions in this project. Nobody else sees them.`,"memories.new":`A new fact`,"memories.remember":`Remember`,"memories.forget":`Forget “{content}”`,"members.title":`Members · {project}`,"members.email":`Email address`,"members.help":`Of somebody who has an account on this server.`,"members.role":`Role`,"members.roleOf":`Role of {who}`,"members.add":`Add`,"members.remove":`Remove`,"members.removeWho":`Remove {who}`,"members.roles":`Readers search and chat. Editors also add, change and delete documents. Owners also change settings and members.`,"role.VIEWER":`Reader`,"role.EDITOR":`Editor`,"role.OWNER":`Owner`,"invited.title":`Welcome to Footnote`,"invited.help":`You are signed in as {email} by a link, which works once. Set a password to come back.`,"invited.set":`Set the password`,"invited.later":`Not now`,"link.title":`Sign in by this link?`,"link.text":`You are signed in as {who}. The link signs you in as whoever it was made for.`,"link.stay":`Stay signed in`,"link.follow":`Use the link`,"account.title":`Your account`,"account.name":`Name`,"account.password":`Password`,"account.current":`Current password`,"account.currentHelp":`Leave it empty if you have none yet.`,"account.new":`New password`,"account.newHelp":`At least 8 characters; there are no other rules.`,"account.change":`Change the password`,"account.passwordChanged":`The password was changed`,"tokens.title":`Access tokens`,"tokens.help":`For programs that use the API in your name. Each can be revoked by itself.`,"tokens.created":`Copy it now: it is shown only once.`,"tokens.copy":`Copy`,"tokens.copied":`Copied`,"tokens.label":`What it is for`,"tokens.life":`Lasts`,"tokens.days":`{days} days`,"tokens.forever":`Does not expire`,"tokens.until":`until {date}`,"tokens.used":`last used {date}`,"tokens.unused":`never used`,"tokens.create":`Create`,"tokens.revoke":`Revoke`,"tokens.revokeWhich":`Revoke {label}`,"health.title":`Status`,"health.OK":`Works`,"health.DEGRADED":`Limited`,"health.DOWN":`Down`,"health.version":`Footnote {version}`,"health.database":`Database`,"health.work":`Documents and answers in work`,"health.embedded":`Built-in models`,"project.purpose":`Description`,"side.knowledge":`Knowledge`,"side.settings":`Settings`,"side.members":`Members`,"side.account":`Account`,"session.pin":`Pin`,"session.unpin":`Unpin`,"session.archive":`Archive`,"session.unarchive":`Bring back`,"age.pinned":`Pinned`,"side.archived":`Archived chats`,"side.noArchived":`No chat is archived.`,"side.back":`Back to all chats`,"newChat.waiting":`{ready} of {all} documents are ready`,"pdf.tools":`Page and size`,"pdf.previous":`Previous page`,"pdf.next":`Next page`,"pdf.page":`Page`,"pdf.smaller":`Smaller`,"pdf.larger":`Larger`,"original.views":`How to show the document`,"original.pages":`Pages`,"original.text":`Text`},ue=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),de=function(e){return`/static/page/`+e},fe={},pe=function(e){return e.pathname.endsWith(`.css`)},me=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},he=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=de(t,n);let r=s(t),i=pe(r);return me(fe,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:ue,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},ge={en:`English`,de:`Deutsch`},_e=`footnote:language`,ve={en:async()=>le,de:async()=>(await he(async()=>{let{default:e}=await import(`./de-Bg_yvQui.js`);return{default:e}},[])).default},R=new class{#e=k(`en`);get language(){return g(this.#e)}set language(e){y(this.#e,e,!0)}#t=k(le);get catalog(){return g(this.#t)}set catalog(e){y(this.#t,e)}#n=N(()=>new Intl.PluralRules(this.language));get plural(){return g(this.#n)}set plural(e){y(this.#n,e)}#r=N(()=>new Intl.NumberFormat(this.language));get number(){return g(this.#r)}set number(e){y(this.#r,e)}#i=N(()=>new Intl.NumberFormat(this.language,{style:`percent`,maximumFractionDigits:0}));get percent(){return g(this.#i)}set percent(e){y(this.#i,e)}#a=N(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`,timeStyle:`short`}));get date(){return g(this.#a)}set date(e){y(this.#a,e)}#o=N(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`}));get day(){return g(this.#o)}set day(e){y(this.#o,e)}};function z(e,t){return be(R.catalog[e],t)}function ye(e,t,n){let r=R.plural.select(t)===`one`?`one`:`other`;return be(R.catalog[`${e}_${r}`],{...n,count:R.number.format(t)})}function be(e,t){return t?e.replace(/\{(\w+)\}/g,(e,n)=>String(t[n]??e)):e}async function xe(e){localStorage.setItem(_e,e),await Ce(e)}async function Se(){await Ce([localStorage.getItem(_e),...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==null&&e in ge)??`en`)}async function Ce(e){R.catalog=await ve[e](),R.language=e,document.documentElement.lang=e}var B=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new B(`
    fragment MemberList on Project {
  id
  name
  viewerRole
  members {
    role
    user {
      id
      email
      name
    }
  }
}
    `,{fragmentName:`MemberList`}),new B(`
    fragment TokenItem on AccessToken {
  id
  label
  createdAt
  expiresAt
  lastUsedAt
}
    `,{fragmentName:`TokenItem`}),new B(`
    fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}
    `,{fragmentName:`CitationItem`}),new B(`
    fragment NoticeItem on Notice {
  code
  message
}
    `,{fragmentName:`NoticeItem`}),new B(`
    fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
    `,{fragmentName:`Window`}),new B(`
    fragment MessageItem on Message {
  id
  role
  status
  createdAt
  completedAt
  outcome
  finishReason
  confidence
  reasoning
  searchQuery
  content
  previous {
    id
  }
  alternatives {
    id
  }
  citations {
    ...CitationItem
  }
  usage {
    inputTokens
    outputTokens
    totalMs
    costUsd
  }
  failure {
    code
    message
    retryable
  }
  notices {
    ...NoticeItem
  }
  feedback {
    helpful
    reason
    comment
  }
  budget {
    ...Window
  }
}
    fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment NoticeItem on Notice {
  code
  message
}
fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}`,{fragmentName:`MessageItem`}),new B(`
    fragment Passage on Chunk {
  id
  position
  text
  locator {
    page
    heading
    startOffset
    endOffset
  }
  document {
    id
    title
    url
    mediaType
    originalUrl
    bytes
  }
}
    `,{fragmentName:`Passage`}),new B(`
    fragment CitationPassages on Citation {
  uses {
    quoteSpan {
      startOffset
      endOffset
    }
    chunk {
      ...Passage
    }
  }
}
    fragment Passage on Chunk {
  id
  position
  text
  locator {
    page
    heading
    startOffset
    endOffset
  }
  document {
    id
    title
    url
    mediaType
    originalUrl
    bytes
  }
}`,{fragmentName:`CitationPassages`}),new B(`
    fragment Candidate on CandidateDecision {
  documentTitle
  score
  vectorScore
  tokens
  decision
  chunk {
    ...Passage
  }
}
    fragment Passage on Chunk {
  id
  position
  text
  locator {
    page
    heading
    startOffset
    endOffset
  }
  document {
    id
    title
    url
    mediaType
    originalUrl
    bytes
  }
}`,{fragmentName:`Candidate`}),new B(`
    fragment PagePlaces on PageRectangles {
  pageNumber
  width
  height
  boxes {
    left
    top
    right
    bottom
  }
}
    `,{fragmentName:`PagePlaces`}),new B(`
    fragment SpaceItem on EmbeddingSpace {
  id
  model
  dimensions
  state
  denseWeight
  threshold
  measuredChunks
  problem
  chunksDone
  chunksTotal
}
    `,{fragmentName:`SpaceItem`}),new B(`
    fragment DocumentItem on Document {
  id
  title
  source
  mediaType
  bytes
  version
  status
  failure {
    code
    message
  }
  updatedAt
  originalUrl
}
    `,{fragmentName:`DocumentItem`}),new B(`
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}
    `,{fragmentName:`Problem`}),new B(`
    fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}
    `,{fragmentName:`ProjectItem`}),new B(`
    fragment SessionItem on ChatSession {
  id
  title
  shared
  pinned
  archived
  enableRag
  lastActivityAt
  project {
    id
    name
  }
}
    `,{fragmentName:`SessionItem`}),new B(`
    fragment SessionOptions on ChatSession {
  id
  title
  model
  systemPrompt
  enableRag
  ragTopK
  ragThreshold
  includeCitations
  grounding
  contextTokenRatio
  maxTokens
  temperature
  reformulate
  promptProfile
}
    `,{fragmentName:`SessionOptions`}),new B(`
    fragment ProjectOptions on AnswerDefaults {
  model
  systemPrompt
  enableRag
  ragTopK
  ragThreshold
  includeCitations
  grounding
  contextTokenRatio
  maxTokens
  temperature
  reformulate
  promptProfile
}
    `,{fragmentName:`ProjectOptions`}),new B(`
    fragment ProjectDetails on Project {
  id
  name
  description
  viewerRole
  localProvidersOnly
  noSourcesText
  rejectedText
  answerDefaults {
    ...ProjectOptions
  }
  memories {
    id
    content
  }
}
    fragment ProjectOptions on AnswerDefaults {
  model
  systemPrompt
  enableRag
  ragTopK
  ragThreshold
  includeCitations
  grounding
  contextTokenRatio
  maxTokens
  temperature
  reformulate
  promptProfile
}`,{fragmentName:`ProjectDetails`});var we=new B(`
    query ProjectMembers($id: ID!) {
  project(id: $id) {
    ...MemberList
  }
}
    fragment MemberList on Project {
  id
  name
  viewerRole
  members {
    role
    user {
      id
      email
      name
    }
  }
}`),Te=new B(`
    mutation SetProjectMember($projectId: ID!, $email: String!, $role: ProjectRole!) {
  setProjectMember(input: {projectId: $projectId, email: $email, role: $role}) {
    __typename
    ... on SetProjectMemberPayload {
      project {
        ...MemberList
      }
    }
    ...Problem
  }
}
    fragment MemberList on Project {
  id
  name
  viewerRole
  members {
    role
    user {
      id
      email
      name
    }
  }
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ee=new B(`
    mutation RemoveProjectMember($projectId: ID!, $userId: ID!) {
  removeProjectMember(input: {projectId: $projectId, userId: $userId}) {
    __typename
    ... on RemoveProjectMemberPayload {
      project {
        ...MemberList
      }
    }
    ...Problem
  }
}
    fragment MemberList on Project {
  id
  name
  viewerRole
  members {
    role
    user {
      id
      email
      name
    }
  }
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),De=new B(`
    query Tokens {
  viewer {
    user {
      id
      email
      name
    }
    accessTokens {
      ...TokenItem
    }
  }
}
    fragment TokenItem on AccessToken {
  id
  label
  createdAt
  expiresAt
  lastUsedAt
}`),Oe=new B(`
    mutation CreateAccessToken($input: CreateAccessTokenInput!) {
  createAccessToken(input: $input) {
    __typename
    ... on CreateAccessTokenPayload {
      token
      accessToken {
        ...TokenItem
      }
    }
    ...Problem
  }
}
    fragment TokenItem on AccessToken {
  id
  label
  createdAt
  expiresAt
  lastUsedAt
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),ke=new B(`
    mutation RevokeAccessToken($id: ID!) {
  revokeAccessToken(input: {id: $id}) {
    __typename
    ... on RevokeAccessTokenPayload {
      revokedId
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ae=new B(`
    mutation ChangePassword($input: ChangePasswordInput!) {
  changePassword(input: $input) {
    __typename
    ... on ChangePasswordPayload {
      user {
        id
        email
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),je=new B(`
    mutation RenameViewer($name: String) {
  updateViewer(input: {name: $name}) {
    __typename
    ... on UpdateViewerPayload {
      viewer {
        user {
          id
          email
          name
        }
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Me=new B(`
    query Status {
  health {
    status
    version
    components {
      name
      status
      detail
      latencyMs
    }
  }
}
    `),Ne=new B(`
    query Viewer {
  viewer {
    user {
      id
      email
      name
    }
  }
}
    `),Pe=new B(`
    mutation SignIn($email: String!, $password: String!) {
  signIn(input: {email: $email, password: $password}) {
    __typename
    ... on SignInPayload {
      token
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Fe=new B(`
    mutation RedeemSetupToken($token: String!) {
  redeemSetupToken(input: {token: $token}) {
    __typename
    ... on RedeemSetupTokenPayload {
      token
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ie=new B(`
    mutation SignOut {
  signOut
}
    `),Le=new B(`
    query ChatSession($id: ID!, $before: String) {
  chatSession(id: $id) {
    id
    title
    shared
    pinned
    archived
    enableRag
    model
    createdBy {
      id
    }
    project {
      ...ProjectItem
    }
    messages(last: 20, before: $before) {
      nodes {
        ...MessageItem
      }
      pageInfo {
        hasPreviousPage
        startCursor
      }
    }
  }
}
    fragment MessageItem on Message {
  id
  role
  status
  createdAt
  completedAt
  outcome
  finishReason
  confidence
  reasoning
  searchQuery
  content
  previous {
    id
  }
  alternatives {
    id
  }
  citations {
    ...CitationItem
  }
  usage {
    inputTokens
    outputTokens
    totalMs
    costUsd
  }
  failure {
    code
    message
    retryable
  }
  notices {
    ...NoticeItem
  }
  feedback {
    helpful
    reason
    comment
  }
  budget {
    ...Window
  }
}
fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment NoticeItem on Notice {
  code
  message
}
fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}
fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}`),Re=new B(`
    query Message($id: ID!) {
  message(id: $id) {
    ...MessageItem
  }
}
    fragment MessageItem on Message {
  id
  role
  status
  createdAt
  completedAt
  outcome
  finishReason
  confidence
  reasoning
  searchQuery
  content
  previous {
    id
  }
  alternatives {
    id
  }
  citations {
    ...CitationItem
  }
  usage {
    inputTokens
    outputTokens
    totalMs
    costUsd
  }
  failure {
    code
    message
    retryable
  }
  notices {
    ...NoticeItem
  }
  feedback {
    helpful
    reason
    comment
  }
  budget {
    ...Window
  }
}
fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment NoticeItem on Notice {
  code
  message
}
fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}`),ze=new B(`
    mutation CreateChatSession($input: CreateChatSessionInput!) {
  createChatSession(input: $input) {
    __typename
    ... on CreateChatSessionPayload {
      chatSession {
        id
        title
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Be=new B(`
    mutation SendMessage($input: SendMessageInput!) {
  sendMessage(input: $input) {
    __typename
    ... on SendMessagePayload {
      question {
        ...MessageItem
      }
      answer {
        ...MessageItem
      }
    }
    ...Problem
  }
}
    fragment MessageItem on Message {
  id
  role
  status
  createdAt
  completedAt
  outcome
  finishReason
  confidence
  reasoning
  searchQuery
  content
  previous {
    id
  }
  alternatives {
    id
  }
  citations {
    ...CitationItem
  }
  usage {
    inputTokens
    outputTokens
    totalMs
    costUsd
  }
  failure {
    code
    message
    retryable
  }
  notices {
    ...NoticeItem
  }
  feedback {
    helpful
    reason
    comment
  }
  budget {
    ...Window
  }
}
fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment NoticeItem on Notice {
  code
  message
}
fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ve=new B(`
    mutation CancelAnswer($messageId: ID!) {
  cancelAnswer(input: {messageId: $messageId}) {
    __typename
    ... on CancelAnswerPayload {
      answer {
        ...MessageItem
      }
    }
    ...Problem
  }
}
    fragment MessageItem on Message {
  id
  role
  status
  createdAt
  completedAt
  outcome
  finishReason
  confidence
  reasoning
  searchQuery
  content
  previous {
    id
  }
  alternatives {
    id
  }
  citations {
    ...CitationItem
  }
  usage {
    inputTokens
    outputTokens
    totalMs
    costUsd
  }
  failure {
    code
    message
    retryable
  }
  notices {
    ...NoticeItem
  }
  feedback {
    helpful
    reason
    comment
  }
  budget {
    ...Window
  }
}
fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment NoticeItem on Notice {
  code
  message
}
fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),He=new B(`
    mutation RegenerateAnswer($input: RegenerateAnswerInput!) {
  regenerateAnswer(input: $input) {
    __typename
    ... on RegenerateAnswerPayload {
      answer {
        ...MessageItem
      }
    }
    ...Problem
  }
}
    fragment MessageItem on Message {
  id
  role
  status
  createdAt
  completedAt
  outcome
  finishReason
  confidence
  reasoning
  searchQuery
  content
  previous {
    id
  }
  alternatives {
    id
  }
  citations {
    ...CitationItem
  }
  usage {
    inputTokens
    outputTokens
    totalMs
    costUsd
  }
  failure {
    code
    message
    retryable
  }
  notices {
    ...NoticeItem
  }
  feedback {
    helpful
    reason
    comment
  }
  budget {
    ...Window
  }
}
fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment NoticeItem on Notice {
  code
  message
}
fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ue=new B(`
    mutation SelectBranch($messageId: ID!) {
  selectBranch(input: {messageId: $messageId}) {
    __typename
    ... on SelectBranchPayload {
      chatSession {
        id
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),We=new B(`
    query ExportChatSession($id: ID!, $format: ExportFormat!) {
  exportChatSession(id: $id, format: $format)
}
    `),Ge=new B(`
    query AnswerWithSources($id: ID!) {
  message(id: $id) {
    id
    contentWithSources
  }
}
    `),Ke=new B(`
    subscription AnswerEvents($messageId: ID!, $after: Int!) {
  answerEvents(messageId: $messageId, after: $after) {
    __typename
    sequence
    ... on AnswerDelta {
      text
    }
    ... on AnswerReplaced {
      content
      outcome
    }
    ... on ReasoningDelta {
      text
    }
    ... on RetrievalCompleted {
      searchQuery
      passages {
        documentTitle
      }
    }
    ... on BudgetNegotiated {
      budget {
        ...Window
      }
    }
    ... on CitationAdded {
      citation {
        ...CitationItem
      }
    }
    ... on NoticeGiven {
      notice {
        ...NoticeItem
      }
    }
    ... on AnswerCompleted {
      message {
        ...MessageItem
      }
    }
    ... on AnswerCancelled {
      message {
        ...MessageItem
      }
    }
    ... on AnswerFailed {
      message {
        ...MessageItem
      }
    }
  }
}
    fragment MessageItem on Message {
  id
  role
  status
  createdAt
  completedAt
  outcome
  finishReason
  confidence
  reasoning
  searchQuery
  content
  previous {
    id
  }
  alternatives {
    id
  }
  citations {
    ...CitationItem
  }
  usage {
    inputTokens
    outputTokens
    totalMs
    costUsd
  }
  failure {
    code
    message
    retryable
  }
  notices {
    ...NoticeItem
  }
  feedback {
    helpful
    reason
    comment
  }
  budget {
    ...Window
  }
}
fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment NoticeItem on Notice {
  code
  message
}
fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}`),qe=new B(`
    query AnswerEvidence($id: ID!) {
  message(id: $id) {
    id
    citations {
      ...CitationItem
      ...CitationPassages
    }
    budget {
      ...Window
      candidates {
        ...Candidate
      }
    }
  }
}
    fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment CitationItem on Citation {
  index
  label
  documentTitle
  page
  heading
  url
  support
  sourceStatus
  uses {
    markerSpan {
      startOffset
      endOffset
    }
    quote
    support
    placedBy
  }
}
fragment CitationPassages on Citation {
  uses {
    quoteSpan {
      startOffset
      endOffset
    }
    chunk {
      ...Passage
    }
  }
}
fragment Candidate on CandidateDecision {
  documentTitle
  score
  vectorScore
  tokens
  decision
  chunk {
    ...Passage
  }
}
fragment Passage on Chunk {
  id
  position
  text
  locator {
    page
    heading
    startOffset
    endOffset
  }
  document {
    id
    title
    url
    mediaType
    originalUrl
    bytes
  }
}`);new B(`
    query Passage($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
    ...Passage
  }
}
    fragment Passage on Chunk {
  id
  position
  text
  locator {
    page
    heading
    startOffset
    endOffset
  }
  document {
    id
    title
    url
    mediaType
    originalUrl
    bytes
  }
}`);var Je=new B(`
    query PreviewAnswer($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    route
    routeReason
    searchQuery
    budget {
      ...Window
      candidates {
        ...Candidate
      }
    }
    notices {
      ...NoticeItem
    }
    estimatedCostUsd
  }
}
    fragment Window on BudgetLedger {
  contextWindow
  inputTokens
  requestedMaxTokens
  adjustedMaxTokens
  counting
  reportedInputTokens
  segments {
    kind
    tokens
    itemsKept
    itemsDropped
  }
}
fragment NoticeItem on Notice {
  code
  message
}
fragment Candidate on CandidateDecision {
  documentTitle
  score
  vectorScore
  tokens
  decision
  chunk {
    ...Passage
  }
}
fragment Passage on Chunk {
  id
  position
  text
  locator {
    page
    heading
    startOffset
    endOffset
  }
  document {
    id
    title
    url
    mediaType
    originalUrl
    bytes
  }
}`),Ye=new B(`
    query PreviewPrompt($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    messages {
      role
      content
      tokens
    }
  }
}
    `),Xe=new B(`
    query DocumentText($id: ID!, $after: String) {
  document(id: $id) {
    id
    title
    mediaType
    originalUrl
    url
    chunks(first: 100, after: $after) {
      nodes {
        id
        position
        text
        locator {
          page
          heading
          startOffset
          endOffset
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `),Ze=new B(`
    query QuotePlaces($messageId: ID!) {
  message(id: $messageId) {
    id
    citations {
      index
      uses {
        rectangles {
          ...PagePlaces
        }
      }
    }
  }
}
    fragment PagePlaces on PageRectangles {
  pageNumber
  width
  height
  boxes {
    left
    top
    right
    bottom
  }
}`),Qe=new B(`
    query CitedPage($messageId: ID!, $page: Int!) {
  message(id: $messageId) {
    id
    citations {
      index
      document {
        id
        pagePictureUrl(pageNumber: $page) {
          href
          validUntil
        }
      }
    }
  }
}
    `),$e=new B(`
    mutation RecordCitationOpened($messageId: ID!, $index: Int!) {
  recordCitationOpened(input: {messageId: $messageId, index: $index}) {
    __typename
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),et=new B(`
    mutation RateAnswer($input: RateAnswerInput!) {
  rateAnswer(input: $input) {
    __typename
    ... on RateAnswerPayload {
      answer {
        id
        feedback {
          helpful
          reason
          comment
        }
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),tt=new B(`
    mutation WithdrawRating($messageId: ID!) {
  withdrawRating(input: {messageId: $messageId}) {
    __typename
    ... on WithdrawRatingPayload {
      answer {
        id
        feedback {
          helpful
          reason
          comment
        }
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),nt=new B(`
    query ProjectKnowledge($id: ID!) {
  project(id: $id) {
    id
    name
    viewerRole
    stats {
      documentCount
      chunkCount
      bytes
    }
    embeddingSpaces {
      ...SpaceItem
    }
  }
}
    fragment SpaceItem on EmbeddingSpace {
  id
  model
  dimensions
  state
  denseWeight
  threshold
  measuredChunks
  problem
  chunksDone
  chunksTotal
}`),rt=new B(`
    query ProjectDocuments($id: ID!, $filter: DocumentFilter, $first: Int!, $after: String) {
  project(id: $id) {
    id
    documents(
      filter: $filter
      orderBy: {field: UPDATED_AT, direction: DESC}
      first: $first
      after: $after
    ) {
      totalCount
      nodes {
        ...DocumentItem
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment DocumentItem on Document {
  id
  title
  source
  mediaType
  bytes
  version
  status
  failure {
    code
    message
  }
  updatedAt
  originalUrl
}`),it=new B(`
    query DocumentFormats {
  documentFormats {
    name
    mediaType
    extensions
    available
    unavailableReason
  }
}
    `),at=new B(`
    query OriginalLink($id: ID!) {
  document(id: $id) {
    id
    signedUrl {
      href
      validUntil
    }
  }
}
    `),ot=new B(`
    query DocumentChunks($id: ID!, $after: String) {
  document(id: $id) {
    id
    title
    mediaType
    chunks(first: 20, after: $after) {
      totalCount
      nodes {
        id
        text
        locator {
          page
          heading
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `),st=new B(`
    query SearchKnowledge($input: SearchInput!, $first: Int!) {
  search(input: $input, first: $first) {
    tookMs
    notices {
      code
      message
    }
    edges {
      score
      vectorScore
      lexicalScore
      highlights {
        startOffset
        endOffset
      }
      node {
        id
        text
        locator {
          page
          heading
        }
        document {
          id
          title
          mediaType
        }
      }
    }
  }
}
    `),ct=new B(`
    mutation UploadDocument($input: UploadDocumentInput!) {
  uploadDocument(input: $input) {
    __typename
    ... on UploadDocumentPayload {
      unchanged
      document {
        ...DocumentItem
      }
    }
    ...Problem
  }
}
    fragment DocumentItem on Document {
  id
  title
  source
  mediaType
  bytes
  version
  status
  failure {
    code
    message
  }
  updatedAt
  originalUrl
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),lt=new B(`
    mutation DeleteDocument($id: ID!) {
  deleteDocument(input: {id: $id}) {
    __typename
    ... on DeleteDocumentPayload {
      deletedDocumentId
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),ut=new B(`
    mutation RetryDocument($id: ID!) {
  retryDocument(input: {id: $id}) {
    __typename
    ... on RetryDocumentPayload {
      document {
        ...DocumentItem
      }
    }
    ...Problem
  }
}
    fragment DocumentItem on Document {
  id
  title
  source
  mediaType
  bytes
  version
  status
  failure {
    code
    message
  }
  updatedAt
  originalUrl
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),dt=new B(`
    mutation RenameDocument($id: ID!, $title: String) {
  updateDocument(input: {id: $id, title: $title}) {
    __typename
    ... on UpdateDocumentPayload {
      document {
        ...DocumentItem
      }
    }
    ...Problem
  }
}
    fragment DocumentItem on Document {
  id
  title
  source
  mediaType
  bytes
  version
  status
  failure {
    code
    message
  }
  updatedAt
  originalUrl
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),ft=new B(`
    subscription ProjectIngestion($projectId: ID!) {
  ingestionEvents(projectId: $projectId) {
    __typename
    documentId
    ... on IngestionProgressed {
      stage
      chunksDone
      chunksTotal
    }
    ... on IngestionCompleted {
      document {
        ...DocumentItem
      }
    }
    ... on IngestionFailed {
      document {
        ...DocumentItem
      }
    }
  }
}
    fragment DocumentItem on Document {
  id
  title
  source
  mediaType
  bytes
  version
  status
  failure {
    code
    message
  }
  updatedAt
  originalUrl
}`),pt=new B(`
    query EmbeddingModels {
  models {
    name
    kind
    available
  }
}
    `),mt=new B(`
    mutation SwitchEmbeddingModel($projectId: ID!, $model: String!) {
  switchEmbeddingModel(input: {projectId: $projectId, model: $model}) {
    __typename
    ... on SwitchEmbeddingModelPayload {
      space {
        ...SpaceItem
      }
    }
    ...Problem
  }
}
    fragment SpaceItem on EmbeddingSpace {
  id
  model
  dimensions
  state
  denseWeight
  threshold
  measuredChunks
  problem
  chunksDone
  chunksTotal
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),ht=new B(`
    mutation CancelEmbeddingSwitch($projectId: ID!) {
  cancelEmbeddingSwitch(input: {projectId: $projectId}) {
    __typename
    ... on CancelEmbeddingSwitchPayload {
      space {
        ...SpaceItem
      }
    }
    ...Problem
  }
}
    fragment SpaceItem on EmbeddingSpace {
  id
  model
  dimensions
  state
  denseWeight
  threshold
  measuredChunks
  problem
  chunksDone
  chunksTotal
}
fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),gt=new B(`
    subscription SpaceProgress($spaceId: ID!) {
  embeddingSpaceEvents(spaceId: $spaceId) {
    ...SpaceItem
  }
}
    fragment SpaceItem on EmbeddingSpace {
  id
  model
  dimensions
  state
  denseWeight
  threshold
  measuredChunks
  problem
  chunksDone
  chunksTotal
}`),_t=new B(`
    query Projects($after: String) {
  projects(first: 100, after: $after) {
    nodes {
      ...ProjectItem
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}`),vt=new B(`
    mutation CreateProject($input: CreateProjectInput!) {
  createProject(input: $input) {
    __typename
    ... on CreateProjectPayload {
      project {
        ...ProjectItem
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}
fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}`),yt=new B(`
    query ProjectStart($id: ID!) {
  project(id: $id) {
    ...ProjectItem
    ready: documents(first: 0, filter: {status: READY}) {
      totalCount
    }
    waiting: documents(first: 0, filter: {status: [QUEUED, PROCESSING]}) {
      totalCount
    }
  }
}
    fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}`),bt=new B(`
    query ProjectSessions($id: ID!, $archived: Boolean!, $after: String) {
  project(id: $id) {
    ...ProjectItem
    chatSessions(
      first: 50
      after: $after
      filter: {archived: $archived}
      orderBy: {field: LAST_ACTIVITY, direction: DESC}
    ) {
      nodes {
        ...SessionItem
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}
fragment SessionItem on ChatSession {
  id
  title
  shared
  pinned
  archived
  enableRag
  lastActivityAt
  project {
    id
    name
  }
}`),xt=new B(`
    query FindSessions($text: String!) {
  viewer {
    chatSessions(
      first: 20
      filter: {titleContains: $text}
      orderBy: {field: LAST_ACTIVITY, direction: DESC}
    ) {
      nodes {
        ...SessionItem
      }
    }
  }
}
    fragment SessionItem on ChatSession {
  id
  title
  shared
  pinned
  archived
  enableRag
  lastActivityAt
  project {
    id
    name
  }
}`),St=new B(`
    query SearchMessages($query: String!) {
  searchMessages(input: {query: $query}, first: 20) {
    edges {
      snippet
      highlights {
        startOffset
        endOffset
      }
      node {
        id
        role
        createdAt
        session {
          id
          title
          project {
            id
            name
          }
        }
      }
    }
  }
}
    `),Ct=new B(`
    mutation UpdateChatSession($input: UpdateChatSessionInput!) {
  updateChatSession(input: $input) {
    __typename
    ... on UpdateChatSessionPayload {
      chatSession {
        ...SessionItem
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}
fragment SessionItem on ChatSession {
  id
  title
  shared
  pinned
  archived
  enableRag
  lastActivityAt
  project {
    id
    name
  }
}`),wt=new B(`
    mutation DeleteChatSession($id: ID!) {
  deleteChatSession(input: {id: $id}) {
    __typename
    ... on DeleteChatSessionPayload {
      deletedChatSessionId
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Tt=new B(`
    query ProjectSettings($id: ID!) {
  project(id: $id) {
    ...ProjectDetails
  }
}
    fragment ProjectOptions on AnswerDefaults {
  model
  systemPrompt
  enableRag
  ragTopK
  ragThreshold
  includeCitations
  grounding
  contextTokenRatio
  maxTokens
  temperature
  reformulate
  promptProfile
}
fragment ProjectDetails on Project {
  id
  name
  description
  viewerRole
  localProvidersOnly
  noSourcesText
  rejectedText
  answerDefaults {
    ...ProjectOptions
  }
  memories {
    id
    content
  }
}`),Et=new B(`
    query SessionSettings($id: ID!) {
  chatSession(id: $id) {
    ...SessionOptions
  }
}
    fragment SessionOptions on ChatSession {
  id
  title
  model
  systemPrompt
  enableRag
  ragTopK
  ragThreshold
  includeCitations
  grounding
  contextTokenRatio
  maxTokens
  temperature
  reformulate
  promptProfile
}`),Dt=new B(`
    query ChatModels {
  models {
    name
    kind
    available
    contextWindow
  }
}
    `),Ot=new B(`
    mutation UpdateProject($input: UpdateProjectInput!) {
  updateProject(input: $input) {
    __typename
    ... on UpdateProjectPayload {
      project {
        ...ProjectDetails
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}
fragment ProjectOptions on AnswerDefaults {
  model
  systemPrompt
  enableRag
  ragTopK
  ragThreshold
  includeCitations
  grounding
  contextTokenRatio
  maxTokens
  temperature
  reformulate
  promptProfile
}
fragment ProjectDetails on Project {
  id
  name
  description
  viewerRole
  localProvidersOnly
  noSourcesText
  rejectedText
  answerDefaults {
    ...ProjectOptions
  }
  memories {
    id
    content
  }
}`),kt=new B(`
    mutation DeleteProject($id: ID!) {
  deleteProject(input: {id: $id}) {
    __typename
    ... on DeleteProjectPayload {
      deletedProjectId
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),At=new B(`
    mutation UpdateSessionOptions($input: UpdateChatSessionInput!) {
  updateChatSession(input: $input) {
    __typename
    ... on UpdateChatSessionPayload {
      chatSession {
        ...SessionOptions
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}
fragment SessionOptions on ChatSession {
  id
  title
  model
  systemPrompt
  enableRag
  ragTopK
  ragThreshold
  includeCitations
  grounding
  contextTokenRatio
  maxTokens
  temperature
  reformulate
  promptProfile
}`),jt=new B(`
    mutation Remember($projectId: ID!, $content: String!) {
  remember(input: {projectId: $projectId, content: $content}) {
    __typename
    ... on RememberPayload {
      memory {
        id
        content
      }
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Mt=new B(`
    mutation Forget($id: ID!) {
  forget(input: {id: $id}) {
    __typename
    ... on ForgetPayload {
      forgottenId
    }
    ...Problem
  }
}
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Nt={possibleTypes:{AddTextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],AddTextDocumentsResult:[`AddTextDocumentsPayload`,`ForbiddenError`,`NotFoundError`,`UnavailableError`,`ValidationError`],AnswerEvent:[`AnswerCancelled`,`AnswerCompleted`,`AnswerDelta`,`AnswerFailed`,`AnswerReplaced`,`BudgetNegotiated`,`CitationAdded`,`NoticeGiven`,`QueryReformulated`,`ReasoningDelta`,`RetrievalCompleted`],CancelAnswerResult:[`CancelAnswerPayload`,`NotFoundError`,`ValidationError`],CancelEmbeddingSwitchResult:[`CancelEmbeddingSwitchPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`],ChangePasswordResult:[`ChangePasswordPayload`,`RateLimitedError`,`ValidationError`],CreateAccessTokenResult:[`CreateAccessTokenPayload`,`ValidationError`],CreateChatSessionResult:[`CreateChatSessionPayload`,`NotFoundError`,`ValidationError`],CreateProjectResult:[`ConflictError`,`CreateProjectPayload`,`ValidationError`],DeleteChatSessionResult:[`DeleteChatSessionPayload`,`NotFoundError`,`ValidationError`],DeleteDocumentResult:[`DeleteDocumentPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteProjectResult:[`DeleteProjectPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],Error:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],ForgetResult:[`ForgetPayload`,`NotFoundError`,`ValidationError`],IngestionEvent:[`IngestionCompleted`,`IngestionFailed`,`IngestionProgressed`],Node:[`AccessToken`,`ChatSession`,`Chunk`,`Document`,`EmbeddingSpace`,`Memory`,`Message`,`Project`,`User`],RateAnswerResult:[`NotFoundError`,`RateAnswerPayload`,`ValidationError`],RecordCitationOpenedResult:[`NotFoundError`,`RecordCitationOpenedPayload`,`ValidationError`],RedeemSetupTokenResult:[`RedeemSetupTokenPayload`,`ValidationError`],RegenerateAnswerResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`RegenerateAnswerPayload`,`UnavailableError`,`ValidationError`],RememberResult:[`NotFoundError`,`RememberPayload`,`ValidationError`],RemoveProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RemoveProjectMemberPayload`,`ValidationError`],RereadDocumentsResult:[`ForbiddenError`,`NotFoundError`,`RereadDocumentsPayload`,`UnavailableError`,`ValidationError`],RetryDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RetryDocumentPayload`,`UnavailableError`,`ValidationError`],RevokeAccessTokenResult:[`NotFoundError`,`RevokeAccessTokenPayload`,`ValidationError`],SelectBranchResult:[`NotFoundError`,`SelectBranchPayload`,`ValidationError`],SendMessageResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`SendMessagePayload`,`UnavailableError`,`ValidationError`],SetProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SetProjectMemberPayload`,`ValidationError`],SignInResult:[`RateLimitedError`,`SignInPayload`,`ValidationError`],SwitchEmbeddingModelResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SwitchEmbeddingModelPayload`,`UnavailableError`,`ValidationError`],TextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],UpdateChatSessionResult:[`NotFoundError`,`UpdateChatSessionPayload`,`ValidationError`],UpdateDocumentResult:[`ForbiddenError`,`NotFoundError`,`UnavailableError`,`UpdateDocumentPayload`,`ValidationError`],UpdateProjectResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`UpdateProjectPayload`,`ValidationError`],UpdateViewerResult:[`UpdateViewerPayload`,`ValidationError`],UploadDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`UploadDocumentPayload`,`ValidationError`],WithdrawRatingResult:[`NotFoundError`,`ValidationError`,`WithdrawRatingPayload`]}};function Pt(){return v({globalIDs:!0,possibleTypes:Nt.possibleTypes,logger:()=>void 0,updates:{Mutation:{createProject:(e,t,n)=>V(n,`Query`,`projects`),deleteProject:(e,t,n)=>V(n,`Query`,`projects`)}}})}function V(e,t,n){for(let{fieldName:r,fieldKey:i}of e.inspectFields(t))r===n&&e.invalidate(t,i)}var H=class extends Error{kind;issues;retryAfterMs;name=`Problem`;constructor(e,t=`other`,n=[],r=null){super(e),this.kind=t,this.issues=n,this.retryAfterMs=r}issueOf(e){return this.issues.find(({path:t})=>t.includes(e))?.message??null}};function U(e){return new H(e.message,e.__typename,`issues`in e?e.issues:[],`retryAfterMs`in e?e.retryAfterMs:null)}function Ft(e){let[t]=e.graphQLErrors,n=e.response?.status;return n===401||t?.extensions?.code===`UNAUTHENTICATED`?new H(t?.message??e.message,`unauthenticated`):t?new H(t.message,`other`,[],It(t.extensions)):new H(e.networkError?.message??e.message,n===void 0?`unreachable`:`other`)}function W(e){return e instanceof H?e:new H(e instanceof Error?e.message:String(e))}function It(e){let t=e?.retryAfterMs;return typeof t==`number`?t:null}var G=`footnote:token`;function Lt(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);return t===null&&n===null?null:(history.replaceState(history.state,``,location.pathname+location.search),{token:t,setup:n})}function Rt(){return localStorage.getItem(G)}function zt(e){e?localStorage.setItem(G,e):localStorage.removeItem(G)}function Bt(){let e=Rt();return e&&`Bearer ${e}`}var K=`/graphql`,q=Vt(),J=new Set;function Vt(){return new ae({url:K,preferGetMethod:!1,exchanges:[Pt(),oe],fetchOptions:()=>({headers:Ht()})})}function Ht(){let e=Bt();return{"GraphQL-Require-Preflight":`1`,...e?{Authorization:e}:{}}}function Ut(){q=Vt()}function Wt(e){return J.add(e),()=>J.delete(e)}async function Gt(e,t,n=`cache-first`){let r=q;return Yt(r,await r.query(e.toString(),t,{requestPolicy:n}).toPromise())}function Kt(e,t,n,r=`cache-and-network`){let i=q,a=i.query(e.toString(),t,{requestPolicy:r}),{unsubscribe:o}=ee(a,ne(e=>{let t=e.error?Xt(i,e):null;n(e.data??null,t,e.stale)}));return o}async function qt(e,t){let n=q,r=Yt(n,await n.mutation(e.toString(),t).toPromise()),[i]=Object.entries(r).flatMap(([e,t])=>e===`__typename`?[]:[t]);if(Jt(i))throw U(i);return i}function Jt(e){return typeof e==`object`&&!!e&&String(e.__typename).endsWith(`Error`)}function Yt(e,t){if(t.error)throw Xt(e,t);if(t.data===void 0||t.data===null)throw new H(`The server sent an empty result.`);return t.data}function Xt(e,t){let n=Ft(t.error);if(n.kind===`unauthenticated`&&e===q)for(let e of J)e(n);return n}var Zt=300,Qt=1e4,$t=new Set([4400,4401,4403]),Y=X();function X(){return w({url:new URL(K,location.href.replace(/^http/,`ws`)).href,connectionParams:()=>{let e=Bt();return e?{authorization:e}:{}},retryAttempts:0,lazyCloseTimeout:5e3})}function en(){Y.dispose(),Y=X()}function tn(e,t,n){let r=new AbortController;return nn(e,t,n,r.signal),()=>r.abort()}async function nn(e,t,n,r){let i=Zt;for(;!r.aborted;){let a=await rn(e,t(),r,e=>{i=Zt,n.connected?.(!0),n.next(e)});if(r.aborted)return;if(a===`done`)return n.done();if(a instanceof H)return n.failed(a);n.connected?.(!1),await sn(i,r),i=Math.min(i*2,Qt)}}function rn(e,t,n,r){return new Promise(i=>{let a=Y.subscribe({query:e.toString(),variables:t},{next:({data:e,errors:t})=>{let[n]=t??[];n?i(on(n.message,n.extensions)):e&&r(e)},error:e=>i(an(e)),complete:()=>i(`done`)});n.addEventListener(`abort`,()=>{a(),i(`done`)})})}function an(e){return Array.isArray(e)?on(e[0]?.message,e[0]?.extensions):e instanceof CloseEvent?$t.has(e.code)?new H(e.reason,`unauthenticated`):`broken`:e instanceof Event||e instanceof Error?`broken`:W(e)}function on(e,t){return new H(e,t?.code===`UNAUTHENTICATED`?`unauthenticated`:`other`)}function sn(e,t){return new Promise(n=>{let r=new AbortController,i=()=>{r.abort(),clearTimeout(a),n()},a=setTimeout(i,e);addEventListener(`online`,i,{signal:r.signal}),document.addEventListener(`visibilitychange`,()=>document.hidden||i(),{signal:r.signal}),t.addEventListener(`abort`,i,{signal:r.signal})})}var cn=class{#e=k(null);get data(){return g(this.#e)}set data(e){y(this.#e,e)}#t=k(null);get problem(){return g(this.#t)}set problem(e){y(this.#t,e)}#n=k(!0);get loading(){return g(this.#n)}set loading(e){y(this.#n,e,!0)}#r=k(0);constructor(e,t,n=`cache-and-network`){d(()=>{let r=t(),i=g(this.#r)>0;if(this.loading=r!==null,r===null)this.data=null,this.problem=null;else return Kt(e,r,(e,t,n)=>this.#i(e,t,n),i?`network-only`:n)})}#i(e,t,n){(e!==null||t===null)&&(this.data=e),this.problem=t,this.loading=n}reload(){y(this.#r,g(this.#r)+1)}},ln=m(`<span><!></span>`);function un(e,t){let r=F(t,`tone`,3,`neutral`);var i=ln(),a=x(i);E(a,()=>t.children),C(i),_(()=>{n(i,1,u([`badge`,r()]),`svelte-dtbgkf`),I(i,`title`,t.title)}),L(e,i)}var dn=new Set([`$$slots`,`$$events`,`$$legacy`,`look`,`icon`,`small`,`label`,`busy`,`disabled`,`href`,`type`,`children`,`element`]),fn=m(`<a><!></a>`),pn=m(`<button><!></button>`);function Z(e,n){S(n,!0);let r=F(n,`look`,3,`secondary`),a=F(n,`icon`,3,!1),o=F(n,`small`,3,!1),s=F(n,`busy`,3,!1),c=F(n,`disabled`,3,!1),l=F(n,`type`,3,`button`),u=F(n,`element`,15),d=te(n,dn);var f=t(),p=P(f),m=e=>{var t=fn();ce(t,()=>({class:[`button`,r(),{icon:a(),small:o()}],href:n.href,"aria-label":n.label,title:n.label,...d}),void 0,void 0,void 0,`svelte-18sv61c`);var i=x(t);E(i,()=>n.children),C(t),A(t,e=>u(e),()=>u()),L(e,t)},h=e=>{var t=pn();ce(t,()=>({class:[`button`,r(),{icon:a(),small:o()}],type:l(),"aria-label":n.label,title:n.label,"aria-busy":s()||void 0,disabled:c()||s(),...d}),void 0,void 0,void 0,`svelte-18sv61c`);var i=x(t);E(i,()=>n.children),C(t),A(t,e=>u(e),()=>u()),L(e,t)};i(p,e=>{n.href===void 0?e(h,-1):e(m)}),L(e,f),b()}var mn=m(`<footer class="svelte-jby388"><!></footer>`),hn=m(`<div class="sheet svelte-jby388"><header class="svelte-jby388"><h2 dir="auto" class="svelte-jby388"> </h2> <!></header> <div class="content svelte-jby388"><!></div> <!></div>`),gn=m(`<dialog><!></dialog>`);function _n(e,t){let r=p();S(t,!0);let a=F(t,`place`,3,`center`),o=F(t,`wide`,3,!1),c=k(void 0);d(()=>{t.open&&g(c)&&!g(c).open?g(c).showModal():!t.open&&g(c)?.open&&g(c).close()});function l(e){e.target===g(c)&&t.onclose()}var m=gn(),h=x(m),v=e=>{var n=hn(),a=x(n),o=x(a),s=O(o,!0),c=M(o,2);{let e=N(()=>z(`close`));Z(c,{look:`ghost`,icon:!0,small:!0,get label(){return g(e)},get onclick(){return t.onclose},children:(e,t)=>{ie(e,{})},$$slots:{default:!0}})}C(a);var l=M(a,2),u=x(l);E(u,()=>t.children),C(l);var d=M(l,2),p=e=>{var n=mn(),r=x(n);E(r,()=>t.footer),C(n),L(e,n)};i(d,e=>{t.footer&&e(p)}),C(n),_(()=>{I(o,`id`,r),f(s,t.title),o.dir=o.dir}),L(e,n)};i(h,e=>{t.open&&e(v)}),C(m),A(m,e=>y(c,e),()=>g(c)),_(()=>{n(m,1,u([a(),{wide:o()}]),`svelte-jby388`),I(m,`aria-labelledby`,r)}),j(`cancel`,m,e=>{e.preventDefault(),t.onclose()}),s(`click`,m,l),L(e,m),b()}a([`click`]);var vn=m(`<span class="icon svelte-1m5lo4h"><!></span>`),yn=m(`<p dir="auto" class="svelte-1m5lo4h"> </p>`),bn=m(`<div class="actions svelte-1m5lo4h"><!></div>`),xn=m(`<div><!> <!> <!> <!></div>`);function Q(t,r){let a=F(r,`whole`,3,!1);var o=xn(),s=x(o),c=t=>{var n=vn(),i=x(n);e(i,()=>r.icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),C(n),L(t,n)};i(s,e=>{r.icon&&e(c)});var l=M(s,2);D(l,()=>a()?`h1`:`h2`,!1,(e,t)=>{n(e,0,`title svelte-1m5lo4h`);var i=h();_(()=>f(i,r.title)),L(t,i)});var d=M(l,2),p=e=>{var t=yn(),n=O(t,!0);_(()=>{f(n,r.text),t.dir=t.dir}),L(e,t)};i(d,e=>{r.text&&e(p)});var m=M(d,2),g=e=>{var t=bn(),n=x(t);E(n,()=>r.children),C(t),L(e,t)};i(m,e=>{r.children&&e(g)}),C(o),_(()=>n(o,1,u([`empty`,{whole:a()}]),`svelte-1m5lo4h`)),L(t,o)}var Sn=m(`<p class="problem svelte-175sa6o" role="alert"> </p>`),Cn=m(`<p class="help svelte-175sa6o"> </p>`),wn=m(`<div class="field svelte-175sa6o"><label class="svelte-175sa6o"> </label> <!> <!> <!></div>`);function Tn(e,t){let n=p();S(t,!0);let r=F(t,`problem`,3,null),a=N(()=>[t.help&&`${n}-help`,r()&&`${n}-problem`].filter(Boolean).join(` `)||void 0);var o=wn(),s=x(o),c=O(s,!0),l=M(s,2);E(l,()=>t.children,()=>({id:n,"aria-describedby":g(a),"aria-invalid":r()?!0:void 0}));var u=M(l,2),d=e=>{var t=Sn(),i=O(t,!0);_(()=>{I(t,`id`,`${n}-problem`),f(i,r())}),L(e,t)};i(u,e=>{r()&&e(d)});var m=M(u,2),h=e=>{var r=Cn(),i=O(r,!0);_(()=>{I(r,`id`,`${n}-help`),f(i,t.help)}),L(e,r)};i(m,e=>{t.help&&e(h)}),C(o),_(()=>{I(s,`for`,n),f(c,t.label)}),L(e,o),b()}var En=o(`<svg viewBox="0 0 32 32" aria-hidden="true" class="svelte-1mi20zr"><rect width="32" height="32" rx="7" class="svelte-1mi20zr"></rect><path d="M7 10h11M7 16h18M7 22h14" class="svelte-1mi20zr"></path><circle cx="25" cy="9" r="3" class="svelte-1mi20zr"></circle></svg>`);function Dn(e,t){var n=En();let i;_(()=>i=r(n,``,i,{width:t.size,height:t.size})),L(e,n)}var On=m(`<button type="button" tabindex="-1"><!> <span dir="auto" class="svelte-15gydnd"> </span> <!></button>`),kn=m(`<!> <div class="menu svelte-15gydnd" role="menu" tabindex="-1" popover="auto"></div>`,1);function An(r,a){let o=p();S(a,!0);let u=F(a,`align`,3,`end`),d=k(void 0),m=k(!1);function h(){let e=document.getElementById(`${o}-trigger`);if(!g(d)||!e)return;let t=e.getBoundingClientRect(),{width:n,height:r}=g(d).getBoundingClientRect(),i=t.bottom+r+8<innerHeight||t.top<r,a=u()===`end`==(getComputedStyle(g(d)).direction===`ltr`)?t.right-n:t.left;g(d).style.setProperty(`left`,`${Math.max(8,Math.min(a,innerWidth-n-8))}px`),g(d).style.setProperty(`top`,`${i?t.bottom+4:t.top-r-4}px`),g(d).style.setProperty(`visibility`,`visible`),v()[0]?.focus()}function v(){return[...g(d)?.querySelectorAll(`[role^=menuitem]:not(:disabled)`)??[]]}function ee(e){let t=v(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:-1}[e.key];e.key===`Tab`&&g(d)?.hidePopover(),r!==void 0&&(e.preventDefault(),t.at(r%t.length)?.focus())}function te(e){g(d)?.hidePopover(),document.getElementById(`${o}-trigger`)?.focus(),e.onselect()}var w=kn(),T=P(w);E(T,()=>a.trigger,()=>({id:`${o}-trigger`,popovertarget:o,"aria-haspopup":`menu`,"aria-expanded":g(m)}));var D=M(T,2);c(D,21,()=>a.items,l,(r,a)=>{var o=On();let c;var l=x(o),u=n=>{var r=t(),i=P(r);e(i,()=>g(a).icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),L(n,r)};i(l,e=>{g(a).icon&&e(u)});var d=M(l,2),p=O(d,!0),m=M(d,2),h=e=>{se(e,{"aria-hidden":`true`,class:`check`})};i(m,e=>{g(a).checked&&e(h)}),C(o),_(()=>{I(o,`role`,g(a).checked===void 0?`menuitem`:`menuitemradio`),I(o,`aria-checked`,g(a).checked),o.disabled=g(a).disabled,c=n(o,1,`svelte-15gydnd`,null,c,{danger:g(a).danger}),f(p,g(a).label),d.dir=d.dir}),s(`click`,o,()=>te(g(a))),L(r,o)}),C(D),A(D,e=>y(d,e),()=>g(d)),_(()=>{I(D,`id`,o),I(D,`aria-labelledby`,`${o}-trigger`)}),j(`toggle`,D,e=>{y(m,e.newState===`open`),g(m)?h():g(d)?.style.removeProperty(`visibility`)}),s(`keydown`,D,ee),L(r,w),b()}a([`keydown`,`click`]);function jn(e,t){S(t,!0);{let t=N(()=>z(`missing.title`)),n=N(()=>z(`missing.text`));Q(e,{whole:!0,get title(){return g(t)},get text(){return g(n)},children:(e,t)=>{Z(e,{href:`/`,children:(e,t)=>{re();var n=h();_(e=>f(n,e),[()=>z(`missing.home`)]),L(e,n)},$$slots:{default:!0}})},$$slots:{default:!0}})}b()}var Mn=m(`<span class="spinner svelte-f4erjd" role="status"><span class="visually-hidden"> </span></span>`);function Nn(e,t){S(t,!0);let n=F(t,`label`,19,()=>z(`loading`));var r=Mn(),i=x(r),a=O(i,!0);C(r),_(()=>f(a,n())),L(e,r),b()}var Pn=m(`<span class="count svelte-126ak3w"> </span>`),Fn=m(`<button type="button" role="tab" class="svelte-126ak3w"> <!></button>`),In=m(`<div class="tabs svelte-126ak3w" role="tablist" tabindex="-1"></div> <div class="panel svelte-126ak3w" role="tabpanel"><!></div>`,1);function Ln(e,t){let n=p();S(t,!0);function r(e){let r=t.tabs.findIndex(({name:e})=>e===t.selected),i=getComputedStyle(e.currentTarget).direction===`rtl`?-1:1,a={ArrowRight:r+i,ArrowLeft:r-i,Home:0,End:-1}[e.key],o=a===void 0?void 0:t.tabs.at(a%t.tabs.length);o&&(e.preventDefault(),t.onselect(o.name),document.getElementById(`${n}-${o.name}`)?.focus())}var a=In(),o=P(a);c(o,21,()=>t.tabs,e=>e.name,(e,r)=>{var a=Fn(),o=x(a,!0),c=M(o),l=e=>{var t=Pn(),n=O(t,!0);_(()=>f(n,g(r).count)),L(e,t)};i(c,e=>{g(r).count!==void 0&&e(l)}),C(a),_(()=>{I(a,`id`,`${n}-${g(r).name??``}`),I(a,`aria-selected`,g(r).name===t.selected),I(a,`aria-controls`,`${n}-panel`),I(a,`tabindex`,g(r).name===t.selected?0:-1),f(o,g(r).label)}),s(`click`,a,()=>t.onselect(g(r).name)),L(e,a)}),C(o);var l=M(o,2),u=x(l);E(u,()=>t.children,()=>t.selected),C(l),_(()=>{I(o,`aria-label`,t.label),I(l,`id`,`${n}-panel`),I(l,`aria-labelledby`,`${n}-${t.selected??``}`)}),s(`keydown`,o,r),L(e,a),b()}a([`keydown`,`click`]);var Rn=6e3,zn=0,$=new class{#e=k(T([]));get list(){return g(this.#e)}set list(e){y(this.#e,e,!0)}show(e,t=`info`){let n=++zn;this.list.push({id:n,kind:t,text:e}),t===`info`&&setTimeout(()=>this.dismiss(n),Rn)}fail=e=>{let{message:t}=W(e);this.list.some(({text:e})=>e===t)||this.show(t,`error`)};dismiss(e){this.list=this.list.filter(t=>t.id!==e)}},Bn=m(`<div><p dir="auto" class="svelte-r9p0hk"> </p> <!></div>`),Vn=m(`<div class="toasts svelte-r9p0hk" role="region"></div>`);function Hn(e,t){S(t,!0);var r=Vn();c(r,21,()=>$.list,e=>e.id,(e,t)=>{var r=Bn(),i=x(r),a=O(i,!0),o=M(i,2);{let e=N(()=>z(`dismiss`));Z(o,{look:`ghost`,icon:!0,small:!0,get label(){return g(e)},onclick:()=>$.dismiss(g(t).id),children:(e,t)=>{ie(e,{})},$$slots:{default:!0}})}C(r),_(()=>{n(r,1,u([`toast`,g(t).kind]),`svelte-r9p0hk`),I(r,`role`,g(t).kind===`error`?`alert`:`status`),f(a,g(t).text),i.dir=i.dir}),L(e,r)}),C(r),_(e=>I(r,`aria-label`,e),[()=>z(`notifications`)]),L(e,r),b()}a([`focusin`,`focusout`,`keydown`]);var Un=m(`<p class="svelte-1cjg1wn"> </p>`),Wn=m(`<header class="svelte-1cjg1wn"><h1 dir="auto" class="svelte-1cjg1wn"> </h1> <!></header>`),Gn=m(`<section><!> <!></section>`);function Kn(e,r){S(r,!0);let a=F(r,`wide`,3,!1);var o=Gn();let s;var c=x(o),l=e=>{var t=Wn(),n=x(t),a=O(n,!0),o=M(n,2),s=e=>{var t=Un(),n=O(t,!0);_(()=>f(n,r.summary)),L(e,t)};i(o,e=>{r.summary&&e(s)}),C(t),_(()=>{f(a,r.title),n.dir=n.dir}),L(e,t)};i(c,e=>{r.title!==null&&e(l)});var u=M(c,2),d=e=>{var n=t(),i=P(n);E(i,()=>r.children,()=>r.value),L(e,n)},p=e=>{{let t=N(()=>z(r.found.problem.kind===`unreachable`?`unreachable.title`:`problem.title`));Q(e,{get title(){return g(t)},get text(){return r.found.problem.message},children:(e,t)=>{Z(e,{onclick:()=>r.found.reload(),children:(e,t)=>{re();var n=h();_(e=>f(n,e),[()=>z(`retry`)]),L(e,n)},$$slots:{default:!0}})},$$slots:{default:!0}})}},m=e=>{Nn(e,{})},v=e=>{jn(e,{})};i(u,e=>{r.value===null?r.found.problem?e(p,1):r.found.loading?e(m,2):e(v,-1):e(d)}),C(o),_(()=>s=n(o,1,`svelte-1cjg1wn`,null,s,{wide:a()})),L(e,o),b()}export{Je as $,qe as A,mt as At,vt as B,Se as Bt,Rt as C,Be as Ct,W as D,Ie as Dt,H as E,Pe as Et,Dt as F,ct as Ft,it as G,lt as H,R as Ht,Le as I,Ne as It,We as J,Xe as K,Qe as L,tt as Lt,Ve as M,Ct as Mt,ht as N,Ot as Nt,U as O,gt as Ot,Ae as P,At as Pt,at as Q,Oe as R,ge as Rt,Ut as S,Ue as St,zt as T,Te as Tt,kt as U,ye as Ut,wt as V,z as Vt,ot as W,he as Wt,Mt as X,xt as Y,Re as Z,K as _,je as _t,Nn as a,bt as at,Wt as b,st as bt,Dn as c,_t as ct,_n as d,$e as dt,Ye as et,Z as f,Fe as ft,en as g,dt as gt,tn as h,Ee as ht,Ln as i,we as it,Ge as j,De as jt,Ke as k,Me as kt,Tn as l,Ze as lt,cn as m,jt as mt,Hn as n,ft as nt,jn as o,Tt as ot,un as p,He as pt,pt as q,$ as r,nt as rt,An as s,yt as st,Kn as t,rt as tt,Q as u,et as ut,Ht as v,ut as vt,Lt as w,Et as wt,Gt as x,St as xt,qt as y,ke as yt,ze as z,xe as zt};