import{$ as e,A as t,B as n,D as r,E as i,F as a,G as o,H as s,K as c,M as l,N as u,O as d,Q as f,R as p,U as m,V as h,W as g,Y as _,Z as v,_t as y,a as ee,at as b,c as te,ct as x,d as ne,ht as S,i as C,it as w,j as T,k as E,l as D,mt as O,n as re,nt as k,o as ie,ot as ae,p as A,q as oe,rt as j,s as se,st as M,t as ce,u as N,ut as P,vt as F,x as I,y as le,z as L}from"./packages-index-D8fCs0qu.js";var ue={close:`Close`,dismiss:`Dismiss`,loading:`Loading`,retry:`Try again`,skip:`Skip to the content`,notifications:`Notifications`,"unreachable.title":`The server cannot be reached`,"unreachable.text":`The server cannot be reached. Check the connection, and try again.`,"unreachable.again":`This page tries again every few seconds.`,"problem.title":`Something went wrong`,"missing.title":`There is nothing here`,"missing.text":`It was deleted, or you have no access to it.`,"missing.home":`Go to the start page`,"side.label":`Projects and chats`,"side.open":`Open the side bar`,"side.appearance":`Appearance and language`,"theme.system":`Like the system`,"theme.light":`Light`,"theme.dark":`Dark`,"signIn.title":`Sign in to Footnote`,"signIn.ended":`Your sign-in has ended. Please sign in again.`,"signIn.email":`Email address`,"signIn.password":`Password`,"signIn.token":`Access token`,"signIn.tokenHelp":`A token that you created here, or that the operator gave you.`,"signIn.enter":`Sign in`,"signIn.useToken":`Use an access token`,"signIn.usePassword":`Use a password`,"composer.label":`Your question`,"composer.placeholder":`Ask your documents`,"composer.send":`Send`,"composer.keys":`Enter sends, Shift + Enter starts a new line`,"composer.stop":`Stop the answer`,"message.question":`Your question`,"message.answer":`Answer`,cancel:`Cancel`,save:`Save`,delete:`Delete`,copy:`Copy`,copied:`Copied`,copyFailed:`The browser did not let the page copy. Select the text and copy it yourself.`,tokens_one:`{count} token`,tokens_other:`{count} tokens`,"side.newChat":`New chat`,"side.search":`Search`,"side.searchKeys":`Ctrl K`,"side.status":`Status of the server`,"side.playground":`Playground for developers`,"side.signOut":`Sign out`,"side.noChats":`Chats that you begin appear here.`,"side.more":`Show older chats`,"age.today":`Today`,"age.yesterday":`Yesterday`,"age.week":`Last 7 days`,"age.month":`Last 30 days`,"age.older":`Older`,"project.choose":`Project: {name}`,"project.new":`New project`,"project.name":`Name`,"project.description":`What it is about (optional)`,"project.local":`Use only models on this machine`,"project.localHelp":`Documents and questions never leave it then.`,"project.create":`Create project`,"session.rename":`Rename`,"session.share":`Share with the project`,"session.unshare":`Stop sharing`,"session.shared":`Shared`,"session.theirs":`{who} shares this chat: you can read it, but not write in it.`,"session.delete":`Delete`,"session.deleteTitle":`Delete this chat?`,"session.deleteText":`“{title}” and all its answers will be gone.`,"session.title":`Title`,"session.titleHelp":`Without one, it is the beginning of the first question.`,"session.menu":`More about this chat`,"session.menuOf":`More about {title}`,"rag.on":`Documents on`,"rag.onHelp":`Answers come from the documents of {project}.`,"rag.off":`Documents off`,"rag.offHelp":`The model answers alone; no documents are searched.`,"message.writing":`The answer is being written.`,"message.finished_one":`The answer is complete, with one source.`,"message.finished_other":`The answer is complete, with {count} sources.`,"message.reasoning":`How the model came to it`,"message.cancelled":`This answer was stopped.`,"message.interrupted":`The server stopped while it was writing.`,"message.empty":`The model answered without a word.`,"message.copy":`Copy the text`,"regenerate.earlier":`The earlier answer is shown again.`,"message.regenerate":`Answer again`,"message.helpful":`Helpful`,"message.notHelpful":`Not helpful`,"message.evidence":`Everything that was found`,"message.confidence":`{percent} confident`,"message.confidenceHelp":`How likely the answer is right, judged by its sources.`,"messages.label":`Messages`,"messages.toEnd":`Go to the newest message`,"message.edit":`Edit and ask again`,"message.menu":`More about this answer`,"message.copyWithSources":`Copy with its sources`,"edit.label":`The edited question`,"edit.help":`What followed stays as another version.`,"versions.label":`Versions`,"versions.previous":`Previous version`,"versions.next":`Next version`,"versions.number":`{number} / {all}`,"versions.which":`Version {number} of {all}`,"branch.shown":`The message is in another version of this chat, which is now shown.`,"message.replay":`Ask again with the same settings`,"compare.open":`Ask again with one change`,"compare.title":`Ask again with one change`,"compare.knob":`What to change`,"compare.knobHelp":`Everything else stays as the chat is set.`,"compare.on":`on`,"compare.off":`off`,"compare.changes":`What would be sent differently`,"compare.tokens":`{before} → {after} tokens in the prompt`,"compare.kept_one":`{count} passage stays`,"compare.kept_other":`{count} passages stay`,"compare.come":`Comes in`,"compare.gone":`Goes out`,"compare.ask":`Ask`,"compare.shown":`Shown in the chat`,"compare.usage":`Prompt {input}, answer {output}, {time}`,"compare.keep":`Keep this one`,"compare.help":`The second answer stays as another version of the question, whichever you keep.`,"export.markdown":`Save as Markdown`,"export.json":`Save as JSON`,"export.untitled":`Chat`,"outcome.NO_SOURCES":`Nothing found`,"outcome.NO_SOURCESHelp":`No document has anything relevant.`,"outcome.REJECTED":`Withdrawn`,"outcome.REJECTEDHelp":`The sources do not support what the model wrote.`,"outcome.INSUFFICIENT":`Not in the documents`,"outcome.INSUFFICIENTHelp":`The model says that the sources do not contain the answer.`,"rating.title":`What was not helpful?`,"rating.comment":`Anything else (optional)`,"rating.send":`Send`,"reason.INCORRECT":`It is wrong`,"reason.INCOMPLETE":`Something is missing`,"reason.IRRELEVANT":`It answers another question`,"reason.UNSUPPORTED":`The sources do not say that`,"reason.OUTDATED":`The sources are out of date`,"reason.UNCLEAR":`It is hard to understand`,"reason.REFUSED":`The documents do hold the answer`,"reason.OTHER":`Something else`,"stage.searching":`Searching the documents`,"stage.reading_one":`Reading one passage`,"stage.reading_other":`Reading {count} passages`,"stage.reconnecting":`The connection is lost. It continues where it stopped as soon as the server can be reached.`,"marker.name":`Source {index}: {title}`,"sources.title":`Sources`,"source.page":`page {page}`,"source.changed":`Changed`,"source.changedHelp":`The document has changed since this answer. The quote is what it said then.`,"source.deleted":`Deleted`,"source.deletedHelp":`The document was deleted. The quote is kept.`,"source.notFound":`These words are not in the passage any more.`,"source.placedByServer":`Source matched by Footnote`,"source.placedByModel":`Source named by the model`,"source.placedByServerHelp":`The model named no source for this sentence. Footnote found the passage that says the same.`,"source.placedByModelHelp":`The model named this source for the sentence, and Footnote found these words in it.`,"source.uses":`Places in the answer`,"source.use":`Place {number}`,"source.open":`Read in the document`,"source.visit":`Visit`,"source.gone":`This passage does not exist any more.`,"source.passage":`The cited passage`,"source.readOn":`Read on`,"source.readBefore":`Read what comes before`,"support.strong":`Strong support`,"support.fair":`Fair support`,"support.weak":`Weak support`,"support.help":`How well the quote supports the sentence that cites it.`,"evidence.label":`Where this answer comes from`,"evidence.close":`Close the panel`,"evidence.sources":`Sources`,"evidence.all":`All sources`,"found.cited":`Cited`,"found.nothingCited":`The answer cites nothing.`,"found.read":`Read, but not cited`,"found.left":`Found, but not given to the model`,"found.score":`Relevance {score}`,"decision.INCLUDED":`In the prompt`,"decision.SHORTENED":`Its beginning is in the prompt`,"decision.BELOW_THRESHOLD":`Below the threshold`,"decision.OVER_BUDGET":`Did not fit`,"decision.DUPLICATE":`Says the same as another`,"decision.BEYOND_TOP_K":`Enough better ones were found`,"window.title":`Context window`,"window.label":`Context window: {used} of {all} tokens are taken`,"window.free":`Free`,"window.all":`Whole window`,"window.none":`The model was not called for this answer.`,"window.reduced":`{requested} were requested`,"window.reported":`Counted: {counted}. Reported by the provider: {reported}.`,"window.passages_one":`{count} passage`,"window.passages_other":`{count} passages`,"window.turns_one":`{count} message`,"window.turns_other":`{count} messages`,"window.memories_one":`{count} fact`,"window.memories_other":`{count} facts`,"window.dropped_one":`{count} left out`,"window.dropped_other":`{count} left out`,"window.wouldSend":`Would send {used} of {all} tokens`,"counting.EXACT":`Counted with the model's own tokenizer.`,"counting.CALIBRATED":`Estimated, and corrected by what the provider reported earlier.`,"counting.ESTIMATED":`Estimated, rather too high than too low.`,"part.SYSTEM":`Instructions`,"part.TOOLS":`Tools`,"part.MEMORIES":`Facts about you`,"part.CONTEXT":`Passages`,"part.HISTORY":`Conversation`,"part.QUESTION":`Question`,"part.MARGIN":`Margin`,"part.COMPLETION":`Room for the answer`,"prompt.title":`What would be sent to the model`,"prompt.read":`Read the prompt`,"prompt.none":`The model would not be called.`,"role.system":`Instructions`,"role.user":`User`,"role.assistant":`Assistant`,"markdown.table":`Table`,"markdown.code":`Code`,"search.title":`Search chats`,"search.placeholder":`Part of a title, or words of a message`,"search.results":`Found`,"search.nothing":`No title and no message has these words.`,"search.chats":`Chats`,"search.messages":`In questions and answers`,"newChat.documents_one":`Ask about {count} document`,"newChat.documents_other":`Ask about {count} documents`,"newChat.empty":`There are no documents to ask about yet.`,"newChat.emptyViewer":`There are no documents to ask about yet. An editor of this project can add some.`,"home.title":`Begin with a project`,"home.text":`A project holds the documents that answers come from, and the chats about them.`,"tour.title":`How it works`,"tour.questions":`Questions to begin with`,"tour.question1":`Which document formats can Footnote read?`,"tour.question2":`How can I resume an answer after the connection breaks?`,"tour.question3":`What happens if the documents do not contain the answer?`,"tour.step1":`Ask`,"tour.text1":`Type a question, or pick one above. While you type, a bar shows what would be sent.`,"tour.step2":`Check`,"tour.text2":`Each number in the answer is a footnote. Point at it to see the source's own words.`,"tour.step3":`Look inside`,"tour.text3":`Click a footnote for the passage and its document, and for what was found but not used.`,"tour.dismiss":`Got it`,"knowledge.title":`Knowledge · {project}`,"knowledge.views":`Views of the knowledge`,"knowledge.documents":`Documents`,"knowledge.search":`Search`,"knowledge.model":`Embedding model`,"knowledge.documentCount_one":`{count} document`,"knowledge.documentCount_other":`{count} documents`,"knowledge.passageCount_one":`{count} passage`,"knowledge.passageCount_other":`{count} passages`,"knowledge.add":`Add documents`,"knowledge.drop":`Drop files or folders here.`,"knowledge.formats":`{names}, and any other text.`,"knowledge.formatsTitle":`Formats that can be read`,"knowledge.chooseFiles":`Choose files`,"knowledge.chooseFolder":`Choose a folder`,"knowledge.tooManyFiles":`Only the first {count} files are added.`,"knowledge.uploads":`Files being sent`,"knowledge.uploading":`Sending {name}`,"knowledge.removeUpload":`Remove {name}`,"knowledge.moreUploads":`and {count} more`,"knowledge.paused":`Sending goes on by itself.`,"knowledge.notAdded_one":`{count} file was not added.`,"knowledge.notAdded_other":`{count} files were not added.`,"knowledge.retryAll":`Try all again`,"knowledge.clear":`Remove from the list`,"knowledge.filter":`Filter by title`,"knowledge.status":`Status`,"knowledge.allStatuses":`Every status`,"knowledge.more":`Show more`,"knowledge.noMatch":`No document matches`,"knowledge.empty":`No documents yet`,"knowledge.emptyHelp":`Drop some above. A minute later you can ask them.`,"knowledge.emptyViewer":`An editor of this project can add some.`,"status.QUEUED":`Waiting`,"status.PROCESSING":`Being read`,"status.READY":`Ready`,"status.FAILED":`Failed`,"stage.PARSING":`Being read`,"stage.CHUNKING":`Being split`,"stage.EMBEDDING":`Being embedded`,"stage.INDEXING":`Being indexed`,"document.menu":`More for {title}`,"document.preview":`Preview`,"document.previewHelp":`The text as it was read, passage by passage: this is what answers are made from.`,"document.openOriginal":`Open the original`,"document.download":`Download the original`,"document.rename":`Rename`,"document.replace":`Replace by a new file`,"document.delete":`Delete`,"document.version":`version {version}`,"document.progress":`Progress of {title}`,"document.title":`Title`,"document.titleHelp":`Titles are searched, too. Leave it empty to use the title in the file.`,"document.noSource":`This document was added without a source name, so there is no telling which file replaces it. Delete it and add the new file.`,"document.newFile":`New file`,"document.replaceHelp":`The old version is searched until the new one is ready.`,"document.deleteTitle":`Delete “{title}”?`,"document.deleteHelp":`It is no longer found. Answers that cite it keep their quotes, and say that it was deleted.`,"search.label":`Words or a question`,"search.help":`Shows the passages that a question would find, best first.`,"search.mode":`Match by`,"search.HYBRID":`Words and meaning`,"search.LEXICAL":`Words only`,"search.VECTOR":`Meaning only`,"search.go":`Search`,"search.none":`Nothing was found`,"search.scoreHelp":`Words {words}, meaning {meaning}`,"space.model":`Model`,"space.dimensions":`{count} dimensions`,"space.weight":`Weight of meaning`,"space.weightHelp":`What meaning counts in a score; words count the rest.`,"space.threshold":`Threshold`,"space.thresholdHelp":`Passages that score less are not used for answers.`,"space.measured":`Measured`,"space.measuredAt":`on this project's own texts, when it had {count} passages`,"space.notMeasured":`not yet: there are too few passages`,"space.building":`Switching to {model}: {done} of {total} passages`,"space.progress":`Progress of the switch to {model}`,"space.cancel":`Keep the present model`,"space.switch":`Switch the model`,"space.switchHelp":`All passages are embedded again in the background. Until that is done, the present model answers.`,"space.go":`Switch`,"space.failed":`The switch to {model} failed.`,saved:`Saved`,"session.settings":`Settings of this chat`,"option.reset":`Use the defaults`,"option.enableRag":`Answer from the documents`,"option.enableRagHelp":`Passages of the project's documents are found for each question and given to the model.`,"option.ragTopK":`Passages`,"option.ragTopKHelp":`How many passages an answer may use. More cost more of the window, and distract small models.`,"option.ragThreshold":`Threshold`,"option.ragThresholdHelp":`Passages that score less are left out. The default is measured on the project's own texts.`,"option.includeCitations":`Show sources`,"option.includeCitationsHelp":`Answers contain markers such as [1], each checked against its passage.`,"option.grounding":`Grounding`,"option.grounding.GROUNDED":`Only from the sources`,"option.grounding.OPEN":`Sources and general knowledge`,"option.grounding.GROUNDEDHelp":`What the sources do not say is refused.`,"option.grounding.OPENHelp":`The model may also say what it knows by itself; that has no footnote.`,"option.contextTokenRatio":`Share of the window for passages`,"option.contextTokenRatioHelp":`The rest is for the conversation so far and the answer.`,"option.reformulate":`Rewrite questions for the search`,"option.reformulateHelp":`A model turns “and when?” into a whole question first. That takes one more request.`,"option.model":`Model`,"option.modelHelp":`As provider/model. The list shows what this server can reach.`,"option.temperature":`Temperature`,"option.temperatureHelp":`0 gives the likeliest words; more gives more variety, and more mistakes.`,"option.promptProfile":`Kind of prompt`,"option.promptProfileHelp":`Small models follow a short prompt with an example better.`,"option.promptProfile.AUTO":`By the model's size`,"option.promptProfile.SMALL":`For small models`,"option.promptProfile.LARGE":`For large models`,"option.maxTokens":`Longest answer, in tokens`,"option.maxTokensHelp":`Empty: the server's default.`,"option.systemPrompt":`Instructions to the model`,"option.systemPromptHelp":`Placed at the start of every prompt.`,"project.settings":`Settings · {project}`,"project.readOnly":`Only owners of the project can change these settings.`,"project.unsaved":`The changes to these settings are not saved. Leave without them?`,"project.about":`About the project`,"project.localOnly":`Only models on this machine`,"project.localOnlyHelp":`Documents and questions never leave it.`,"project.noSources":`Answer when nothing relevant is found`,"project.noSourcesHelp":`Given when answers must come from the sources.`,"project.rejected":`Answer in place of one without sources`,"project.rejectedHelp":`Given when the model cites nothing that holds.`,"project.defaults":`Defaults for its chats`,"project.defaultsHelp":`Every chat of the project uses these unless it sets its own.`,"project.delete":`Delete this project`,"project.deleteHelp":`Its documents, chats and memories go with it. There is no way back.`,"project.deleteTitle":`Delete {project}?`,"project.typeName":`Type “{project}” to confirm`,"memories.title":`What it remembers about you`,"memories.help":`Facts that are given to the model with your questions in this project. Nobody else sees them.`,"memories.new":`A new fact`,"memories.remember":`Remember`,"memories.forget":`Forget “{content}”`,"members.title":`Members · {project}`,"members.email":`Email address`,"members.help":`Of somebody who already shares a project with you or, if the operator allows it, of anybody on this server.`,"members.role":`Role`,"members.roleOf":`Role of {who}`,"members.add":`Add`,"members.remove":`Remove`,"members.removeWho":`Remove {who}`,"members.leaveSure":`Remove yourself? You will no longer have access to this project.`,"members.roles":`Viewers search and chat. Editors also add, change and delete documents. Owners also change settings and members.`,"role.VIEWER":`Viewer`,"role.EDITOR":`Editor`,"role.OWNER":`Owner`,"invited.title":`Welcome to Footnote`,"invited.help":`You are signed in as {email} by a link, which works once. Set a password to come back.`,"invited.set":`Set the password`,"invited.later":`Not now`,"link.title":`Sign in by this link?`,"link.text":`You are signed in as {who}. The link signs you in as whoever it was made for.`,"link.stay":`Stay signed in`,"link.follow":`Use the link`,"account.title":`Your account`,"account.name":`Name`,"account.password":`Password`,"account.current":`Current password`,"account.currentHelp":`Leave it empty if you have none yet.`,"account.new":`New password`,"account.newHelp":`At least 8 characters; there are no other rules.`,"account.change":`Change the password`,"account.passwordChanged":`The password was changed`,"tokens.title":`Access tokens`,"tokens.help":`For programs that use the API in your name. Each can be revoked by itself.`,"tokens.created":`Copy it now: it is shown only once.`,"tokens.copy":`Copy`,"tokens.copied":`Copied`,"tokens.label":`What it is for`,"tokens.life":`Lasts`,"tokens.days":`{days} days`,"tokens.forever":`Does not expire`,"tokens.until":`until {date}`,"tokens.used":`last used {date}`,"tokens.unused":`never used`,"tokens.create":`Create`,"tokens.revoke":`Revoke`,"tokens.revokeSure":`Revoke “{label}”? Programs that use it lose access at once. There is no way back.`,"tokens.revokeWhich":`Revoke {label}`,"health.title":`Status`,"health.OK":`OK`,"health.DEGRADED":`Limited`,"health.DOWN":`Down`,"health.version":`Footnote {version}`,"health.database":`Database`,"health.work":`Documents and answers being processed`,"health.embedded":`Built-in models`,"project.purpose":`Description`,"side.knowledge":`Knowledge`,"side.settings":`Settings`,"side.members":`Members`,"side.account":`Account`,"session.pin":`Pin`,"session.unpin":`Unpin`,"session.archive":`Archive`,"session.unarchive":`Bring back`,"age.pinned":`Pinned`,"side.archived":`Archived chats`,"side.noArchived":`No chat is archived.`,"side.back":`Back to all chats`,"newChat.waiting":`{ready} of {all} documents are ready`,"pdf.tools":`Page and size`,"pdf.previous":`Previous page`,"pdf.next":`Next page`,"pdf.page":`Page`,"pdf.smaller":`Smaller`,"pdf.larger":`Larger`,"original.views":`How to show the document`,"original.pages":`Pages`,"original.text":`Text`},de=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),fe=function(e){return`/static/page/`+e},pe={},me=function(e){return e.pathname.endsWith(`.css`)},he=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},ge=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=fe(t,n);let r=s(t),i=me(r);return he(pe,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:de,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},_e={en:`English`,de:`Deutsch`},ve=`footnote:language`,ye={en:async()=>ue,de:async()=>(await ge(async()=>{let{default:e}=await import(`./de-D6F_Yyj2.js`);return{default:e}},[])).default},R=new class{#e=x(`en`);get language(){return _(this.#e)}set language(e){M(this.#e,e,!0)}#t=x(ue);get catalog(){return _(this.#t)}set catalog(e){M(this.#t,e)}#n=P(()=>new Intl.PluralRules(this.language));get plural(){return _(this.#n)}set plural(e){M(this.#n,e)}#r=P(()=>new Intl.NumberFormat(this.language));get number(){return _(this.#r)}set number(e){M(this.#r,e)}#i=P(()=>new Intl.NumberFormat(this.language,{style:`percent`,maximumFractionDigits:0}));get percent(){return _(this.#i)}set percent(e){M(this.#i,e)}#a=P(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`,timeStyle:`short`}));get date(){return _(this.#a)}set date(e){M(this.#a,e)}#o=P(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`}));get day(){return _(this.#o)}set day(e){M(this.#o,e)}};function z(e,t){return xe(R.catalog[e],t)}function be(e,t,n){let r=R.plural.select(t)===`one`?`one`:`other`;return xe(R.catalog[`${e}_${r}`],{...n,count:R.number.format(t)})}function xe(e,t){return t?e.replace(/\{(\w+)\}/g,(e,n)=>String(t[n]??e)):e}async function Se(e){localStorage.setItem(ve,e),await we(e)}async function Ce(){await we([localStorage.getItem(ve),...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==null&&e in _e)??`en`)}async function we(e){R.catalog=await ye[e](),R.language=e,document.documentElement.lang=e}var B=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new B(`
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
  createdBy {
    id
    name
    email
  }
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
}`,{fragmentName:`ProjectDetails`});var Te=new B(`
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
}`),Ee=new B(`
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
}`),De=new B(`
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
}`),Oe=new B(`
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
}`),ke=new B(`
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
}`),Ae=new B(`
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
}`),je=new B(`
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
}`),Me=new B(`
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
}`),Ne=new B(`
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
    `),Pe=new B(`
    query Viewer {
  viewer {
    user {
      id
      email
      name
    }
  }
}
    `),Fe=new B(`
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
}`),Ie=new B(`
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
}`),Le=new B(`
    mutation SignOut {
  signOut
}
    `),Re=new B(`
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
      name
      email
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
}`),ze=new B(`
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
}`),Be=new B(`
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
}`),Ve=new B(`
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
}`),He=new B(`
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
}`),Ue=new B(`
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
}`),We=new B(`
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
}`),Ge=new B(`
    query ExportChatSession($id: ID!, $format: ExportFormat!) {
  exportChatSession(id: $id, format: $format)
}
    `),Ke=new B(`
    query AnswerWithSources($id: ID!) {
  message(id: $id) {
    id
    contentWithSources
  }
}
    `),qe=new B(`
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
}`),Je=new B(`
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
}`);var Ye=new B(`
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
}`),Xe=new B(`
    query PreviewPrompt($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    messages {
      role
      content
      tokens
    }
  }
}
    `),Ze=new B(`
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
    `),Qe=new B(`
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
}`),$e=new B(`
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
    `),et=new B(`
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
}`),tt=new B(`
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
}`),nt=new B(`
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
}`),rt=new B(`
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
}`),it=new B(`
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
}`),at=new B(`
    query DocumentFormats {
  documentFormats {
    name
    mediaType
    extensions
    available
    unavailableReason
  }
}
    `),ot=new B(`
    query OriginalLink($id: ID!) {
  document(id: $id) {
    id
    signedUrl {
      href
      validUntil
    }
  }
}
    `),st=new B(`
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
    `),ct=new B(`
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
    `),lt=new B(`
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
}`),ut=new B(`
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
}`),dt=new B(`
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
}`),ft=new B(`
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
}`),pt=new B(`
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
}`),mt=new B(`
    query EmbeddingModels {
  models {
    name
    kind
    available
  }
}
    `),ht=new B(`
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
}`),gt=new B(`
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
}`),_t=new B(`
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
}`),vt=new B(`
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
}`),yt=new B(`
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
}`),bt=new B(`
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
}`),xt=new B(`
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
  createdBy {
    id
    name
    email
  }
  project {
    id
    name
  }
}`),St=new B(`
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
  createdBy {
    id
    name
    email
  }
  project {
    id
    name
  }
}`),Ct=new B(`
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
    `),wt=new B(`
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
  createdBy {
    id
    name
    email
  }
  project {
    id
    name
  }
}`),Tt=new B(`
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
}`),Et=new B(`
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
}`),Dt=new B(`
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
}`),Ot=new B(`
    query ChatModels {
  models {
    name
    kind
    available
    contextWindow
  }
}
    `),kt=new B(`
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
}`),At=new B(`
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
}`),jt=new B(`
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
}`),Mt=new B(`
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
}`),Nt=new B(`
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
}`),Pt={possibleTypes:{AddTextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],AddTextDocumentsResult:[`AddTextDocumentsPayload`,`ForbiddenError`,`NotFoundError`,`UnavailableError`,`ValidationError`],AnswerEvent:[`AnswerCancelled`,`AnswerCompleted`,`AnswerDelta`,`AnswerFailed`,`AnswerReplaced`,`BudgetNegotiated`,`CitationAdded`,`NoticeGiven`,`QueryReformulated`,`ReasoningDelta`,`RetrievalCompleted`],CancelAnswerResult:[`CancelAnswerPayload`,`NotFoundError`,`ValidationError`],CancelEmbeddingSwitchResult:[`CancelEmbeddingSwitchPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`],ChangePasswordResult:[`ChangePasswordPayload`,`RateLimitedError`,`ValidationError`],CreateAccessTokenResult:[`CreateAccessTokenPayload`,`ValidationError`],CreateChatSessionResult:[`CreateChatSessionPayload`,`NotFoundError`,`ValidationError`],CreateProjectResult:[`ConflictError`,`CreateProjectPayload`,`ValidationError`],DeleteChatSessionResult:[`DeleteChatSessionPayload`,`NotFoundError`,`ValidationError`],DeleteDocumentResult:[`DeleteDocumentPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteProjectResult:[`DeleteProjectPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],Error:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],ForgetResult:[`ForgetPayload`,`NotFoundError`,`ValidationError`],IngestionEvent:[`IngestionCompleted`,`IngestionFailed`,`IngestionProgressed`],Node:[`AccessToken`,`ChatSession`,`Chunk`,`Document`,`EmbeddingSpace`,`Memory`,`Message`,`Project`,`User`],RateAnswerResult:[`NotFoundError`,`RateAnswerPayload`,`ValidationError`],RecordCitationOpenedResult:[`NotFoundError`,`RecordCitationOpenedPayload`,`ValidationError`],RedeemSetupTokenResult:[`RedeemSetupTokenPayload`,`ValidationError`],RegenerateAnswerResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`RegenerateAnswerPayload`,`UnavailableError`,`ValidationError`],RememberResult:[`NotFoundError`,`RememberPayload`,`ValidationError`],RemoveProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RemoveProjectMemberPayload`,`ValidationError`],RereadDocumentsResult:[`ForbiddenError`,`NotFoundError`,`RereadDocumentsPayload`,`UnavailableError`,`ValidationError`],RetryDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RetryDocumentPayload`,`UnavailableError`,`ValidationError`],RevokeAccessTokenResult:[`NotFoundError`,`RevokeAccessTokenPayload`,`ValidationError`],SelectBranchResult:[`NotFoundError`,`SelectBranchPayload`,`ValidationError`],SendMessageResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`SendMessagePayload`,`UnavailableError`,`ValidationError`],SetProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SetProjectMemberPayload`,`ValidationError`],SignInResult:[`RateLimitedError`,`SignInPayload`,`ValidationError`],SwitchEmbeddingModelResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SwitchEmbeddingModelPayload`,`UnavailableError`,`ValidationError`],TextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],UpdateChatSessionResult:[`NotFoundError`,`UpdateChatSessionPayload`,`ValidationError`],UpdateDocumentResult:[`ForbiddenError`,`NotFoundError`,`UnavailableError`,`UpdateDocumentPayload`,`ValidationError`],UpdateProjectResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`UpdateProjectPayload`,`ValidationError`],UpdateViewerResult:[`UpdateViewerPayload`,`ValidationError`],UploadDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`UploadDocumentPayload`,`ValidationError`],WithdrawRatingResult:[`NotFoundError`,`ValidationError`,`WithdrawRatingPayload`]}};function Ft(){return ee({globalIDs:!0,possibleTypes:Pt.possibleTypes,logger:()=>void 0,updates:{Mutation:{createProject:(e,t,n)=>It(n,`Query`,`projects`),deleteProject:(e,t,n)=>It(n,`Query`,`projects`)}}})}function It(e,t,n){for(let{fieldName:r,fieldKey:i}of e.inspectFields(t))r===n&&e.invalidate(t,i)}var Lt=new Set([502,503,504]),Rt=new Set([`RATE_LIMITED`,`UNAVAILABLE`]),zt=5e3,Bt=/fetch|Load failed|Importing a module/,V=class extends Error{kind;issues;retryAfterMs;name=`Problem`;constructor(e,t=`other`,n=[],r=null){super(e),this.kind=t,this.issues=n,this.retryAfterMs=r}issueOf(e){return this.issues.find(({path:t})=>t.includes(e))?.message??null}};function Vt(e){return new V(e.message,e.__typename,`issues`in e?e.issues:[],`retryAfterMs`in e?e.retryAfterMs:null)}function H({message:e,extensions:t},n){return n===401||t?.code===`UNAUTHENTICATED`?new V(e,`unauthenticated`):new V(e,`other`,[],Ut(t))}function Ht(e){let[t]=e.graphQLErrors,n=e.response?.status;return t?H(t,n):n===401?new V(e.message,`unauthenticated`):n===void 0||W(n)?U():new V(e.networkError?.message??e.message)}function U(){return new V(z(`unreachable.text`),`unreachable`)}function W(e){return Lt.has(e)}function G(e){return e instanceof V?e:e instanceof TypeError&&Bt.test(e.message)?U():new V(e instanceof Error?e.message:String(e))}function Ut(e){return Rt.has(e?.code)?zt:null}var K=`footnote:token`;function Wt(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);return t===null&&n===null?null:(history.replaceState(history.state,``,location.pathname+location.search),{token:t,setup:n})}function Gt(){return localStorage.getItem(K)}function Kt(e){e?localStorage.setItem(K,e):localStorage.removeItem(K)}function q(){let e=Gt();return e&&`Bearer ${e}`}var J=`/graphql`,Y=qt(),X=new Set;function qt(){return new ie({url:J,preferGetMethod:!1,exchanges:[Ft(),se],fetchOptions:()=>({headers:Jt()})})}function Jt(){let e=q();return{"GraphQL-Require-Preflight":`1`,...e?{Authorization:e}:{}}}async function Yt(){try{let e=JSON.stringify({query:`{ __typename }`}),{status:t}=await fetch(J,{method:`POST`,headers:{...Jt(),"Content-Type":`application/json`},body:e});return!W(t)}catch{return!1}}function Xt(){Y=qt()}function Zt(e){return X.add(e),()=>X.delete(e)}function Qt(e){for(let t of X)t(e)}async function $t(e,t,n=`cache-first`){let r=Y;return rn(r,await r.query(e.toString(),t,{requestPolicy:n}).toPromise())}function en(e,t,n,r=`cache-and-network`){let i=Y,a=i.query(e.toString(),t,{requestPolicy:r}),{unsubscribe:o}=te(a,D(e=>{let t=e.error?an(i,e):null;n(e.data??null,t,e.stale)}));return o}async function tn(e,t){let n=Y,r=rn(n,await n.mutation(e.toString(),t).toPromise()),[i]=Object.entries(r).flatMap(([e,t])=>e===`__typename`?[]:[t]);if(nn(i))throw Vt(i);return i}function nn(e){return typeof e==`object`&&!!e&&String(e.__typename).endsWith(`Error`)}function rn(e,t){if(t.error)throw an(e,t);if(t.data===void 0||t.data===null)throw new V(`The server sent an empty result.`);return t.data}function an(e,t){let n=Ht(t.error);return n.kind===`unauthenticated`&&e===Y&&Qt(n),n}var on=300,sn=1e4,cn=new Set([4400,4401,4403]),Z=ln();function ln(){return C({url:new URL(J,location.href.replace(/^http/,`ws`)).href,connectionParams:()=>{let e=q();return e?{authorization:e}:{}},retryAttempts:0,lazyCloseTimeout:5e3})}function un(){Z.dispose(),Z=ln()}function dn(e,t,n){let r=new AbortController;return fn(e,t,n,r.signal),()=>r.abort()}async function fn(e,t,n,r){let i=on;for(;!r.aborted;){let a=Z,o=await pn(e,t(),r,e=>{i=on,n.connected?.(!0),n.next(e)});if(r.aborted)return;if(o===`done`)return n.done();if(o instanceof V&&o.retryAfterMs===null)return o.kind===`unauthenticated`&&a===Z&&Qt(o),n.failed(o);o instanceof V&&(i=Math.max(i,o.retryAfterMs)),n.connected?.(!1),await hn(i,r),i=Math.min(i*2,sn)}}function pn(e,t,n,r){return new Promise(i=>{let a=Z.subscribe({query:e.toString(),variables:t},{next:({data:e,errors:t})=>{let[n]=t??[];n?i(H(n)):e&&r(e)},error:e=>i(mn(e)),complete:()=>i(`done`)});n.addEventListener(`abort`,()=>{a(),i(`done`)})})}function mn(e){return Array.isArray(e)?H(e[0]):e instanceof CloseEvent?cn.has(e.code)?new V(e.reason,`unauthenticated`):`broken`:e instanceof Event||e instanceof Error?`broken`:G(e)}function hn(e,t){return new Promise(n=>{let r=new AbortController,i=()=>{r.abort(),clearTimeout(a),n()},a=setTimeout(i,e);addEventListener(`online`,i,{signal:r.signal}),document.addEventListener(`visibilitychange`,()=>document.hidden||i(),{signal:r.signal}),t.addEventListener(`abort`,i,{signal:r.signal})})}var gn=class{#e=x(null);get data(){return _(this.#e)}set data(e){M(this.#e,e)}#t=x(null);get problem(){return _(this.#t)}set problem(e){M(this.#t,e)}#n=x(!0);get loading(){return _(this.#n)}set loading(e){M(this.#n,e,!0)}#r=x(0);constructor(t,n,r=`cache-and-network`){e(()=>{let e=n(),i=_(this.#r)>0;if(this.loading=e!==null,e===null)this.data=null,this.problem=null;else return en(t,e,(e,t,n)=>this.#i(e,t,n),i?`network-only`:r)})}#i(e,t,n){(e!==null||t===null)&&(this.data=e),this.problem=t,this.loading=n}reload(){v(()=>M(this.#r,_(this.#r)+1))}},_n=h(`<span><!></span>`);function vn(e,t){let n=N(t,`tone`,3,`neutral`);var i=_n(),a=k(i);T(a,()=>t.children),F(i),f(()=>{r(i,1,d([`badge`,n()]),`svelte-dtbgkf`),I(i,`title`,t.title)}),L(e,i)}var yn=new Set([`$$slots`,`$$events`,`$$legacy`,`look`,`icon`,`small`,`label`,`busy`,`disabled`,`href`,`type`,`children`,`element`]),bn=h(`<a><!></a>`),xn=h(`<button><!></button>`);function Q(e,t){S(t,!0);let r=N(t,`look`,3,`secondary`),i=N(t,`icon`,3,!1),o=N(t,`small`,3,!1),s=N(t,`busy`,3,!1),c=N(t,`disabled`,3,!1),l=N(t,`type`,3,`button`),u=N(t,`element`,15),d=ne(t,yn);var f=n(),p=j(f),m=e=>{var n=bn();le(n,()=>({class:[`button`,r(),{icon:i(),small:o()}],href:t.href,"aria-label":t.label,title:t.label,...d}),void 0,void 0,void 0,`svelte-18sv61c`);var a=k(n);T(a,()=>t.children),F(n),A(n,e=>u(e),()=>u()),L(e,n)},h=e=>{var n=xn();le(n,()=>({class:[`button`,r(),{icon:i(),small:o()}],type:l(),"aria-label":t.label,title:t.label,"aria-busy":s()||void 0,disabled:c()||s(),...d}),void 0,void 0,void 0,`svelte-18sv61c`);var a=k(n);T(a,()=>t.children),F(n),A(n,e=>u(e),()=>u()),L(e,n)};a(p,e=>{t.href===void 0?e(h,-1):e(m)}),L(e,f),O()}var Sn=h(`<footer class="svelte-jby388"><!></footer>`),Cn=h(`<div class="sheet svelte-jby388"><header class="svelte-jby388"><h2 dir="auto" class="svelte-jby388"> </h2> <!></header> <div class="content svelte-jby388"><!></div> <!></div>`),wn=h(`<dialog><!></dialog>`);function Tn(t,n){let i=m();S(n,!0);let o=N(n,`place`,3,`center`),s=N(n,`wide`,3,!1),l=x(void 0);e(()=>{n.open&&_(l)&&!_(l).open?_(l).showModal():!n.open&&_(l)?.open&&_(l).close()});function u(e){e.target===_(l)&&n.onclose()}var h=wn(),g=k(h),v=e=>{var t=Cn(),r=k(t),o=k(r),s=w(o,!0),c=b(o,2);{let e=P(()=>z(`close`));Q(c,{look:`ghost`,icon:!0,small:!0,get label(){return _(e)},get onclick(){return n.onclose},children:(e,t)=>{re(e,{})},$$slots:{default:!0}})}F(r);var l=b(r,2),u=k(l);T(u,()=>n.children),F(l);var d=b(l,2),m=e=>{var t=Sn(),r=k(t);T(r,()=>n.footer),F(t),L(e,t)};a(d,e=>{n.footer&&e(m)}),F(t),f(()=>{I(o,`id`,i),p(s,n.title),o.dir=o.dir}),L(e,t)};a(g,e=>{n.open&&e(v)}),F(h),A(h,e=>M(l,e),()=>_(l)),f(()=>{r(h,1,d([o(),{wide:s()}]),`svelte-jby388`),I(h,`aria-labelledby`,i)}),oe(`cancel`,h,e=>{e.preventDefault(),n.onclose()}),c(`click`,h,u),L(t,h),O()}o([`click`]);var En=h(`<span class="icon svelte-1m5lo4h"><!></span>`),Dn=h(`<p dir="auto" class="svelte-1m5lo4h"> </p>`),On=h(`<div class="actions svelte-1m5lo4h"><!></div>`),kn=h(`<div><!> <!> <!> <!></div>`);function An(e,n){let i=N(n,`whole`,3,!1);var o=kn(),s=k(o),c=e=>{var r=En(),i=k(r);t(i,()=>n.icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),F(r),L(e,r)};a(s,e=>{n.icon&&e(c)});var l=b(s,2);E(l,()=>i()?`h1`:`h2`,!1,(e,t)=>{r(e,0,`title svelte-1m5lo4h`);var i=g();f(()=>p(i,n.title)),L(t,i)});var u=b(l,2),m=e=>{var t=Dn(),r=w(t,!0);f(()=>{p(r,n.text),t.dir=t.dir}),L(e,t)};a(u,e=>{n.text&&e(m)});var h=b(u,2),_=e=>{var t=On(),r=k(t);T(r,()=>n.children),F(t),L(e,t)};a(h,e=>{n.children&&e(_)}),F(o),f(()=>r(o,1,d([`empty`,{whole:i()}]),`svelte-1m5lo4h`)),L(e,o)}var jn=h(`<p class="problem svelte-175sa6o" role="alert"> </p>`),Mn=h(`<p class="help svelte-175sa6o"> </p>`),Nn=h(`<div class="field svelte-175sa6o"><label class="svelte-175sa6o"> </label> <!> <!> <!></div>`);function Pn(e,t){let n=m();S(t,!0);let r=N(t,`problem`,3,null),i=P(()=>[t.help&&`${n}-help`,r()&&`${n}-problem`].filter(Boolean).join(` `)||void 0);var o=Nn(),s=k(o),c=w(s,!0),l=b(s,2);T(l,()=>t.children,()=>({id:n,"aria-describedby":_(i),"aria-invalid":r()?!0:void 0}));var u=b(l,2),d=e=>{var t=jn(),i=w(t,!0);f(()=>{I(t,`id`,`${n}-problem`),p(i,r())}),L(e,t)};a(u,e=>{r()&&e(d)});var h=b(u,2),g=e=>{var r=Mn(),i=w(r,!0);f(()=>{I(r,`id`,`${n}-help`),p(i,t.help)}),L(e,r)};a(h,e=>{t.help&&e(g)}),F(o),f(()=>{I(s,`for`,n),p(c,t.label)}),L(e,o),O()}var Fn=s(`<svg viewBox="0 0 32 32" aria-hidden="true" class="svelte-1mi20zr"><rect width="32" height="32" rx="7" class="svelte-1mi20zr"></rect><path d="M7 10h11M7 16h18M7 22h14" class="svelte-1mi20zr"></path><circle cx="25" cy="9" r="3" class="svelte-1mi20zr"></circle></svg>`);function In(e,t){var n=Fn();let r;f(()=>r=i(n,``,r,{width:t.size,height:t.size})),L(e,n)}var Ln=h(`<button type="button" tabindex="-1"><!> <span dir="auto" class="svelte-15gydnd"> </span> <!></button>`),Rn=h(`<!> <div class="menu svelte-15gydnd" role="menu" tabindex="-1" popover="auto"></div>`,1);function zn(e,i){let o=m();S(i,!0);let s=N(i,`align`,3,`end`),d=x(void 0),h=x(!1),g={text:``,at:-1/0};function v(){let e=document.getElementById(`${o}-trigger`);if(!_(d)||!e)return;let t=e.getBoundingClientRect(),{width:n,height:r}=_(d).getBoundingClientRect(),i=t.bottom+r+8<innerHeight||t.top<r,a=s()===`end`==(getComputedStyle(_(d)).direction===`ltr`)?t.right-n:t.left;_(d).style.setProperty(`left`,`${Math.max(8,Math.min(a,innerWidth-n-8))}px`),_(d).style.setProperty(`top`,`${i?t.bottom+4:t.top-r-4}px`),_(d).style.setProperty(`visibility`,`visible`),g.text=``;let c=y();(c.find(e=>e.ariaChecked===`true`)??c[0])?.focus()}function y(){return[..._(d)?.querySelectorAll(`[role^=menuitem]:not(:disabled)`)??[]]}function ee(e){let t=performance.now();g={text:(t-g.at<700?g.text:``)+e.toLowerCase(),at:t};let n=y(),r=n.indexOf(document.activeElement),i=g.text.length>1?r:r+1;[...n.slice(i),...n.slice(0,i)].find(e=>e.textContent.trim().toLowerCase().startsWith(g.text))?.focus()}function te(e){let t=y(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:-1}[e.key];e.key===`Tab`&&_(d)?.hidePopover();let i=g.text!==``&&performance.now()-g.at<700;e.key.length!==1||e.key===` `&&!i||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),ee(e.key)),r!==void 0&&(e.preventDefault(),t.at(r%t.length)?.focus())}function ne(e){_(d)?.hidePopover(),document.getElementById(`${o}-trigger`)?.focus(),e.onselect()}var C=Rn(),E=j(C);T(E,()=>i.trigger,()=>({id:`${o}-trigger`,popovertarget:o,"aria-haspopup":`menu`,"aria-expanded":_(h)}));var D=b(E,2);l(D,21,()=>i.items,u,(e,i)=>{var o=Ln();let s;var l=k(o),u=e=>{var r=n(),a=j(r);t(a,()=>_(i).icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),L(e,r)};a(l,e=>{_(i).icon&&e(u)});var d=b(l,2),m=w(d,!0),h=b(d,2),g=e=>{ce(e,{"aria-hidden":`true`,class:`check`})};a(h,e=>{_(i).checked&&e(g)}),F(o),f(()=>{I(o,`role`,_(i).checked===void 0?`menuitem`:`menuitemradio`),I(o,`aria-checked`,_(i).checked),o.disabled=_(i).disabled,s=r(o,1,`svelte-15gydnd`,null,s,{danger:_(i).danger}),p(m,_(i).label),d.dir=d.dir}),c(`click`,o,()=>ne(_(i))),L(e,o)}),F(D),A(D,e=>M(d,e),()=>_(d)),f(()=>{I(D,`id`,o),I(D,`aria-labelledby`,`${o}-trigger`)}),oe(`toggle`,D,e=>{M(h,e.newState===`open`),_(h)?v():_(d)?.style.removeProperty(`visibility`)}),c(`keydown`,D,te),L(e,C),O()}o([`keydown`,`click`]);function Bn(e,t){S(t,!0);{let t=P(()=>z(`missing.title`)),n=P(()=>z(`missing.text`));An(e,{whole:!0,get title(){return _(t)},get text(){return _(n)},children:(e,t)=>{Q(e,{href:`/`,children:(e,t)=>{y();var n=g();f(e=>p(n,e),[()=>z(`missing.home`)]),L(e,n)},$$slots:{default:!0}})},$$slots:{default:!0}})}O()}function Vn(t,n){S(n,!0);let r=`Footnote`;e(()=>(document.title=n.name?`${n.name} · ${r}`:r,()=>document.title=r)),O()}var Hn=h(`<span class="spinner svelte-f4erjd" role="status"><span class="visually-hidden"> </span></span>`);function Un(e,t){S(t,!0);let n=N(t,`label`,19,()=>z(`loading`));var r=Hn(),i=k(r),a=w(i,!0);F(r),f(()=>p(a,n())),L(e,r),O()}var Wn=h(`<span class="count svelte-126ak3w"> </span>`),Gn=h(`<button type="button" role="tab" class="svelte-126ak3w"> <!></button>`),Kn=h(`<div class="tabs svelte-126ak3w" role="tablist" tabindex="-1"></div> <div class="panel svelte-126ak3w" role="tabpanel"><!></div>`,1);function qn(e,t){let n=m();S(t,!0);function r(e){let r=t.tabs.findIndex(({name:e})=>e===t.selected),i=getComputedStyle(e.currentTarget).direction===`rtl`?-1:1,a={ArrowRight:r+i,ArrowLeft:r-i,Home:0,End:-1}[e.key],o=a===void 0?void 0:t.tabs.at(a%t.tabs.length);o&&(e.preventDefault(),t.onselect(o.name),document.getElementById(`${n}-${o.name}`)?.focus())}var i=Kn(),o=j(i);l(o,21,()=>t.tabs,e=>e.name,(e,r)=>{var i=Gn(),o=k(i,!0),s=b(o),l=e=>{var t=Wn(),n=w(t,!0);f(()=>p(n,_(r).count)),L(e,t)};a(s,e=>{_(r).count!==void 0&&e(l)}),F(i),f(()=>{I(i,`id`,`${n}-${_(r).name??``}`),I(i,`aria-selected`,_(r).name===t.selected),I(i,`aria-controls`,`${n}-panel`),I(i,`tabindex`,_(r).name===t.selected?0:-1),p(o,_(r).label)}),c(`click`,i,()=>t.onselect(_(r).name)),L(e,i)}),F(o);var s=b(o,2),u=k(s);T(u,()=>t.children,()=>t.selected),F(s),f(()=>{I(o,`aria-label`,t.label),I(s,`id`,`${n}-panel`),I(s,`aria-labelledby`,`${n}-${t.selected??``}`)}),c(`keydown`,o,r),L(e,i),O()}o([`keydown`,`click`]);var Jn=6e3,Yn=3e3,Xn=0,$=new class{#e=x(ae([]));get list(){return _(this.#e)}set list(e){M(this.#e,e,!0)}#t;show(e,t=`info`,n=!1){let r=++Xn;this.list.push({id:r,kind:t,text:e,away:n}),t===`info`&&setTimeout(()=>this.dismiss(r),Jn)}fail=e=>{let{message:t,kind:n}=G(e),r=n===`unreachable`;this.list.some(({text:e})=>e===t)||this.show(t,`error`,r),r&&this.#n()};dismiss(e){this.list=this.list.filter(t=>t.id!==e)}#n(){this.#t??=setTimeout(()=>void this.#r(),Yn)}async#r(){let e=!document.hidden&&await Yt();this.#t=void 0,e?this.list=this.list.filter(({away:e})=>!e):this.list.some(({away:e})=>e)&&this.#n()}},Zn=h(`<div><p dir="auto" class="svelte-r9p0hk"> </p> <!></div>`),Qn=h(`<div class="toasts screen-only svelte-r9p0hk" role="region"></div>`);function $n(e,t){S(t,!0);var n=Qn();l(n,21,()=>$.list,e=>e.id,(e,t)=>{var n=Zn(),i=k(n),a=w(i,!0),o=b(i,2);{let e=P(()=>z(`dismiss`));Q(o,{look:`ghost`,icon:!0,small:!0,get label(){return _(e)},onclick:()=>$.dismiss(_(t).id),children:(e,t)=>{re(e,{})},$$slots:{default:!0}})}F(n),f(()=>{r(n,1,d([`toast`,_(t).kind]),`svelte-r9p0hk`),I(n,`role`,_(t).kind===`error`?`alert`:`status`),p(a,_(t).text),i.dir=i.dir}),L(e,n)}),F(n),f(e=>I(n,`aria-label`,e),[()=>z(`notifications`)]),L(e,n),O()}o([`focusin`,`focusout`,`keydown`]);function er(t,n){S(n,!0);let r=N(n,`whole`,3,!1),i=P(()=>n.problem.kind===`unreachable`);e(()=>{if(!_(i))return;let e=setInterval(()=>document.hidden||n.onretry(),3e3);return()=>clearInterval(e)});{let e=P(()=>z(_(i)?`unreachable.title`:`problem.title`)),a=P(()=>_(i)?z(`unreachable.again`):n.problem.message);An(t,{get whole(){return r()},get title(){return _(e)},get text(){return _(a)},children:(e,t)=>{{let t=P(()=>_(i)?`primary`:`secondary`);Q(e,{get look(){return _(t)},get onclick(){return n.onretry},children:(e,t)=>{y();var n=g();f(e=>p(n,e),[()=>z(`retry`)]),L(e,n)},$$slots:{default:!0}})}},$$slots:{default:!0}})}O()}var tr=h(`<p class="svelte-1cjg1wn"> </p>`),nr=h(`<header class="svelte-1cjg1wn"><h1 dir="auto" class="svelte-1cjg1wn"> </h1> <!></header>`),rr=h(`<!> <section><!> <!></section>`,1);function ir(e,t){S(t,!0);let i=N(t,`wide`,3,!1);var o=rr(),s=j(o);Vn(s,{get name(){return t.title}});var c=b(s,2);let l;var u=k(c),d=e=>{var n=nr(),r=k(n),i=w(r,!0),o=b(r,2),s=e=>{var n=tr(),r=w(n,!0);f(()=>p(r,t.summary)),L(e,n)};a(o,e=>{t.summary&&e(s)}),F(n),f(()=>{p(i,t.title),r.dir=r.dir}),L(e,n)};a(u,e=>{t.title!==null&&e(d)});var m=b(u,2),h=e=>{var r=n(),i=j(r);T(i,()=>t.children,()=>t.value),L(e,r)},g=e=>{er(e,{get problem(){return t.found.problem},onretry:()=>t.found.reload()})},_=e=>{Un(e,{})},v=e=>{Bn(e,{})};a(m,e=>{t.value===null?t.found.problem?e(g,1):t.found.loading?e(_,2):e(v,-1):e(h)}),F(c),f(()=>l=r(c,1,`svelte-1cjg1wn`,null,l,{wide:i()})),L(e,o),O()}export{st as $,ge as $t,Wt as A,Ct as At,Ke as B,Oe as Bt,Zt as C,Mt as Ct,K as D,dt as Dt,Qt as E,Me as Et,Vt as F,Fe as Ft,Re as G,Pe as Gt,gt as H,kt as Ht,W as I,Le as It,Be as J,Se as Jt,$e as K,nt as Kt,U as L,_t as Lt,V as M,Ve as Mt,G as N,Dt as Nt,q as O,Ae as Ot,H as P,Ee as Pt,At as Q,be as Qt,qe as R,Ne as Rt,tn as S,Ue as St,Xt as T,ft as Tt,je as U,jt as Ut,He as V,wt as Vt,Ot as W,lt as Wt,Tt as X,z as Xt,yt as Y,Ce as Yt,ut as Z,R as Zt,dn as _,vt as _t,qn as a,Nt as at,Jt as b,et as bt,Bn as c,Ye as ct,Pn as d,pt as dt,at as et,An as f,rt as ft,gn as g,bt as gt,vn as h,Et as ht,$ as i,St as it,Kt as j,We as jt,Gt as k,ct as kt,zn as l,Xe as lt,Q as m,xt as mt,er as n,mt as nt,Un as o,ze as ot,Tn as p,Te as pt,ke as q,_e as qt,$n as r,Ge as rt,Vn as s,ot as st,ir as t,Ze as tt,In as u,it as ut,un as v,Qe as vt,$t as w,De as wt,Yt as x,Ie as xt,J as y,tt as yt,Je as z,ht as zt};