import{$ as e,A as t,B as n,D as r,E as i,F as a,G as o,H as s,K as c,M as l,N as u,O as d,Q as f,R as p,U as m,V as h,W as g,Y as _,Z as v,a as y,at as b,bt as x,c as ee,ct as S,d as te,gt as C,ht as w,i as ne,it as T,j as E,k as re,l as ie,n as D,nt as O,o as ae,ot as oe,p as k,q as se,rt as A,s as ce,st as j,t as le,u as M,ut as N,x as P,y as ue,yt as de,z as F}from"./packages-index-DzuHWuxF.js";var fe={close:`Close`,dismiss:`Dismiss`,loading:`Loading`,retry:`Try again`,skip:`Skip to the content`,notifications:`Notifications`,"unreachable.title":`The server cannot be reached`,"unreachable.text":`The server cannot be reached. Check the connection, and try again.`,"unreachable.again":`This page tries again every few seconds.`,"problem.title":`Something went wrong`,"missing.title":`There is nothing here`,"missing.text":`It was deleted, or you have no access to it.`,"missing.home":`Go to the start page`,"side.label":`Projects and chats`,"side.open":`Open the sidebar`,"side.appearance":`Appearance and language`,"theme.system":`Same as the system`,"theme.light":`Light`,"theme.dark":`Dark`,"signIn.title":`Sign in to Footnote`,"signIn.ended":`Your session has expired. Please sign in again.`,"signIn.email":`Email address`,"signIn.password":`Password`,"signIn.token":`Access token`,"signIn.tokenHelp":`A token that you created here, or that the operator gave you.`,"signIn.enter":`Sign in`,"signIn.useToken":`Use an access token`,"signIn.usePassword":`Use a password`,"composer.label":`Your question`,"composer.placeholder":`Ask your documents`,"composer.placeholderAlone":`Ask the model`,"composer.send":`Send`,"composer.keys":`Enter sends, Shift + Enter starts a new line`,"composer.stop":`Stop the answer`,"message.question":`Your question`,"message.answer":`Answer`,cancel:`Cancel`,save:`Save`,delete:`Delete`,copy:`Copy`,copied:`Copied`,copyFailed:`The browser did not let the page copy. Select the text and copy it yourself.`,tokens_one:`{count} token`,tokens_other:`{count} tokens`,"side.newChat":`New chat`,"side.search":`Search`,"side.searchKeys":`Ctrl K`,"side.status":`Server status`,"side.playground":`Playground for developers`,"side.handbook":`Handbook`,"handbook.title":`Handbook`,"handbook.about":`How to use and operate Footnote. These pages are on this server.`,"handbook.previous":`Before`,"handbook.next":`Next`,"handbook.start":`To the start page`,"side.signOut":`Sign out`,"side.noChats":`Chats you start appear here.`,"side.more":`Show older chats`,"age.today":`Today`,"age.yesterday":`Yesterday`,"age.week":`Last 7 days`,"age.month":`Last 30 days`,"age.older":`Older`,"project.choose":`Project: {name}`,"project.new":`New project`,"project.name":`Name`,"project.description":`What it is about (optional)`,"project.local":`Use only models on this machine`,"project.localHelp":`Documents and questions never leave it then.`,"project.create":`Create project`,"session.rename":`Rename`,"session.share":`Share with the project`,"session.unshare":`Stop sharing`,"session.shared":`Shared`,"session.theirs":`{who} shares this chat. You can read it but not write in it.`,"session.delete":`Delete`,"session.deleteTitle":`Delete this chat?`,"session.deleteText":`“{title}” and all its answers will be gone.`,"session.title":`Title`,"session.titleHelp":`Without a title, the beginning of the first question is shown.`,"session.menu":`More options for this chat`,"session.menuOf":`More options for {title}`,"rag.on":`Documents on`,"rag.onHelp":`Answers come from the documents of {project}.`,"rag.off":`Documents off`,"rag.offHelp":`The model answers alone; no documents are searched.`,"message.writing":`The answer is being written.`,"message.finished_one":`The answer is complete, with one source.`,"message.finished_other":`The answer is complete, with {count} sources.`,"message.reasoning":`How the model reached this answer`,"message.cancelled":`This answer was stopped.`,"message.interrupted":`The server stopped while it was writing.`,"message.empty":`The model returned an empty answer.`,"message.copy":`Copy the text`,"regenerate.earlier":`The earlier answer is shown again.`,"message.regenerate":`Answer again`,"message.helpful":`Helpful`,"message.notHelpful":`Not helpful`,"message.evidence":`Everything that was found`,"message.confidence":`{percent} confident`,"message.confidenceHelp":`How likely the answer is to be right, judging by its sources.`,"messages.label":`Messages`,"messages.toEnd":`Go to the newest message`,"message.edit":`Edit and ask again`,"message.menu":`More options for this answer`,"message.copyWithSources":`Copy with its sources`,"edit.label":`The edited question`,"edit.help":`The messages that followed are kept as another version.`,"versions.label":`Versions`,"versions.previous":`Previous version`,"versions.next":`Next version`,"versions.number":`{number} / {all}`,"versions.which":`Version {number} of {all}`,"branch.shown":`The message is in another version of this chat, which is now shown.`,"message.replay":`Ask again with the same settings`,"compare.open":`Ask again with one change`,"compare.title":`Ask again with one change`,"compare.knob":`What to change`,"compare.knobHelp":`Everything else stays as the chat is set.`,"compare.on":`on`,"compare.off":`off`,"compare.changes":`What would be sent differently`,"compare.tokens":`{before} → {after} tokens in the prompt`,"compare.kept_one":`{count} passage stays`,"compare.kept_other":`{count} passages stay`,"compare.come":`Added`,"compare.gone":`Removed`,"compare.ask":`Ask`,"compare.shown":`Shown in the chat`,"compare.usage":`Prompt {input}, answer {output}, {time}`,"compare.keep":`Keep this one`,"compare.help":`The second answer is kept as another version, whichever one you choose.`,"export.markdown":`Save as Markdown`,"export.json":`Save as JSON`,"export.untitled":`Chat`,"outcome.NO_SOURCES":`Nothing found`,"outcome.NO_SOURCESHelp":`No document has anything relevant.`,"outcome.REJECTED":`Withdrawn`,"outcome.REJECTEDHelp":`The sources do not support what the model wrote.`,"outcome.INSUFFICIENT":`Not in the documents`,"outcome.INSUFFICIENTHelp":`The model says that the sources do not contain the answer.`,"rating.title":`What was not helpful?`,"rating.comment":`Anything else (optional)`,"rating.send":`Send`,"reason.INCORRECT":`It is wrong`,"reason.INCOMPLETE":`Something is missing`,"reason.IRRELEVANT":`It answers another question`,"reason.UNSUPPORTED":`The sources do not say that`,"reason.OUTDATED":`The sources are out of date`,"reason.UNCLEAR":`It is hard to understand`,"reason.REFUSED":`The documents do hold the answer`,"reason.OTHER":`Something else`,"stage.searching":`Searching the documents`,"stage.reading_one":`Reading one passage`,"stage.reading_other":`Reading {count} passages`,"stage.reconnecting":`The connection is lost. It continues where it stopped as soon as the server can be reached.`,"marker.name":`Source {index}: {title}`,"sources.title":`Sources`,"source.page":`page {page}`,"source.changed":`Changed`,"source.changedHelp":`The document has changed since this answer. The quote is what it said then.`,"source.deleted":`Deleted`,"source.deletedHelp":`The document was deleted. The quote is kept.`,"source.notFound":`These words are no longer in the passage.`,"source.placedByServer":`Source matched by Footnote`,"source.placedByModel":`Source named by the model`,"source.placedByServerHelp":`The model named no source for this sentence. Footnote found the passage that says the same.`,"source.placedByModelHelp":`The model named this source for the sentence, and Footnote found these words in it.`,"source.uses":`Where the answer cites it`,"source.use":`Quote {number}`,"source.open":`Read in the document`,"source.visit":`Visit`,"source.gone":`This passage no longer exists.`,"source.passage":`The cited passage`,"source.readOn":`Read on`,"source.readBefore":`Read what comes before`,"support.strong":`Strong support`,"support.fair":`Fair support`,"support.weak":`Weak support`,"support.help":`How well the quote supports the sentence that cites it.`,"evidence.label":`Where this answer comes from`,"evidence.close":`Close the panel`,"evidence.sources":`Sources`,"evidence.all":`All sources`,"found.cited":`Cited`,"found.nothingCited":`The answer cites nothing.`,"found.read":`Read, but not cited`,"found.left":`Found, but not given to the model`,"found.score":`Relevance {score}`,"decision.INCLUDED":`In the prompt`,"decision.SHORTENED":`Only its beginning is in the prompt`,"decision.BELOW_THRESHOLD":`Below the threshold`,"decision.OVER_BUDGET":`Did not fit`,"decision.DUPLICATE":`Says the same as another`,"decision.BEYOND_TOP_K":`Enough better ones were found`,"window.title":`Context window`,"window.label":`Context window: {used} of {all} tokens used`,"window.free":`Free`,"window.all":`Whole window`,"window.none":`The model was not called for this answer.`,"window.reduced":`{requested} were requested`,"window.reported":`Counted: {counted}. Reported by the provider: {reported}.`,"window.passages_one":`{count} passage`,"window.passages_other":`{count} passages`,"window.turns_one":`{count} message`,"window.turns_other":`{count} messages`,"window.memories_one":`{count} fact`,"window.memories_other":`{count} facts`,"window.dropped_one":`{count} left out`,"window.dropped_other":`{count} left out`,"window.wouldSend":`Would send {used} of {all} tokens`,"counting.EXACT":`Counted with the model's own tokenizer.`,"counting.CALIBRATED":`Estimated, then corrected using what the provider reported earlier.`,"counting.ESTIMATED":`Estimated; the real number is probably lower.`,"part.SYSTEM":`Instructions`,"part.TOOLS":`Tools`,"part.MEMORIES":`Facts about you`,"part.CONTEXT":`Passages`,"part.HISTORY":`Conversation`,"part.QUESTION":`Question`,"part.MARGIN":`Margin`,"part.COMPLETION":`Room for the answer`,"prompt.title":`What would be sent to the model`,"prompt.read":`Read the prompt`,"prompt.none":`The model would not be called.`,"role.system":`Instructions`,"role.user":`User`,"role.assistant":`Assistant`,"markdown.table":`Table`,"markdown.code":`Code`,"search.title":`Search chats`,"search.placeholder":`Part of a title, or words of a message`,"search.results":`Found`,"search.nothing":`No title and no message has these words.`,"search.chats":`Chats`,"search.messages":`In questions and answers`,"newChat.documents_one":`Ask about {count} document`,"newChat.documents_other":`Ask about {count} documents`,"newChat.empty":`There are no documents to ask about yet.`,"newChat.emptyViewer":`There are no documents to ask about yet. An editor of this project can add some.`,"home.title":`Start with a project`,"home.text":`A project holds the documents that answers come from, and the chats about them.`,"tour.title":`How it works`,"tour.questions":`Questions to start with`,"tour.question1":`Which document formats can Footnote read?`,"tour.question2":`How can I resume an answer after the connection breaks?`,"tour.question3":`What happens if the documents do not contain the answer?`,"tour.step1":`Ask`,"tour.text1":`Type a question, or pick one above. While you type, a bar shows what would be sent.`,"tour.step2":`Check`,"tour.text2":`Each number in the answer is a footnote. Point at it to see the source's own words.`,"tour.step3":`Look inside`,"tour.text3":`Click a footnote for the passage and its document, and for what was found but not used.`,"tour.dismiss":`Got it`,"knowledge.title":`Knowledge · {project}`,"knowledge.views":`Knowledge views`,"knowledge.documents":`Documents`,"knowledge.search":`Search`,"knowledge.model":`Embedding model`,"knowledge.documentCount_one":`{count} document`,"knowledge.documentCount_other":`{count} documents`,"knowledge.passageCount_one":`{count} passage`,"knowledge.passageCount_other":`{count} passages`,"knowledge.add":`Add documents`,"knowledge.drop":`Drop files or folders here.`,"knowledge.formats":`{names}, and any other text.`,"knowledge.formatsTitle":`Supported formats`,"knowledge.chooseFiles":`Choose files`,"knowledge.chooseFolder":`Choose a folder`,"knowledge.tooManyFiles":`Only the first {count} files are added.`,"knowledge.uploads":`Files being uploaded`,"knowledge.uploading":`Sending {name}`,"knowledge.removeUpload":`Remove {name}`,"knowledge.fileChanged":`This file was changed or moved after it was chosen. Choose it again.`,"knowledge.moreUploads":`and {count} more`,"knowledge.paused":`Sending resumes automatically.`,"knowledge.notAdded_one":`{count} file was not added.`,"knowledge.notAdded_other":`{count} files were not added.`,"knowledge.retryAll":`Retry all`,"knowledge.clear":`Remove from the list`,"knowledge.filter":`Filter by title`,"knowledge.status":`Status`,"knowledge.allStatuses":`Any status`,"knowledge.more":`Show more`,"knowledge.noMatch":`No documents match`,"knowledge.empty":`No documents yet`,"knowledge.emptyHelp":`Drop some above. A minute later you can ask about them.`,"knowledge.emptyViewer":`An editor of this project can add some.`,"status.QUEUED":`Waiting`,"status.PROCESSING":`Being read`,"status.READY":`Ready`,"status.FAILED":`Failed`,"stage.PARSING":`Being read`,"stage.CHUNKING":`Being split`,"stage.EMBEDDING":`Being embedded`,"stage.INDEXING":`Being indexed`,"document.menu":`More options for {title}`,"document.preview":`Preview`,"document.previewHelp":`The text as it was read, passage by passage: this is what answers are made from.`,"document.openOriginal":`Open the original`,"document.download":`Download the original`,"document.rename":`Rename`,"document.replace":`Replace with a new file`,"document.delete":`Delete`,"document.version":`version {version}`,"document.progress":`Progress of {title}`,"document.title":`Title`,"document.titleHelp":`Titles are searched, too. Leave it empty to use the title in the file.`,"document.noSource":`This document was added without a source name, so there is no telling which file replaces it. Delete it and add the new file.`,"document.newFile":`New file`,"document.replaceHelp":`The old version is searched until the new one is ready.`,"document.deleteTitle":`Delete “{title}”?`,"document.deleteHelp":`It will no longer be found. Answers that cite it keep their quotes and say that it was deleted.`,"search.label":`Words or a question`,"search.help":`Shows the passages that a question would find, best first.`,"search.mode":`Match by`,"search.HYBRID":`Words and meaning`,"search.LEXICAL":`Words only`,"search.VECTOR":`Meaning only`,"search.go":`Search`,"search.none":`Nothing was found`,"search.scoreHelp":`Words {words}, meaning {meaning}`,"space.model":`Model`,"space.dimensions":`{count} dimensions`,"space.weight":`Weight of meaning`,"space.weightHelp":`How much meaning counts in a score; words make up the rest.`,"space.threshold":`Threshold`,"space.thresholdHelp":`Passages with a lower score are not used for answers.`,"space.measured":`Measured`,"space.measuredAt":`on this project's own texts, when it had {count} passages`,"space.notMeasured":`not yet: there are too few passages`,"space.building":`Switching to {model}: {done} of {total} passages`,"space.progress":`Progress of the switch to {model}`,"space.cancel":`Keep the current model`,"space.switch":`Switch the model`,"space.switchHelp":`All passages are embedded again in the background. Until that is done, the current model answers.`,"space.go":`Switch`,"space.failed":`The switch to {model} failed.`,saved:`Saved`,"session.settings":`Settings of this chat`,"option.reset":`Use the defaults`,"option.enableRag":`Answer from the documents`,"option.enableRagHelp":`Passages of the project's documents are found for each question and given to the model.`,"option.ragTopK":`Passages`,"option.ragTopKHelp":`How many passages an answer may use. More passages take up more of the window and distract small models.`,"option.ragThreshold":`Threshold`,"option.ragThresholdHelp":`Passages with a lower score are left out. The default is measured on the project's own texts.`,"option.includeCitations":`Show sources`,"option.includeCitationsHelp":`Answers contain markers such as [1], each checked against its passage.`,"option.grounding":`Grounding`,"option.grounding.GROUNDED":`Only from the sources`,"option.grounding.OPEN":`Sources and general knowledge`,"option.grounding.GROUNDEDHelp":`What the sources do not say is refused.`,"option.grounding.OPENHelp":`The model may also say what it knows by itself; that has no footnote.`,"option.contextTokenRatio":`Share of the window for passages`,"option.contextTokenRatioHelp":`The rest is for the conversation so far and the answer.`,"option.reformulate":`Rewrite questions for the search`,"option.reformulateHelp":`A model first turns “and when?” into a complete question. This takes one more request.`,"option.model":`Model`,"option.modelHelp":`As provider/model. The list shows what this server can reach.`,"option.temperature":`Temperature`,"option.temperatureHelp":`0 picks the most likely words; higher values give more variety and more mistakes.`,"option.promptProfile":`Prompt style`,"option.promptProfileHelp":`Small models do better with a short prompt that has an example.`,"option.promptProfile.AUTO":`By the model's size`,"option.promptProfile.SMALL":`For small models`,"option.promptProfile.LARGE":`For large models`,"option.maxTokens":`Longest answer, in tokens`,"option.maxTokensHelp":`Empty: the server's default.`,"option.systemPrompt":`Instructions for the model`,"option.systemPromptHelp":`Placed at the start of every prompt.`,"project.settings":`Settings · {project}`,"project.readOnly":`Only owners of the project can change these settings.`,"project.unsaved":`Your changes are not saved. Leave without saving?`,"project.about":`About the project`,"project.localOnly":`Only models on this machine`,"project.localOnlyHelp":`Documents and questions never leave it.`,"project.noSources":`Answer when nothing relevant is found`,"project.noSourcesHelp":`Shown when answers must come from the sources.`,"project.rejected":`Answer shown instead of one without sources`,"project.rejectedHelp":`Shown when nothing that the model cites holds up.`,"project.defaults":`Defaults for its chats`,"project.defaultsHelp":`Every chat of the project uses these unless it sets its own.`,"project.delete":`Delete this project`,"project.deleteHelp":`This also deletes its documents, chats and memories. This cannot be undone.`,"project.deleteTitle":`Delete {project}?`,"project.typeName":`Type “{project}” to confirm`,"memories.title":`What it remembers about you`,"memories.help":`Facts that are given to the model with your questions in this project. Nobody else sees them.`,"memories.new":`A new fact`,"memories.remember":`Remember`,"memories.forget":`Forget “{content}”`,"members.title":`Members · {project}`,"members.email":`Email address`,"members.help":`The person must already share a project with you, unless the operator allows adding anybody on this server.`,"members.role":`Role`,"members.roleOf":`Role of {who}`,"members.add":`Add`,"members.remove":`Remove`,"members.removeWho":`Remove {who}`,"members.leaveSure":`Remove yourself? You will no longer have access to this project.`,"members.ownRoleSure":`Change your own role? Only another owner can give it back to you.`,"members.removeSure":`Remove {who}? They will no longer have access to this project.`,"members.roles":`Viewers search and chat. Editors also add, change and delete documents. Owners also change settings and members.`,"role.VIEWER":`Viewer`,"role.EDITOR":`Editor`,"role.OWNER":`Owner`,"invited.title":`Welcome to Footnote`,"invited.help":`You are signed in as {email} through a link that works only once. Set a password so that you can come back.`,"invited.set":`Set the password`,"invited.later":`Not now`,"link.title":`Sign in with this link?`,"link.text":`You are signed in as {who}. The link signs you in as the person it was made for.`,"link.stay":`Stay signed in`,"link.follow":`Use the link`,"account.title":`Your account`,"account.name":`Name`,"account.password":`Password`,"account.current":`Current password`,"account.currentHelp":`Leave it empty if you have none yet.`,"account.new":`New password`,"account.newHelp":`At least 8 characters; there are no other rules.`,"account.change":`Change the password`,"account.passwordChanged":`The password was changed`,"tokens.title":`Access tokens`,"tokens.help":`For programs that use the API in your name. Each can be revoked separately.`,"tokens.created":`Copy it now: it is shown only once.`,"tokens.copy":`Copy`,"tokens.copied":`Copied`,"tokens.label":`What it is for`,"tokens.life":`Expiration`,"tokens.days":`{days} days`,"tokens.forever":`Does not expire`,"tokens.until":`until {date}`,"tokens.used":`last used {date}`,"tokens.unused":`never used`,"tokens.create":`Create`,"tokens.revoke":`Revoke`,"tokens.revokeSure":`Revoke “{label}”? Programs that use it lose access at once. This cannot be undone.`,"tokens.revokeWhich":`Revoke {label}`,"health.title":`Status`,"health.OK":`OK`,"health.DEGRADED":`Limited`,"health.DOWN":`Down`,"health.version":`Footnote {version}`,"health.database":`Database`,"health.work":`Documents and answers being processed`,"health.embedded":`Built-in models`,"project.purpose":`Description`,"side.knowledge":`Knowledge`,"side.settings":`Settings`,"side.members":`Members`,"side.account":`Account`,"session.pin":`Pin`,"session.unpin":`Unpin`,"session.archive":`Archive`,"session.unarchive":`Unarchive`,"age.pinned":`Pinned`,"side.archived":`Archived chats`,"side.noArchived":`No chats are archived.`,"side.back":`Back to all chats`,"newChat.waiting":`{ready} of {all} documents are ready`,"pdf.tools":`Page and size`,"pdf.previous":`Previous page`,"pdf.next":`Next page`,"pdf.page":`Page`,"pdf.smaller":`Smaller`,"pdf.larger":`Larger`,"original.views":`How to view the document`,"original.pages":`Pages`,"original.text":`Text`},pe=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),me=function(e){return`/static/page/`+e},he={},ge=function(e){return e.pathname.endsWith(`.css`)},_e=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},ve=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=me(t,n);let r=s(t),i=ge(r);return _e(he,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:pe,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},ye={en:`English`,de:`Deutsch`},be=`footnote:language`,xe={en:async()=>fe,de:async()=>(await ve(async()=>{let{default:e}=await import(`./de-BotsMfso.js`);return{default:e}},[])).default},Se={en:async()=>({}),de:async()=>(await ve(async()=>{let{default:e}=await import(`./de-HkDuy7m5.js`);return{default:e}},[])).default},I=new class{#e=S(`en`);get language(){return _(this.#e)}set language(e){j(this.#e,e,!0)}#t=S(fe);get catalog(){return _(this.#t)}set catalog(e){j(this.#t,e)}#n=S({});get serverCatalog(){return _(this.#n)}set serverCatalog(e){j(this.#n,e)}#r=N(()=>new Intl.PluralRules(this.language));get plural(){return _(this.#r)}set plural(e){j(this.#r,e)}#i=N(()=>new Intl.NumberFormat(this.language));get number(){return _(this.#i)}set number(e){j(this.#i,e)}#a=N(()=>new Intl.NumberFormat(this.language,{style:`percent`,maximumFractionDigits:0}));get percent(){return _(this.#a)}set percent(e){j(this.#a,e)}#o=N(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`,timeStyle:`short`}));get date(){return _(this.#o)}set date(e){j(this.#o,e)}#s=N(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`}));get day(){return _(this.#s)}set day(e){j(this.#s,e)}};function L(e,t){return z(I.catalog[e],t)}function Ce(e,t,n){let r=I.plural.select(t)===`one`?`one`:`other`;return z(I.catalog[`${e}_${r}`],{...n,count:I.number.format(t)})}function R(e,t,n){let r=I.serverCatalog[e];return r===void 0?t:z(r,n)}function z(e,t){return t?e.replace(/\{(\w+)\}/g,(e,n)=>String(t[n]??e)):e}async function we(e){localStorage.setItem(be,e),await Ee(e)}async function Te(){await Ee([localStorage.getItem(be),...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==null&&e in ye)??`en`)}async function Ee(e){[I.catalog,I.serverCatalog]=await Promise.all([xe[e](),Se[e]()]),I.language=e,document.documentElement.lang=e}var B=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new B(`
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
    retryable
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
}`,{fragmentName:`ProjectDetails`});var De=new B(`
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
}`),Oe=new B(`
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
}`),ke=new B(`
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
}`),Ae=new B(`
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
}`),je=new B(`
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
}`),Me=new B(`
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
}`),Ne=new B(`
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
}`),Pe=new B(`
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
}`),Fe=new B(`
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
    `),Ie=new B(`
    query Viewer {
  viewer {
    user {
      id
      email
      name
    }
  }
}
    `),Le=new B(`
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
}`),Re=new B(`
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
}`),ze=new B(`
    mutation SignOut {
  signOut
}
    `),Be=new B(`
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
}`),Ve=new B(`
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
}`),He=new B(`
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
}`),Ue=new B(`
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
}`),We=new B(`
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
}`),Ge=new B(`
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
}`),Ke=new B(`
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
}`),qe=new B(`
    query ExportChatSession($id: ID!, $format: ExportFormat!) {
  exportChatSession(id: $id, format: $format)
}
    `),Je=new B(`
    query AnswerWithSources($id: ID!) {
  message(id: $id) {
    id
    contentWithSources
  }
}
    `),Ye=new B(`
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
}`),Xe=new B(`
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
}`);var Ze=new B(`
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
}`),Qe=new B(`
    query PreviewPrompt($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    messages {
      role
      content
      tokens
    }
  }
}
    `),$e=new B(`
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
    `),et=new B(`
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
}`),tt=new B(`
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
    `),nt=new B(`
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
}`),rt=new B(`
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
}`),it=new B(`
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
}`),at=new B(`
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
}`),ot=new B(`
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
    retryable
  }
  updatedAt
  originalUrl
}`),st=new B(`
    query DocumentFormats {
  documentFormats {
    name
    mediaType
    extensions
    available
    unavailableReason
  }
}
    `),ct=new B(`
    query OriginalLink($id: ID!) {
  document(id: $id) {
    id
    signedUrl {
      href
      validUntil
    }
  }
}
    `),lt=new B(`
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
    `),ut=new B(`
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
    `),dt=new B(`
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
    retryable
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
}`),pt=new B(`
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
    retryable
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
}`),mt=new B(`
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
    retryable
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
}`),ht=new B(`
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
    retryable
  }
  updatedAt
  originalUrl
}`),gt=new B(`
    query EmbeddingModels {
  models {
    name
    kind
    available
  }
}
    `),_t=new B(`
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
}`),vt=new B(`
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
}`),yt=new B(`
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
}`),bt=new B(`
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
}`),xt=new B(`
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
}`),St=new B(`
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
}`),Ct=new B(`
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
}`),wt=new B(`
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
}`),Tt=new B(`
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
    `),Et=new B(`
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
}`),Dt=new B(`
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
}`),Ot=new B(`
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
}`),kt=new B(`
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
}`),At=new B(`
    query ChatModels {
  models {
    name
    kind
    available
    contextWindow
  }
}
    `),jt=new B(`
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
}`),Mt=new B(`
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
}`),Nt=new B(`
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
}`),Pt=new B(`
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
}`),Ft=new B(`
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
}`),It={possibleTypes:{AddTextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],AddTextDocumentsResult:[`AddTextDocumentsPayload`,`ForbiddenError`,`NotFoundError`,`UnavailableError`,`ValidationError`],AnswerEvent:[`AnswerCancelled`,`AnswerCompleted`,`AnswerDelta`,`AnswerFailed`,`AnswerReplaced`,`BudgetNegotiated`,`CitationAdded`,`NoticeGiven`,`QueryReformulated`,`ReasoningDelta`,`RetrievalCompleted`],CancelAnswerResult:[`CancelAnswerPayload`,`NotFoundError`,`ValidationError`],CancelEmbeddingSwitchResult:[`CancelEmbeddingSwitchPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`],ChangePasswordResult:[`ChangePasswordPayload`,`RateLimitedError`,`ValidationError`],CreateAccessTokenResult:[`CreateAccessTokenPayload`,`ValidationError`],CreateChatSessionResult:[`CreateChatSessionPayload`,`NotFoundError`,`ValidationError`],CreateProjectResult:[`ConflictError`,`CreateProjectPayload`,`ValidationError`],DeleteChatSessionResult:[`DeleteChatSessionPayload`,`NotFoundError`,`ValidationError`],DeleteDocumentResult:[`DeleteDocumentPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteProjectResult:[`DeleteProjectPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],Error:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],ForgetResult:[`ForgetPayload`,`NotFoundError`,`ValidationError`],IngestionEvent:[`IngestionCompleted`,`IngestionFailed`,`IngestionProgressed`],Node:[`AccessToken`,`ChatSession`,`Chunk`,`Document`,`EmbeddingSpace`,`Memory`,`Message`,`Project`,`User`],RateAnswerResult:[`NotFoundError`,`RateAnswerPayload`,`ValidationError`],RecordCitationOpenedResult:[`NotFoundError`,`RecordCitationOpenedPayload`,`ValidationError`],RedeemSetupTokenResult:[`RedeemSetupTokenPayload`,`ValidationError`],RegenerateAnswerResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`RegenerateAnswerPayload`,`UnavailableError`,`ValidationError`],RememberResult:[`NotFoundError`,`RememberPayload`,`ValidationError`],RemoveProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RemoveProjectMemberPayload`,`ValidationError`],RereadDocumentsResult:[`ForbiddenError`,`NotFoundError`,`RereadDocumentsPayload`,`UnavailableError`,`ValidationError`],RetryDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RetryDocumentPayload`,`UnavailableError`,`ValidationError`],RevokeAccessTokenResult:[`NotFoundError`,`RevokeAccessTokenPayload`,`ValidationError`],SelectBranchResult:[`NotFoundError`,`SelectBranchPayload`,`ValidationError`],SendMessageResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`SendMessagePayload`,`UnavailableError`,`ValidationError`],SetProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SetProjectMemberPayload`,`ValidationError`],SignInResult:[`RateLimitedError`,`SignInPayload`,`ValidationError`],SwitchEmbeddingModelResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SwitchEmbeddingModelPayload`,`UnavailableError`,`ValidationError`],TextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],UpdateChatSessionResult:[`NotFoundError`,`UpdateChatSessionPayload`,`ValidationError`],UpdateDocumentResult:[`ForbiddenError`,`NotFoundError`,`UnavailableError`,`UpdateDocumentPayload`,`ValidationError`],UpdateProjectResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`UpdateProjectPayload`,`ValidationError`],UpdateViewerResult:[`UpdateViewerPayload`,`ValidationError`],UploadDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`UploadDocumentPayload`,`ValidationError`],WithdrawRatingResult:[`NotFoundError`,`ValidationError`,`WithdrawRatingPayload`]}};function Lt(){return y({globalIDs:!0,possibleTypes:It.possibleTypes,logger:()=>void 0,updates:{Mutation:{createProject:(e,t,n)=>Rt(n,`Query`,`projects`),deleteProject:(e,t,n)=>Rt(n,`Query`,`projects`)}}})}function Rt(e,t,n){for(let{fieldName:r,fieldKey:i}of e.inspectFields(t))r===n&&e.invalidate(t,i)}var V=864e5;function zt(e,t){let n=t.filter(Boolean);return[e===null?``:L(`source.page`,{page:e}),...n].filter(Boolean).join(` › `)}function Bt(e){let t=[`byte`,`kilobyte`,`megabyte`,`gigabyte`],n=Math.min(Math.floor(Math.log10(Math.max(e,1))/3),t.length-1);return new Intl.NumberFormat(I.language,{style:`unit`,unit:t[n],unitDisplay:n?`short`:`long`,maximumFractionDigits:+!!n}).format(e/1e3**n)}function Vt(e){return new Intl.NumberFormat(I.language,{style:`unit`,unit:`second`,unitDisplay:`short`,maximumFractionDigits:1}).format(e/1e3)}function Ht(e){let[t,n]=e<9e4?[`second`,1e3]:e<54e5?[`minute`,6e4]:[`hour`,36e5];return new Intl.NumberFormat(I.language,{style:`unit`,unit:t,unitDisplay:`long`,maximumFractionDigits:0}).format(Math.ceil(e/n))}function Ut(e,t=new Date){let n=new Date(t.getFullYear(),t.getMonth(),t.getDate()).getTime(),r=new Date(e).getTime();return r>=n?`today`:r>=n-V?`yesterday`:r>=n-7*V?`week`:r>=n-30*V?`month`:`older`}var Wt=new Set([502,503,504]),Gt=new Set([`RATE_LIMITED`,`UNAVAILABLE`]),Kt=5e3,qt=/Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/,Jt=new Set([`ValidationError`,`ForbiddenError`,`NotFoundError`,`TooLarge`,`FileChanged`]),H=class extends Error{kind;issues;retryAfterMs;name=`Problem`;constructor(e,t=`other`,n=[],r=null){super(e),this.kind=t,this.issues=n,this.retryAfterMs=r}get isPermanent(){return Jt.has(this.kind)}get isTemporary(){return this.kind===`unreachable`||this.kind===`unauthenticated`||this.retryAfterMs!==null}issueOf(e){return this.issues.find(({path:t})=>t.includes(e))?.message??null}};function Yt(e){let t=`retryAfterMs`in e?e.retryAfterMs:null;return new H(R(`error.${e.__typename}`,e.message,{wait:Ht(t??0)}),e.__typename,`issues`in e?e.issues:[],t)}function U({message:e,extensions:t},n){return n===401||t?.code===`UNAUTHENTICATED`?new H(R(`error.UNAUTHENTICATED`,e),`unauthenticated`):new H(e,`other`,[],Zt(t))}function Xt(e){let[t]=e.graphQLErrors,n=e.response?.status;return t?U(t,n):n===401?new H(e.message,`unauthenticated`):n===void 0||G(n)?W():new H(e.networkError?.message??e.message)}function W(){return new H(L(`unreachable.text`),`unreachable`)}function G(e){return Wt.has(e)}function K(e){return e instanceof H?e:e instanceof Error&&qt.test(e.message)?W():new H(e instanceof Error?e.message:String(e))}function Zt(e){return Gt.has(e?.code)?Kt:null}var q=`footnote:token`;function Qt(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);return t===null&&n===null?null:(history.replaceState(history.state,``,location.pathname+location.search),{token:t,setup:n})}function $t(){return localStorage.getItem(q)}function en(e){e?localStorage.setItem(q,e):localStorage.removeItem(q)}function tn(){let e=$t();return e&&`Bearer ${e}`}var J=`/graphql`,Y=rn(),nn=new Set;function rn(){return new ae({url:J,preferGetMethod:!1,exchanges:[Lt(),ce],fetchOptions:()=>({headers:an()})})}function an(){let e=tn();return{"GraphQL-Require-Preflight":`1`,...e?{Authorization:e}:{}}}async function on(){try{let e=JSON.stringify({query:`{ __typename }`}),{status:t}=await fetch(J,{method:`POST`,headers:{...an(),"Content-Type":`application/json`},body:e});return!G(t)}catch{return!1}}function sn(){Y=rn()}function cn(e){return nn.add(e),()=>nn.delete(e)}function ln(e){for(let t of nn)t(e)}async function un(e,t,n=`cache-first`){let r=Y;return mn(r,await r.query(e.toString(),t,{requestPolicy:n}).toPromise())}function dn(e,t,n,r=`cache-and-network`){let i=Y,a=i.query(e.toString(),t,{requestPolicy:r}),{unsubscribe:o}=ee(a,ie(e=>{let t=e.error?hn(i,e):null;n(e.data??null,t,e.stale)}));return o}async function fn(e,t){let n=Y,r=mn(n,await n.mutation(e.toString(),t).toPromise()),[i]=Object.entries(r).flatMap(([e,t])=>e===`__typename`?[]:[t]);if(pn(i))throw Yt(i);return i}function pn(e){return typeof e==`object`&&!!e&&String(e.__typename).endsWith(`Error`)}function mn(e,t){if(t.error)throw hn(e,t);if(t.data===void 0||t.data===null)throw new H(`The server sent an empty result.`);return t.data}function hn(e,t){let n=Xt(t.error);return n.kind===`unauthenticated`&&e===Y&&ln(n),n}var gn=300,_n=1e4,vn=new Set([4400,4401,4403]),X=yn();function yn(){return ne({url:new URL(J,location.href.replace(/^http/,`ws`)).href,connectionParams:()=>{let e=tn();return e?{authorization:e}:{}},retryAttempts:0,lazyCloseTimeout:5e3})}function bn(){X.dispose(),X=yn()}function xn(e,t,n){let r=new AbortController;return Sn(e,t,n,r.signal),()=>r.abort()}async function Sn(e,t,n,r){let i=gn;for(;!r.aborted;){let a=X,o=await Cn(e,t(),r,e=>{i=gn,n.connected?.(!0),n.next(e)});if(r.aborted)return;if(o===`done`)return n.done();if(o instanceof H&&o.retryAfterMs===null)return o.kind===`unauthenticated`&&a===X&&ln(o),n.failed(o);o instanceof H&&(i=Math.max(i,o.retryAfterMs)),n.connected?.(!1),await Tn(i,r),i=Math.min(i*2,_n)}}function Cn(e,t,n,r){return new Promise(i=>{let a=X.subscribe({query:e.toString(),variables:t},{next:({data:e,errors:t})=>{let[n]=t??[];n?i(U(n)):e&&r(e)},error:e=>i(wn(e)),complete:()=>i(`done`)});n.addEventListener(`abort`,()=>{a(),i(`done`)})})}function wn(e){return Array.isArray(e)?U(e[0]):e instanceof CloseEvent?vn.has(e.code)?new H(e.reason,`unauthenticated`):`broken`:e instanceof Event||e instanceof Error?`broken`:K(e)}function Tn(e,t){return new Promise(n=>{let r=new AbortController,i=()=>{r.abort(),clearTimeout(a),n()},a=setTimeout(i,e);addEventListener(`online`,i,{signal:r.signal}),document.addEventListener(`visibilitychange`,()=>document.hidden||i(),{signal:r.signal}),t.addEventListener(`abort`,i,{signal:r.signal})})}var En=class{#e=S(null);get data(){return _(this.#e)}set data(e){j(this.#e,e)}#t=S(null);get problem(){return _(this.#t)}set problem(e){j(this.#t,e)}#n=S(!0);get loading(){return _(this.#n)}set loading(e){j(this.#n,e,!0)}#r=S(0);constructor(t,n,r=`cache-and-network`){e(()=>{let e=n(),i=_(this.#r)>0;if(this.loading=e!==null,e===null)this.data=null,this.problem=null;else return dn(t,e,(e,t,n)=>this.#i(e,t,n),i?`network-only`:r)})}#i(e,t,n){(e!==null||t===null)&&(this.data=e),this.problem=t,this.loading=n}reload(){v(()=>j(this.#r,_(this.#r)+1))}},Dn=h(`<span><!></span>`);function On(e,t){let n=M(t,`tone`,3,`neutral`);var i=Dn(),a=O(i);E(a,()=>t.children),x(i),f(()=>{r(i,1,d([`badge`,n()]),`svelte-dtbgkf`),P(i,`title`,t.title)}),F(e,i)}var kn=new Set([`$$slots`,`$$events`,`$$legacy`,`look`,`icon`,`small`,`label`,`busy`,`disabled`,`href`,`type`,`children`,`element`,`onclick`]),An=h(`<a><!></a>`),jn=h(`<button><!></button>`);function Z(e,t){C(t,!0);let r=M(t,`look`,3,`secondary`),i=M(t,`icon`,3,!1),o=M(t,`small`,3,!1),s=M(t,`busy`,3,!1),c=M(t,`disabled`,3,!1),l=M(t,`type`,3,`button`),u=M(t,`element`,15),d=te(t,kn);function f(e){s()?e.preventDefault():t.onclick?.(e)}var p=n(),m=A(p),h=e=>{var n=An();ue(n,()=>({class:[`button`,r(),{icon:i(),small:o()}],href:t.href,"aria-label":t.label,title:t.label,onclick:t.onclick,...d}),void 0,void 0,void 0,`svelte-18sv61c`);var a=O(n);E(a,()=>t.children),x(n),k(n,e=>u(e),()=>u()),F(e,n)},g=e=>{var n=jn();ue(n,()=>({class:[`button`,r(),{icon:i(),small:o()}],type:l(),"aria-label":t.label,title:t.label,"aria-busy":s()||void 0,"aria-disabled":s()||void 0,disabled:c(),onclick:f,...d}),void 0,void 0,void 0,`svelte-18sv61c`);var a=O(n);E(a,()=>t.children),x(n),k(n,e=>u(e),()=>u()),F(e,n)};a(m,e=>{t.href===void 0?e(g,-1):e(h)}),F(e,p),w()}var Mn=h(`<footer class="svelte-jby388"><!></footer>`),Nn=h(`<div class="sheet svelte-jby388"><header class="svelte-jby388"><h2 dir="auto" class="svelte-jby388"> </h2> <!></header> <div class="content svelte-jby388"><!></div> <!></div>`),Pn=h(`<dialog><!></dialog>`);function Fn(t,n){let i=m();C(n,!0);let o=M(n,`place`,3,`center`),s=M(n,`wide`,3,!1),l=S(void 0),u=!1;e(()=>{n.open&&_(l)&&!_(l).open?_(l).showModal():!n.open&&_(l)?.open&&_(l).close()});function h(e){e.target===_(l)&&u&&n.onclose()}var g=Pn(),v=O(g),y=e=>{var t=Nn(),r=O(t),o=O(r),s=T(o,!0),c=b(o,2);{let e=N(()=>L(`close`));Z(c,{look:`ghost`,icon:!0,small:!0,get label(){return _(e)},get onclick(){return n.onclose},children:(e,t)=>{D(e,{})},$$slots:{default:!0}})}x(r);var l=b(r,2),u=O(l);E(u,()=>n.children),x(l);var d=b(l,2),m=e=>{var t=Mn(),r=O(t);E(r,()=>n.footer),x(t),F(e,t)};a(d,e=>{n.footer&&e(m)}),x(t),f(()=>{P(o,`id`,i),p(s,n.title),o.dir=o.dir}),F(e,t)};a(v,e=>{n.open&&e(y)}),x(g),k(g,e=>j(l,e),()=>_(l)),f(()=>{r(g,1,d([o(),{wide:s()}]),`svelte-jby388`),P(g,`aria-labelledby`,i)}),se(`cancel`,g,e=>{e.preventDefault(),n.onclose()}),c(`pointerdown`,g,e=>u=e.target===_(l)),c(`click`,g,h),F(t,g),w()}o([`pointerdown`,`click`]);var In=h(`<span class="icon svelte-1m5lo4h"><!></span>`),Ln=h(`<p dir="auto" class="svelte-1m5lo4h"> </p>`),Rn=h(`<div class="actions svelte-1m5lo4h"><!></div>`),zn=h(`<div><!> <!> <!> <!></div>`);function Q(e,n){let i=M(n,`whole`,3,!1);var o=zn(),s=O(o),c=e=>{var r=In(),i=O(r);t(i,()=>n.icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),x(r),F(e,r)};a(s,e=>{n.icon&&e(c)});var l=b(s,2);re(l,()=>i()?`h1`:`h2`,!1,(e,t)=>{r(e,0,`title svelte-1m5lo4h`);var i=g();f(()=>p(i,n.title)),F(t,i)});var u=b(l,2),m=e=>{var t=Ln(),r=T(t,!0);f(()=>{p(r,n.text),t.dir=t.dir}),F(e,t)};a(u,e=>{n.text&&e(m)});var h=b(u,2),_=e=>{var t=Rn(),r=O(t);E(r,()=>n.children),x(t),F(e,t)};a(h,e=>{n.children&&e(_)}),x(o),f(()=>r(o,1,d([`empty`,{whole:i()}]),`svelte-1m5lo4h`)),F(e,o)}var Bn=h(`<p class="problem svelte-175sa6o" role="alert"> </p>`),Vn=h(`<p class="help svelte-175sa6o"> </p>`),Hn=h(`<div class="field svelte-175sa6o"><label class="svelte-175sa6o"> </label> <!> <!> <!></div>`);function Un(e,t){let n=m();C(t,!0);let r=M(t,`problem`,3,null),i=N(()=>[t.help&&`${n}-help`,r()&&`${n}-problem`].filter(Boolean).join(` `)||void 0);var o=Hn(),s=O(o),c=T(s,!0),l=b(s,2);E(l,()=>t.children,()=>({id:n,"aria-describedby":_(i),"aria-invalid":r()?!0:void 0}));var u=b(l,2),d=e=>{var t=Bn(),i=T(t,!0);f(()=>{P(t,`id`,`${n}-problem`),p(i,r())}),F(e,t)};a(u,e=>{r()&&e(d)});var h=b(u,2),g=e=>{var r=Vn(),i=T(r,!0);f(()=>{P(r,`id`,`${n}-help`),p(i,t.help)}),F(e,r)};a(h,e=>{t.help&&e(g)}),x(o),f(()=>{P(s,`for`,n),p(c,t.label)}),F(e,o),w()}var Wn=s(`<svg viewBox="0 0 32 32" aria-hidden="true" class="svelte-1mi20zr"><rect width="32" height="32" rx="7" class="svelte-1mi20zr"></rect><path d="M7 10h11M7 16h18M7 22h14" class="svelte-1mi20zr"></path><circle cx="25" cy="9" r="3" class="svelte-1mi20zr"></circle></svg>`);function Gn(e,t){var n=Wn();let r;f(()=>r=i(n,``,r,{width:t.size,height:t.size})),F(e,n)}var Kn=h(`<button type="button" tabindex="-1"><!> <span dir="auto" class="svelte-15gydnd"> </span> <!></button>`),qn=h(`<!> <div class="menu svelte-15gydnd" role="menu" tabindex="-1" popover="auto"></div>`,1);function Jn(e,i){let o=m();C(i,!0);let s=M(i,`align`,3,`end`),d=S(void 0),h=S(!1),g={text:``,at:-1/0};function v(){let e=document.getElementById(`${o}-trigger`);if(!_(d)||!e)return;let t=e.getBoundingClientRect(),{width:n,height:r}=_(d).getBoundingClientRect(),i=t.bottom+r+8<innerHeight||t.top<r,a=s()===`end`==(getComputedStyle(_(d)).direction===`ltr`)?t.right-n:t.left;_(d).style.setProperty(`left`,`${Math.max(8,Math.min(a,innerWidth-n-8))}px`),_(d).style.setProperty(`top`,`${i?t.bottom+4:t.top-r-4}px`),_(d).style.setProperty(`visibility`,`visible`),g.text=``;let c=y();(c.find(e=>e.ariaChecked===`true`)??c[0])?.focus()}function y(){return[..._(d)?.querySelectorAll(`[role^=menuitem]:not(:disabled)`)??[]]}function ee(e){let t=performance.now();g={text:(t-g.at<700?g.text:``)+e.toLowerCase(),at:t};let n=y(),r=n.indexOf(document.activeElement),i=g.text.length>1?r:r+1;[...n.slice(i),...n.slice(0,i)].find(e=>e.textContent.trim().toLowerCase().startsWith(g.text))?.focus()}function te(e){let t=y(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:-1}[e.key];e.key===`Tab`&&_(d)?.hidePopover();let i=g.text!==``&&performance.now()-g.at<700;e.key.length!==1||e.key===` `&&!i||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),ee(e.key)),r!==void 0&&(e.preventDefault(),t.at(r%t.length)?.focus())}function ne(e){_(d)?.hidePopover(),document.getElementById(`${o}-trigger`)?.focus(),e.onselect()}var re=qn(),ie=A(re);E(ie,()=>i.trigger,()=>({id:`${o}-trigger`,popovertarget:o,"aria-haspopup":`menu`,"aria-expanded":_(h)}));var D=b(ie,2);l(D,21,()=>i.items,u,(e,i)=>{var o=Kn();let s;var l=O(o),u=e=>{var r=n(),a=A(r);t(a,()=>_(i).icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),F(e,r)};a(l,e=>{_(i).icon&&e(u)});var d=b(l,2),m=T(d,!0),h=b(d,2),g=e=>{le(e,{"aria-hidden":`true`,class:`check`})};a(h,e=>{_(i).checked&&e(g)}),x(o),f(()=>{P(o,`role`,_(i).checked===void 0?`menuitem`:`menuitemradio`),P(o,`aria-checked`,_(i).checked),o.disabled=_(i).disabled,s=r(o,1,`svelte-15gydnd`,null,s,{danger:_(i).danger}),p(m,_(i).label),d.dir=d.dir}),c(`click`,o,()=>ne(_(i))),F(e,o)}),x(D),k(D,e=>j(d,e),()=>_(d)),f(()=>{P(D,`id`,o),P(D,`aria-labelledby`,`${o}-trigger`)}),se(`toggle`,D,e=>{j(h,e.newState===`open`),_(h)?v():_(d)?.style.removeProperty(`visibility`)}),c(`keydown`,D,te),F(e,re),w()}o([`keydown`,`click`]);function Yn(e,t){C(t,!0);{let t=N(()=>L(`missing.title`)),n=N(()=>L(`missing.text`));Q(e,{whole:!0,get title(){return _(t)},get text(){return _(n)},children:(e,t)=>{Z(e,{href:`/`,children:(e,t)=>{de();var n=g();f(e=>p(n,e),[()=>L(`missing.home`)]),F(e,n)},$$slots:{default:!0}})},$$slots:{default:!0}})}w()}var Xn=6e3,Zn=3e3,Qn=0,$=new class{#e=S(oe([]));get list(){return _(this.#e)}set list(e){j(this.#e,e,!0)}#t;get saysUnreachable(){return this.list.some(({unreachable:e})=>e)}show(e,t=`info`,n=!1){let r=++Qn;this.list.push({id:r,kind:t,text:e,unreachable:n}),t===`info`&&setTimeout(()=>this.dismiss(r),Xn)}fail=e=>{let{message:t,kind:n}=K(e),r=n===`unreachable`;this.list.some(({text:e})=>e===t)||this.show(t,`error`,r),r&&this.#n()};dismiss(e){this.list=this.list.filter(t=>t.id!==e)}#n(){this.#t??=setTimeout(()=>void this.#r(),Zn)}async#r(){let e=!document.hidden&&await on();this.#t=void 0,e?this.list=this.list.filter(({unreachable:e})=>!e):this.saysUnreachable&&this.#n()}};function $n(t,n){C(n,!0),e(()=>{$.fail(n.error),n.ontold()}),w()}function er(t,n){C(n,!0);let r=`Footnote`;e(()=>(document.title=n.name?`${n.name} · ${r}`:r,()=>document.title=r)),w()}function tr(t,n){C(n,!0);let r=M(n,`whole`,3,!1),i=N(()=>n.problem.kind===`unreachable`);e(()=>{if(!_(i))return;let e=setInterval(()=>document.hidden||n.onretry(),3e3);return()=>clearInterval(e)});{let e=N(()=>L(_(i)?`unreachable.title`:`problem.title`)),a=N(()=>_(i)?L(`unreachable.again`):n.problem.message);Q(t,{get whole(){return r()},get title(){return _(e)},get text(){return _(a)},children:(e,t)=>{{let t=N(()=>_(i)?`primary`:`secondary`);Z(e,{get look(){return _(t)},get onclick(){return n.onretry},children:(e,t)=>{de();var n=g();f(e=>p(n,e),[()=>L(`retry`)]),F(e,n)},$$slots:{default:!0}})}},$$slots:{default:!0}})}w()}var nr=h(`<span class="spinner svelte-f4erjd" role="status"><span class="visually-hidden"> </span></span>`);function rr(e,t){C(t,!0);let n=M(t,`label`,19,()=>L(`loading`));var r=nr(),i=O(r),a=T(i,!0);x(r),f(()=>p(a,n())),F(e,r),w()}var ir=h(`<span class="count svelte-126ak3w"> </span>`),ar=h(`<button type="button" role="tab" class="svelte-126ak3w"> <!></button>`),or=h(`<div class="tabs svelte-126ak3w" role="tablist" tabindex="-1"></div> <div class="panel svelte-126ak3w" role="tabpanel"><!></div>`,1);function sr(e,t){let n=m();C(t,!0);function r(e){let r=t.tabs.findIndex(({name:e})=>e===t.selected),i=getComputedStyle(e.currentTarget).direction===`rtl`?-1:1,a={ArrowRight:r+i,ArrowLeft:r-i,Home:0,End:-1}[e.key],o=a===void 0?void 0:t.tabs.at(a%t.tabs.length);o&&(e.preventDefault(),t.onselect(o.name),document.getElementById(`${n}-${o.name}`)?.focus())}var i=or(),o=A(i);l(o,21,()=>t.tabs,e=>e.name,(e,r)=>{var i=ar(),o=O(i,!0),s=b(o),l=e=>{var t=ir(),n=T(t,!0);f(()=>p(n,_(r).count)),F(e,t)};a(s,e=>{_(r).count!==void 0&&e(l)}),x(i),f(()=>{P(i,`id`,`${n}-${_(r).name??``}`),P(i,`aria-selected`,_(r).name===t.selected),P(i,`aria-controls`,`${n}-panel`),P(i,`tabindex`,_(r).name===t.selected?0:-1),p(o,_(r).label)}),c(`click`,i,()=>t.onselect(_(r).name)),F(e,i)}),x(o);var s=b(o,2),u=O(s);E(u,()=>t.children,()=>t.selected),x(s),f(()=>{P(o,`aria-label`,t.label),P(s,`id`,`${n}-panel`),P(s,`aria-labelledby`,`${n}-${t.selected??``}`)}),c(`keydown`,o,r),F(e,i),w()}o([`keydown`,`click`]);var cr=h(`<div><p dir="auto" class="svelte-r9p0hk"> </p> <!></div>`),lr=h(`<div class="toasts screen-only svelte-r9p0hk" role="region"></div>`);function ur(e,t){C(t,!0);var n=lr();l(n,21,()=>$.list,e=>e.id,(e,t)=>{var n=cr(),i=O(n),a=T(i,!0),o=b(i,2);{let e=N(()=>L(`dismiss`));Z(o,{look:`ghost`,icon:!0,small:!0,get label(){return _(e)},onclick:()=>$.dismiss(_(t).id),children:(e,t)=>{D(e,{})},$$slots:{default:!0}})}x(n),f(()=>{r(n,1,d([`toast`,_(t).kind]),`svelte-r9p0hk`),P(n,`role`,_(t).kind===`error`?`alert`:`status`),p(a,_(t).text),i.dir=i.dir}),F(e,n)}),x(n),f(e=>P(n,`aria-label`,e),[()=>L(`notifications`)]),F(e,n),w()}o([`focusin`,`focusout`,`keydown`]);var dr=h(`<p class="svelte-1cjg1wn"> </p>`),fr=h(`<header class="svelte-1cjg1wn"><h1 dir="auto" class="svelte-1cjg1wn"> </h1> <!></header>`),pr=h(`<!> <section><!> <!></section>`,1);function mr(e,t){C(t,!0);let i=M(t,`wide`,3,!1);var o=pr(),s=A(o);er(s,{get name(){return t.title}});var c=b(s,2);let l;var u=O(c),d=e=>{var n=fr(),r=O(n),i=T(r,!0),o=b(r,2),s=e=>{var n=dr(),r=T(n,!0);f(()=>p(r,t.summary)),F(e,n)};a(o,e=>{t.summary&&e(s)}),x(n),f(()=>{p(i,t.title),r.dir=r.dir}),F(e,n)};a(u,e=>{t.title!==null&&e(d)});var m=b(u,2),h=e=>{var r=n(),i=A(r);E(i,()=>t.children,()=>t.value),F(e,r)},g=e=>{tr(e,{get problem(){return t.found.problem},onretry:()=>t.found.reload()})},_=e=>{rr(e,{})},v=e=>{Yn(e,{})};a(m,e=>{t.value===null?t.found.problem?e(g,1):t.found.loading?e(_,2):e(v,-1):e(h)}),x(c),f(()=>l=r(c,1,`svelte-1cjg1wn`,null,l,{wide:i()})),F(e,o),w()}var hr=h(`<div class="svelte-162rnmr"><!></div>`);function gr(e){var t=hr();rr(O(t),{}),x(t),F(e,t)}export{je as $,ye as $t,tn as A,ke as At,Ut as B,Oe as Bt,on as C,bt as Ct,ln as D,Re as Dt,un as E,nt as Et,K as F,ut as Ft,Xe as G,_t as Gt,zt as H,ze as Ht,U as I,Tt as It,vt as J,jt as Jt,Je as K,Ae as Kt,Yt as L,Ke as Lt,Qt as M,Pe as Mt,en as N,pt as Nt,sn as O,Ge as Ot,H as P,Me as Pt,tt as Q,it as Qt,G as R,Ue as Rt,an as S,St,cn as T,rt as Tt,Vt as U,yt as Ut,Bt as V,Le as Vt,Ye as W,Fe as Wt,At as X,dt as Xt,Ne as Y,Nt as Yt,Be as Z,Ie as Zt,On as _,ht as _t,rr as a,R as an,lt as at,bn as b,Ct as bt,$n as c,gt as ct,Jn as d,Ft as dt,we as en,He as et,Gn as f,Ve as ft,Z as g,ot as gt,Fn as h,Qe as ht,sr as i,Ce as in,Mt as it,$t as j,mt as jt,q as k,Pt as kt,$ as l,qe as lt,Q as m,Ze as mt,mr as n,L as nn,Dt as nt,tr as o,ve as on,st as ot,Un as p,ct as pt,We as q,Et as qt,ur as r,I as rn,ft as rt,er as s,$e as st,gr as t,Te as tn,xt as tt,Yn as u,wt as ut,En as v,at as vt,fn as w,et as wt,J as x,Ot as xt,xn as y,De as yt,W as z,kt as zt};