import{$ as e,A as t,B as n,D as r,E as i,G as a,H as o,I as s,J as c,K as l,M as u,N as d,O as f,P as p,Q as m,U as h,V as g,W as _,X as v,_t as y,a as b,at as x,bt as S,c as ee,ct as C,d as w,dt as T,et as E,gt as D,i as O,it as k,j as te,l as ne,lt as A,n as re,o as ie,ot as j,p as M,q as N,rt as P,s as ae,st as oe,t as se,u as F,x as I,xt as L,y as ce,z as R}from"./packages-index-CH5fKEOG.js";var le={close:`Close`,unsaved:`What you have written is not saved. Discard it?`,dismiss:`Dismiss`,loading:`Loading`,retry:`Try again`,skip:`Skip to the content`,notifications:`Notifications`,"unreachable.title":`The server cannot be reached`,"unreachable.text":`The server cannot be reached. Check the connection, and try again.`,"unreachable.again":`This page tries again every few seconds.`,"problem.title":`Something went wrong`,"missing.title":`There is nothing here`,"missing.text":`It was deleted, or you have no access to it.`,"missing.home":`Go to the start page`,"side.label":`Projects and chats`,"side.open":`Open the sidebar`,"side.appearance":`Appearance and language`,"theme.system":`Same as the system`,"theme.light":`Light`,"theme.dark":`Dark`,"signIn.title":`Sign in to Footnote`,"signIn.ended":`Your sign-in has ended. Sign in again to go on where you were.`,"signIn.email":`Email address`,"signIn.password":`Password`,"signIn.token":`Access token`,"signIn.tokenHelp":`A token that you created here, or that the operator gave you.`,"signIn.enter":`Sign in`,"signIn.useToken":`Use an access token`,"signIn.usePassword":`Use a password`,"signIn.notToken":`That is not a token. Copy all of it, and nothing else.`,"composer.label":`Your question`,"composer.placeholder":`Ask your documents`,"composer.placeholderAlone":`Ask the model`,"composer.send":`Send`,"composer.keys":`Enter sends, Shift + Enter starts a new line`,"composer.stop":`Stop the answer`,"message.question":`Your question`,"message.answer":`Answer`,cancel:`Cancel`,save:`Save`,delete:`Delete`,copy:`Copy`,copied:`Copied`,copyFailed:`The browser did not let the page copy. Select the text and copy it yourself.`,tokens_one:`{count} token`,tokens_other:`{count} tokens`,"side.newChat":`New chat`,"side.search":`Search`,"side.searchKeys":`Ctrl K`,"side.status":`Server status`,"side.playground":`Playground for developers`,"side.handbook":`Handbook`,"handbook.title":`Handbook`,"handbook.about":`How to use and operate Footnote. These pages are on this server.`,"handbook.previous":`Before`,"handbook.next":`Next`,"handbook.start":`To the start page`,"side.signOut":`Sign out`,"side.noChats":`Chats you start appear here.`,"side.more":`Show older chats`,"age.today":`Today`,"age.yesterday":`Yesterday`,"age.week":`Last 7 days`,"age.month":`Last 30 days`,"age.older":`Older`,"project.choose":`Project: {name}`,"project.new":`New project`,"project.name":`Name`,"project.description":`What it is about (optional)`,"project.local":`Use only models on this machine`,"project.localHelp":`Documents and questions never leave it then.`,"project.create":`Create project`,"session.rename":`Rename`,"session.share":`Share with the project`,"session.unshare":`Stop sharing`,"session.shared":`Shared`,"session.theirs":`{who} shares this chat. You can read it but not write in it.`,"session.delete":`Delete`,"session.deleteTitle":`Delete this chat?`,"session.deleteText":`“{title}” and all its answers will be gone.`,"session.title":`Title`,"session.titleHelp":`Without a title, the beginning of the first question is shown.`,"session.menu":`More options for this chat`,"session.menuOf":`More options for {title}`,"rag.on":`Documents on`,"rag.onHelp":`Answers come from the documents of {project}.`,"rag.off":`Documents off`,"rag.offHelp":`The model answers alone; no documents are searched.`,"message.writing":`The answer is being written.`,"message.finished_one":`The answer is complete, with one source.`,"message.finished_other":`The answer is complete, with {count} sources.`,"message.reasoning":`How the model reached this answer`,"message.cancelled":`This answer was stopped.`,"message.interrupted":`The server stopped while it was writing.`,"message.empty":`The model returned an empty answer.`,"message.copy":`Copy the text`,"regenerate.earlier":`The earlier answer is shown again.`,"message.regenerate":`Answer again`,"message.helpful":`Helpful`,"message.notHelpful":`Not helpful`,"message.evidence":`Everything that was found`,"message.confidence":`{percent} confident`,"message.confidenceHelp":`How likely the answer is to be right, judging by its sources.`,"messages.label":`Messages`,"messages.toEnd":`Go to the newest message`,"message.edit":`Edit and ask again`,"message.menu":`More options for this answer`,"message.copyWithSources":`Copy with its sources`,"edit.label":`The edited question`,"edit.help":`The messages that followed are kept as another version.`,"versions.label":`Versions`,"versions.previous":`Previous version`,"versions.next":`Next version`,"versions.number":`{number} / {all}`,"versions.which":`Version {number} of {all}`,"branch.shown":`The message is in another version of this chat, which is now shown.`,"message.replay":`Ask again with the same settings`,"compare.open":`Ask again with one change`,"compare.title":`Ask again with one change`,"compare.knob":`What to change`,"compare.knobHelp":`Everything else stays as the chat is set.`,"compare.on":`on`,"compare.off":`off`,"compare.changes":`What would be sent differently`,"compare.tokens":`{before} → {after} tokens in the prompt`,"compare.kept_one":`{count} passage stays`,"compare.kept_other":`{count} passages stay`,"compare.come":`Added`,"compare.gone":`Removed`,"compare.ask":`Ask`,"compare.shown":`Shown in the chat`,"compare.usage":`Prompt {input}, answer {output}, {time}`,"compare.keep":`Keep this one`,"compare.help":`The second answer is kept as another version, whichever one you choose.`,"export.markdown":`Save as Markdown`,"export.json":`Save as JSON`,"export.untitled":`Chat`,"outcome.NO_SOURCES":`Nothing found`,"outcome.NO_SOURCESHelp":`No document has anything relevant.`,"outcome.REJECTED":`Withdrawn`,"outcome.REJECTEDHelp":`The sources do not support what the model wrote.`,"outcome.INSUFFICIENT":`Not in the documents`,"outcome.INSUFFICIENTHelp":`The model says that the sources do not contain the answer.`,"rating.title":`What was not helpful?`,"rating.comment":`Anything else (optional)`,"rating.send":`Send`,"reason.INCORRECT":`It is wrong`,"reason.INCOMPLETE":`Something is missing`,"reason.IRRELEVANT":`It answers another question`,"reason.UNSUPPORTED":`The sources do not say that`,"reason.OUTDATED":`The sources are out of date`,"reason.UNCLEAR":`It is hard to understand`,"reason.REFUSED":`The documents do hold the answer`,"reason.OTHER":`Something else`,"stage.searching":`Searching the documents`,"stage.reading_one":`Reading one passage`,"stage.reading_other":`Reading {count} passages`,"stage.reconnecting":`The connection is lost. It continues where it stopped as soon as the server can be reached.`,"marker.name":`Source {index}: {title}`,"sources.title":`Sources`,"source.page":`page {page}`,"source.changed":`Changed`,"source.changedHelp":`The document has changed since this answer. The quote is what it said then.`,"source.deleted":`Deleted`,"source.deletedHelp":`The document was deleted. The quote is kept.`,"source.notFound":`These words are no longer in the passage.`,"source.placedByServer":`Source matched by Footnote`,"source.placedByModel":`Source named by the model`,"source.placedByServerHelp":`The model named no source for this sentence. Footnote found the passage that says the same.`,"source.placedByModelHelp":`The model named this source for the sentence, and Footnote found these words in it.`,"source.uses":`Where the answer cites it`,"source.use":`Quote {number}`,"source.open":`Read in the document`,"source.visit":`Visit`,"source.gone":`This passage no longer exists.`,"source.passage":`The cited passage`,"source.readOn":`Read on`,"source.readBefore":`Read what comes before`,"support.strong":`Strong support`,"support.fair":`Fair support`,"support.weak":`Weak support`,"support.help":`How well the quote supports the sentence that cites it.`,"evidence.label":`Where this answer comes from`,"evidence.close":`Close the panel`,"evidence.sources":`Sources`,"evidence.all":`All sources`,"found.cited":`Cited`,"found.nothingCited":`The answer cites nothing.`,"found.read":`Read, but not cited`,"found.left":`Found, but not given to the model`,"found.score":`Relevance {score}`,"decision.INCLUDED":`In the prompt`,"decision.SHORTENED":`Only its beginning is in the prompt`,"decision.BELOW_THRESHOLD":`Below the threshold`,"decision.OVER_BUDGET":`Did not fit`,"decision.DUPLICATE":`Says the same as another`,"decision.BEYOND_TOP_K":`Enough better ones were found`,"window.title":`Context window`,"window.label":`Context window: {used} of {all} tokens used`,"window.free":`Free`,"window.all":`Whole window`,"window.none":`The model was not called for this answer.`,"window.reduced":`{requested} were requested`,"window.reported":`Counted: {counted}. Reported by the provider: {reported}.`,"window.passages_one":`{count} passage`,"window.passages_other":`{count} passages`,"window.turns_one":`{count} message`,"window.turns_other":`{count} messages`,"window.memories_one":`{count} fact`,"window.memories_other":`{count} facts`,"window.dropped_one":`{count} left out`,"window.dropped_other":`{count} left out`,"window.wouldSend":`Would send {used} of {all} tokens`,"counting.EXACT":`Counted with the model's own tokenizer.`,"counting.CALIBRATED":`Estimated, then corrected using what the provider reported earlier.`,"counting.ESTIMATED":`Estimated; the real number is probably lower.`,"part.SYSTEM":`Instructions`,"part.TOOLS":`Tools`,"part.MEMORIES":`Facts about you`,"part.CONTEXT":`Passages`,"part.HISTORY":`Conversation`,"part.QUESTION":`Question`,"part.MARGIN":`Margin`,"part.COMPLETION":`Room for the answer`,"prompt.title":`What would be sent to the model`,"prompt.read":`Read the prompt`,"prompt.none":`The model would not be called.`,"role.system":`Instructions`,"role.user":`User`,"role.assistant":`Assistant`,"markdown.table":`Table`,"markdown.code":`Code`,"search.title":`Search chats`,"search.placeholder":`Part of a title, or words of a message`,"search.results":`Found`,"search.nothing":`No title and no message has these words.`,"search.chats":`Chats`,"search.messages":`In questions and answers`,"newChat.documents_one":`Ask about {count} document`,"newChat.documents_other":`Ask about {count} documents`,"newChat.empty":`There are no documents to ask about yet.`,"newChat.emptyViewer":`There are no documents to ask about yet. An editor of this project can add some.`,"home.title":`Start with a project`,"home.text":`A project holds the documents that answers come from, and the chats about them.`,"tour.title":`How it works`,"tour.questions":`Questions to start with`,"tour.question1":`Which document formats can Footnote read?`,"tour.question2":`How can I resume an answer after the connection breaks?`,"tour.question3":`What happens if the documents do not contain the answer?`,"tour.step1":`Ask`,"tour.text1":`Type a question, or pick one above. While you type, a bar shows what would be sent.`,"tour.step2":`Check`,"tour.text2":`Each number in the answer is a footnote. Point at it to see the source's own words.`,"tour.step3":`Look inside`,"tour.text3":`Click a footnote for the passage and its document, and for what was found but not used.`,"tour.dismiss":`Got it`,"knowledge.title":`Knowledge · {project}`,"knowledge.views":`Knowledge views`,"knowledge.documents":`Documents`,"knowledge.search":`Search`,"knowledge.model":`Embedding model`,"knowledge.documentCount_one":`{count} document`,"knowledge.documentCount_other":`{count} documents`,"knowledge.passageCount_one":`{count} passage`,"knowledge.passageCount_other":`{count} passages`,"knowledge.add":`Add documents`,"knowledge.drop":`Drop files or folders here.`,"knowledge.formats":`{names}, and any other text.`,"knowledge.formatsTitle":`Supported formats`,"knowledge.chooseFiles":`Choose files`,"knowledge.chooseFolder":`Choose a folder`,"knowledge.tooManyFiles":`Only the first {count} files are added.`,"knowledge.uploads":`Files being uploaded`,"knowledge.uploading":`Sending {name}`,"knowledge.removeUpload":`Remove {name}`,"knowledge.fileChanged":`This file was changed or moved after it was chosen. Choose it again.`,"knowledge.unreadable":`This could not be read. It may have been moved, or you may not have permission.`,"knowledge.moreUploads":`and {count} more`,"knowledge.paused":`Sending resumes automatically.`,"knowledge.notAdded_one":`{count} file was not added.`,"knowledge.notAdded_other":`{count} files were not added.`,"knowledge.retryAll":`Retry all`,"knowledge.clear":`Remove from the list`,"knowledge.filter":`Filter by title`,"knowledge.status":`Status`,"knowledge.allStatuses":`Any status`,"knowledge.more":`Show more`,"knowledge.noMatch":`No documents match`,"knowledge.empty":`No documents yet`,"knowledge.emptyHelp":`Drop some above. A minute later you can ask about them.`,"knowledge.emptyViewer":`An editor of this project can add some.`,"status.QUEUED":`Waiting`,"status.PROCESSING":`Being read`,"status.READY":`Ready`,"status.FAILED":`Failed`,"stage.PARSING":`Being read`,"stage.CHUNKING":`Being split`,"stage.EMBEDDING":`Being embedded`,"stage.INDEXING":`Being indexed`,"document.menu":`More options for {title}`,"document.preview":`Preview`,"document.previewHelp":`The text as it was read, passage by passage: this is what answers are made from.`,"document.openOriginal":`Open the original`,"document.download":`Download the original`,"document.rename":`Rename`,"document.replace":`Replace with a new file`,"document.delete":`Delete`,"document.version":`version {version}`,"document.progress":`Progress of {title}`,"document.title":`Title`,"document.titleHelp":`Titles are searched, too. Leave it empty to use the title in the file.`,"document.noSource":`This document was added without a source name, so there is no telling which file replaces it. Delete it and add the new file.`,"document.newFile":`New file`,"document.replaceHelp":`The old version is searched until the new one is ready.`,"document.deleteTitle":`Delete “{title}”?`,"document.deleteHelp":`It will no longer be found. Answers that cite it keep their quotes and say that it was deleted.`,"search.label":`Words or a question`,"search.help":`Shows the passages that a question would find, best first.`,"search.mode":`Match by`,"search.HYBRID":`Words and meaning`,"search.LEXICAL":`Words only`,"search.VECTOR":`Meaning only`,"search.go":`Search`,"search.none":`Nothing was found`,"search.scoreHelp":`Words {words}, meaning {meaning}`,"space.model":`Model`,"space.dimensions":`{count} dimensions`,"space.weight":`Weight of meaning`,"space.weightHelp":`How much meaning counts in a score; words make up the rest.`,"space.threshold":`Threshold`,"space.thresholdHelp":`Passages with a lower score are not used for answers.`,"space.measured":`Measured`,"space.measuredAt":`on this project's own texts, when it had {count} passages`,"space.notMeasured":`not yet: there are too few passages`,"space.building":`Switching to {model}: {done} of {total} passages`,"space.progress":`Progress of the switch to {model}`,"space.cancel":`Keep the current model`,"space.switch":`Switch the model`,"space.switchHelp":`All passages are embedded again in the background. Until that is done, the current model answers.`,"space.go":`Switch`,"space.failed":`The switch to {model} failed.`,saved:`Saved`,"session.settings":`Settings of this chat`,"option.reset":`Use the defaults`,"option.enableRag":`Answer from the documents`,"option.enableRagHelp":`Passages of the project's documents are found for each question and given to the model.`,"option.ragTopK":`Passages`,"option.ragTopKHelp":`How many passages an answer may use. More passages take up more of the window and distract small models.`,"option.ragThreshold":`Threshold`,"option.ragThresholdHelp":`Passages with a lower score are left out. The default is measured on the project's own texts.`,"option.includeCitations":`Show sources`,"option.includeCitationsHelp":`Answers contain markers such as [1], each checked against its passage.`,"option.grounding":`Grounding`,"option.grounding.GROUNDED":`Only from the sources`,"option.grounding.OPEN":`Sources and general knowledge`,"option.grounding.GROUNDEDHelp":`What the sources do not say is refused.`,"option.grounding.OPENHelp":`The model may also say what it knows by itself; that has no footnote.`,"option.contextTokenRatio":`Share of the window for passages`,"option.contextTokenRatioHelp":`The rest is for the conversation so far and the answer.`,"option.reformulate":`Rewrite questions for the search`,"option.reformulateHelp":`A model first turns “and when?” into a complete question. This takes one more request.`,"option.model":`Model`,"option.modelHelp":`As provider/model. The list shows what this server can reach.`,"option.temperature":`Temperature`,"option.temperatureHelp":`0 picks the most likely words; higher values give more variety and more mistakes.`,"option.promptProfile":`Prompt style`,"option.promptProfileHelp":`Small models do better with a short prompt that has an example.`,"option.promptProfile.AUTO":`By the model's size`,"option.promptProfile.SMALL":`For small models`,"option.promptProfile.LARGE":`For large models`,"option.maxTokens":`Longest answer, in tokens`,"option.maxTokensHelp":`Empty: the server's default.`,"option.systemPrompt":`Instructions for the model`,"option.systemPromptHelp":`Placed at the start of every prompt.`,"project.settings":`Settings · {project}`,"project.readOnly":`Only owners of the project can change these settings.`,"project.about":`About the project`,"project.localOnly":`Only models on this machine`,"project.localOnlyHelp":`Documents and questions never leave it.`,"project.noSources":`Answer when nothing relevant is found`,"project.noSourcesHelp":`Shown when answers must come from the sources.`,"project.rejected":`Answer shown instead of one without sources`,"project.rejectedHelp":`Shown when nothing that the model cites holds up.`,"project.defaults":`Defaults for its chats`,"project.defaultsHelp":`Every chat of the project uses these unless it sets its own.`,"project.delete":`Delete this project`,"project.deleteHelp":`This also deletes its documents, chats and memories. This cannot be undone.`,"project.deleteTitle":`Delete {project}?`,"project.typeName":`Type “{project}” to confirm`,"memories.title":`What it remembers about you`,"memories.help":`Facts that are given to the model with your questions in this project. Nobody else sees them.`,"memories.new":`A new fact`,"memories.remember":`Remember`,"memories.forget":`Forget “{content}”`,"members.title":`Members · {project}`,"members.email":`Email address`,"members.help":`The person must already share a project with you, unless the operator allows adding anybody on this server.`,"members.role":`Role`,"members.roleOf":`Role of {who}`,"members.add":`Add`,"members.remove":`Remove`,"members.removeWho":`Remove {who}`,"members.leaveSure":`Remove yourself? You will no longer have access to this project.`,"members.ownRoleSure":`Change your own role? Only another owner can give it back to you.`,"members.removeSure":`Remove {who}? They will no longer have access to this project.`,"members.roles":`Viewers search and chat. Editors also add, change and delete documents. Owners also change settings and members.`,"role.VIEWER":`Viewer`,"role.EDITOR":`Editor`,"role.OWNER":`Owner`,"invited.title":`Welcome to Footnote`,"invited.help":`You are signed in as {email} through a link that works only once. Set a password so that you can come back.`,"invited.set":`Set the password`,"invited.later":`Not now`,"link.title":`Sign in with this link?`,"link.text":`You are signed in as {who}. The link signs you in as the person it was made for.`,"link.stay":`Stay signed in`,"link.follow":`Use the link`,"account.title":`Your account`,"account.name":`Name`,"account.password":`Password`,"account.current":`Current password`,"account.currentHelp":`Leave it empty if you have none yet.`,"account.new":`New password`,"account.newHelp":`At least 8 characters; there are no other rules.`,"account.change":`Change the password`,"account.passwordChanged":`The password was changed`,"tokens.title":`Access tokens`,"tokens.help":`For programs that use the API in your name. Each can be revoked separately.`,"tokens.created":`Copy it now: it is shown only once.`,"tokens.copy":`Copy`,"tokens.copied":`Copied`,"tokens.label":`What it is for`,"tokens.life":`Expiration`,"tokens.days":`{days} days`,"tokens.forever":`Does not expire`,"tokens.until":`until {date}`,"tokens.used":`last used {date}`,"tokens.unused":`never used`,"tokens.create":`Create`,"tokens.revoke":`Revoke`,"tokens.revokeSure":`Revoke “{label}”? Programs that use it lose access at once. This cannot be undone.`,"tokens.revokeWhich":`Revoke {label}`,"health.title":`Status`,"health.OK":`OK`,"health.DEGRADED":`Limited`,"health.DOWN":`Down`,"health.version":`Footnote {version}`,"health.database":`Database`,"health.work":`Documents and answers being processed`,"health.embedded":`Built-in models`,"project.purpose":`Description`,"side.knowledge":`Knowledge`,"side.settings":`Settings`,"side.members":`Members`,"side.account":`Account`,"session.pin":`Pin`,"session.unpin":`Unpin`,"session.archive":`Archive`,"session.unarchive":`Unarchive`,"age.pinned":`Pinned`,"side.archived":`Archived chats`,"side.noArchived":`No chats are archived.`,"side.back":`Back to all chats`,"newChat.waiting":`{ready} of {all} documents are ready`,"pdf.tools":`Page and size`,"pdf.previous":`Previous page`,"pdf.next":`Next page`,"pdf.page":`Page`,"pdf.smaller":`Smaller`,"pdf.larger":`Larger`,"original.views":`How to view the document`,"original.pages":`Pages`,"original.text":`Text`},ue=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),de=function(e){return`/static/page/`+e},fe={},pe=function(e){return e.pathname.endsWith(`.css`)},me=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},he=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=de(t,n);let r=s(t),i=pe(r);return me(fe,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:ue,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},ge={en:`English`,de:`Deutsch`},_e=`footnote:language`,ve={en:async()=>le,de:async()=>(await he(async()=>{let{default:e}=await import(`./de-BVt82vLx.js`);return{default:e}},[])).default},ye={en:async()=>({}),de:async()=>(await he(async()=>{let{default:e}=await import(`./de-5RMe18Yp.js`);return{default:e}},[])).default},z=new class{#e=A(`en`);get language(){return v(this.#e)}set language(e){C(this.#e,e,!0)}#t=A(le);get catalog(){return v(this.#t)}set catalog(e){C(this.#t,e)}#n=A({});get serverCatalog(){return v(this.#n)}set serverCatalog(e){C(this.#n,e)}#r=T(()=>new Intl.PluralRules(this.language));get plural(){return v(this.#r)}set plural(e){C(this.#r,e)}#i=T(()=>new Intl.NumberFormat(this.language));get number(){return v(this.#i)}set number(e){C(this.#i,e)}#a=T(()=>new Intl.NumberFormat(this.language,{style:`percent`,maximumFractionDigits:0}));get percent(){return v(this.#a)}set percent(e){C(this.#a,e)}#o=T(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`,timeStyle:`short`}));get date(){return v(this.#o)}set date(e){C(this.#o,e)}#s=T(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`}));get day(){return v(this.#s)}set day(e){C(this.#s,e)}};function B(e,t){return Se(z.catalog[e],t)}function be(e,t,n){let r=z.plural.select(t)===`one`?`one`:`other`;return Se(z.catalog[`${e}_${r}`],{...n,count:z.number.format(t)})}function xe(e,t,n){let r=z.serverCatalog[e];return r===void 0?t:Se(r,n)}function Se(e,t){return t?e.replace(/\{(\w+)\}/g,(e,n)=>String(t[n]??e)):e}async function Ce(e){localStorage.setItem(_e,e),await Te(e)}async function we(){await Te([localStorage.getItem(_e),...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==null&&e in ge)??`en`).catch(()=>void 0)}async function Te(e){[z.catalog,z.serverCatalog]=await Promise.all([ve[e](),ye[e]()]),z.language=e,document.documentElement.lang=e}var V=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new V(`
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
    `,{fragmentName:`MemberList`}),new V(`
    fragment TokenItem on AccessToken {
  id
  label
  createdAt
  expiresAt
  lastUsedAt
}
    `,{fragmentName:`TokenItem`}),new V(`
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
    `,{fragmentName:`CitationItem`}),new V(`
    fragment NoticeItem on Notice {
  code
  message
}
    `,{fragmentName:`NoticeItem`}),new V(`
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
    `,{fragmentName:`Window`}),new V(`
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
}`,{fragmentName:`MessageItem`}),new V(`
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
    `,{fragmentName:`Passage`}),new V(`
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
}`,{fragmentName:`CitationPassages`}),new V(`
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
}`,{fragmentName:`Candidate`}),new V(`
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
    `,{fragmentName:`PagePlaces`}),new V(`
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
    `,{fragmentName:`SpaceItem`}),new V(`
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
    `,{fragmentName:`DocumentItem`}),new V(`
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
    `,{fragmentName:`Problem`}),new V(`
    fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}
    `,{fragmentName:`ProjectItem`}),new V(`
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
    `,{fragmentName:`SessionItem`}),new V(`
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
    `,{fragmentName:`SessionOptions`}),new V(`
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
    `,{fragmentName:`ProjectOptions`}),new V(`
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
}`,{fragmentName:`ProjectDetails`});var Ee=new V(`
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
}`),De=new V(`
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
}`),Oe=new V(`
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
}`),ke=new V(`
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
}`),Ae=new V(`
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
}`),je=new V(`
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
}`),Me=new V(`
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
}`),Ne=new V(`
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
}`),Pe=new V(`
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
    `),Fe=new V(`
    query Viewer {
  viewer {
    user {
      id
      email
      name
    }
  }
}
    `),Ie=new V(`
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
}`),Le=new V(`
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
}`),Re=new V(`
    mutation SignOut {
  signOut
}
    `),ze=new V(`
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
}`),Be=new V(`
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
}`),Ve=new V(`
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
}`),He=new V(`
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
}`),Ue=new V(`
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
}`),We=new V(`
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
}`),Ge=new V(`
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
}`),Ke=new V(`
    query ExportChatSession($id: ID!, $format: ExportFormat!) {
  exportChatSession(id: $id, format: $format)
}
    `),qe=new V(`
    query AnswerWithSources($id: ID!) {
  message(id: $id) {
    id
    contentWithSources
  }
}
    `),Je=new V(`
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
}`),Ye=new V(`
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
}`);new V(`
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
}`);var Xe=new V(`
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
}`),Ze=new V(`
    query PreviewPrompt($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    messages {
      role
      content
      tokens
    }
  }
}
    `),Qe=new V(`
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
    `),$e=new V(`
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
}`),et=new V(`
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
    `),tt=new V(`
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
}`),nt=new V(`
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
}`),rt=new V(`
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
}`),it=new V(`
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
}`),at=new V(`
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
}`),ot=new V(`
    query DocumentFormats {
  documentFormats {
    name
    mediaType
    extensions
    available
    unavailableReason
  }
}
    `),st=new V(`
    query OriginalLink($id: ID!) {
  document(id: $id) {
    id
    signedUrl {
      href
      validUntil
    }
  }
}
    `),ct=new V(`
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
    `),lt=new V(`
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
    `),ut=new V(`
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
}`),dt=new V(`
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
}`),ft=new V(`
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
}`),pt=new V(`
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
}`),mt=new V(`
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
}`),ht=new V(`
    query EmbeddingModels {
  models {
    name
    kind
    available
  }
}
    `),gt=new V(`
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
}`),_t=new V(`
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
}`),vt=new V(`
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
}`),yt=new V(`
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
}`),bt=new V(`
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
}`),xt=new V(`
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
}`),St=new V(`
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
}`),Ct=new V(`
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
}`),wt=new V(`
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
    `),Tt=new V(`
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
}`),Et=new V(`
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
}`),Dt=new V(`
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
}`),Ot=new V(`
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
}`),kt=new V(`
    query ChatModels {
  models {
    name
    kind
    available
    contextWindow
  }
}
    `),At=new V(`
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
}`),jt=new V(`
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
}`),Mt=new V(`
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
}`),Nt=new V(`
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
}`),Pt=new V(`
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
}`),Ft={possibleTypes:{AddTextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],AddTextDocumentsResult:[`AddTextDocumentsPayload`,`ForbiddenError`,`NotFoundError`,`UnavailableError`,`ValidationError`],AnswerEvent:[`AnswerCancelled`,`AnswerCompleted`,`AnswerDelta`,`AnswerFailed`,`AnswerReplaced`,`BudgetNegotiated`,`CitationAdded`,`NoticeGiven`,`QueryReformulated`,`ReasoningDelta`,`RetrievalCompleted`],CancelAnswerResult:[`CancelAnswerPayload`,`NotFoundError`,`ValidationError`],CancelEmbeddingSwitchResult:[`CancelEmbeddingSwitchPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`],ChangePasswordResult:[`ChangePasswordPayload`,`RateLimitedError`,`ValidationError`],CreateAccessTokenResult:[`CreateAccessTokenPayload`,`ValidationError`],CreateChatSessionResult:[`CreateChatSessionPayload`,`NotFoundError`,`ValidationError`],CreateProjectResult:[`ConflictError`,`CreateProjectPayload`,`ValidationError`],DeleteChatSessionResult:[`DeleteChatSessionPayload`,`NotFoundError`,`ValidationError`],DeleteDocumentResult:[`DeleteDocumentPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteProjectResult:[`DeleteProjectPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],Error:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],ForgetResult:[`ForgetPayload`,`NotFoundError`,`ValidationError`],IngestionEvent:[`IngestionCompleted`,`IngestionFailed`,`IngestionProgressed`],Node:[`AccessToken`,`ChatSession`,`Chunk`,`Document`,`EmbeddingSpace`,`Memory`,`Message`,`Project`,`User`],RateAnswerResult:[`NotFoundError`,`RateAnswerPayload`,`ValidationError`],RecordCitationOpenedResult:[`NotFoundError`,`RecordCitationOpenedPayload`,`ValidationError`],RedeemSetupTokenResult:[`RedeemSetupTokenPayload`,`ValidationError`],RegenerateAnswerResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`RegenerateAnswerPayload`,`UnavailableError`,`ValidationError`],RememberResult:[`NotFoundError`,`RememberPayload`,`ValidationError`],RemoveProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RemoveProjectMemberPayload`,`ValidationError`],RereadDocumentsResult:[`ForbiddenError`,`NotFoundError`,`RereadDocumentsPayload`,`UnavailableError`,`ValidationError`],RetryDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RetryDocumentPayload`,`UnavailableError`,`ValidationError`],RevokeAccessTokenResult:[`NotFoundError`,`RevokeAccessTokenPayload`,`ValidationError`],SelectBranchResult:[`NotFoundError`,`SelectBranchPayload`,`ValidationError`],SendMessageResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`SendMessagePayload`,`UnavailableError`,`ValidationError`],SetProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SetProjectMemberPayload`,`ValidationError`],SignInResult:[`RateLimitedError`,`SignInPayload`,`ValidationError`],SwitchEmbeddingModelResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SwitchEmbeddingModelPayload`,`UnavailableError`,`ValidationError`],TextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],UpdateChatSessionResult:[`NotFoundError`,`UpdateChatSessionPayload`,`ValidationError`],UpdateDocumentResult:[`ForbiddenError`,`NotFoundError`,`UnavailableError`,`UpdateDocumentPayload`,`ValidationError`],UpdateProjectResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`UpdateProjectPayload`,`ValidationError`],UpdateViewerResult:[`UpdateViewerPayload`,`ValidationError`],UploadDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`UploadDocumentPayload`,`ValidationError`],WithdrawRatingResult:[`NotFoundError`,`ValidationError`,`WithdrawRatingPayload`]}};function It(){return b({globalIDs:!0,possibleTypes:Ft.possibleTypes,logger:()=>void 0,updates:{Mutation:{createProject:(e,t,n)=>Lt(n,`Query`,`projects`),deleteProject:(e,t,n)=>Lt(n,`Query`,`projects`)}}})}function Lt(e,t,n){for(let{fieldName:r,fieldKey:i}of e.inspectFields(t))r===n&&e.invalidate(t,i)}var Rt=864e5,zt=[/^((?:row|line|record|cell)s?|Slide) (\d+(?:\u2013\d+)?)(?=:|$)/,/^(Sheet|Attachment) “(.+)”$/,/^(Other attachments|Other files)$/];function Bt(e,t){let n=t.filter(Boolean).map(e=>zt.reduce(Vt,e));return[e===null?``:B(`source.page`,{page:e}),...n].filter(Boolean).join(` › `)}function Vt(e,t){return e.replace(t,(e,t,n)=>xe(`place.${t}`,e,{name:n}))}function Ht(e){let t=[`byte`,`kilobyte`,`megabyte`,`gigabyte`],n=Math.min(Math.floor(Math.log10(Math.max(e,1))/3),t.length-1);return new Intl.NumberFormat(z.language,{style:`unit`,unit:t[n],unitDisplay:n?`short`:`long`,maximumFractionDigits:+!!n}).format(e/1e3**n)}function Ut(e){return new Intl.NumberFormat(z.language,{style:`unit`,unit:`second`,unitDisplay:`short`,maximumFractionDigits:1}).format(e/1e3)}function Wt(e){let[t,n]=e<9e4?[`second`,1e3]:e<54e5?[`minute`,6e4]:[`hour`,36e5];return new Intl.NumberFormat(z.language,{style:`unit`,unit:t,unitDisplay:`long`,maximumFractionDigits:0}).format(Math.ceil(e/n))}function Gt(e,t=new Date){let n=new Date(t.getFullYear(),t.getMonth(),t.getDate()).getTime(),r=new Date(e).getTime();return r>=n?`today`:r>=n-Rt?`yesterday`:r>=n-7*Rt?`week`:r>=n-30*Rt?`month`:`older`}var Kt=new Set([502,503,504]),qt=new Set([`RATE_LIMITED`,`UNAVAILABLE`]),Jt=5e3,Yt=/Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/,Xt=new Set([`ValidationError`,`ForbiddenError`,`NotFoundError`,`TooLarge`,`FileChanged`]),H=class extends Error{kind;issues;retryAfterMs;name=`Problem`;constructor(e,t=`other`,n=[],r=null){super(e),this.kind=t,this.issues=n,this.retryAfterMs=r}get isPermanent(){return Xt.has(this.kind)}get isTemporary(){return this.kind===`unreachable`||this.kind===`unauthenticated`||this.retryAfterMs!==null}issueOf(e){return this.issues.find(({path:t})=>t.includes(e))?.message??null}};function Zt(e){let t=`retryAfterMs`in e?e.retryAfterMs:null;return new H(xe(`error.${e.__typename}`,e.message,{wait:Wt(t??0)}),e.__typename,`issues`in e?e.issues:[],t)}function Qt({message:e,extensions:t},n){return n===401||t?.code===`UNAUTHENTICATED`?new H(xe(`error.UNAUTHENTICATED`,e),`unauthenticated`):new H(e,`other`,[],tn(t))}function $t(e){let[t]=e.graphQLErrors,n=e.response?.status;return t?Qt(t,n):n===401?new H(e.message,`unauthenticated`):n===void 0||en(n)?U():new H(e.networkError?.message??e.message)}function U(){return new H(B(`unreachable.text`),`unreachable`)}function en(e){return Kt.has(e)}function W(e){return e instanceof H?e:e instanceof Error&&Yt.test(e.message)?U():new H(e instanceof Error?e.message:String(e))}function tn(e){return qt.has(e?.code)?Jt:null}var nn=`footnote:token`;function rn(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);return t===null&&n===null?null:(history.replaceState(history.state,``,location.pathname+location.search),{token:t,setup:n})}function G(){return localStorage.getItem(`footnote:token`)||null}function an(e){e===null?localStorage.removeItem(nn):localStorage.setItem(nn,e)}function on(e){return/^[!-~]+$/.test(e)}function sn(){let e=G();return e&&`Bearer ${e}`}var cn=`/graphql`,K=fn(),ln=new Set,un=[],dn=0;function fn(e=J){return new ie({url:cn,preferGetMethod:!1,exchanges:[It(),ae],fetchOptions:()=>({headers:e()})})}function q(e){return fn(()=>J(e))}function J(e=G()){return{"GraphQL-Require-Preflight":`1`,...e?{Authorization:`Bearer ${e}`}:{}}}async function pn(){try{let e=JSON.stringify({query:`{ __typename }`}),{status:t}=await fetch(cn,{method:`POST`,headers:{...J(),"Content-Type":`application/json`},body:e});return!en(t)}catch{return!1}}function mn(){K=fn(),un=[]}function hn(){dn+=1;for(let e of un.splice(0))e()}function gn(e){return ln.add(e),()=>ln.delete(e)}function _n(e){for(let t of ln)t(e)}function vn(){let[e,t,n]=[K,G(),dn];return r=>{let i=e===K;return i&&t===G()&&_n(r),i&&n!==dn?Promise.resolve():new Promise(e=>i&&un.push(e))}}async function yn(e,t,n=`cache-first`,r=K){return Sn(r,()=>r.query(e.toString(),t,{requestPolicy:n}).toPromise())}function bn(e,t,n,r=`cache-and-network`){let i=K,a=null,o=()=>{let s=vn(),{unsubscribe:c}=ee(i.query(e.toString(),t,{requestPolicy:r}),ne(e=>{let t=e.error?$t(e.error):null;t?.kind===`unauthenticated`?s(t).then(()=>a&&(a(),o())):n(e.data??null,t,e.stale)}));a=c};return o(),()=>{a?.(),a=null}}async function Y(e,t,n=K){let r=await Sn(n,()=>n.mutation(e.toString(),t).toPromise()),[i]=Object.entries(r).flatMap(([e,t])=>e===`__typename`?[]:[t]);if(xn(i))throw Zt(i);return i}function xn(e){return typeof e==`object`&&!!e&&String(e.__typename).endsWith(`Error`)}async function Sn(e,t){let n=e===K;for(;;){let e=vn(),r=await t(),i=r.error&&$t(r.error);if(i?.kind===`unauthenticated`&&n)await e(i);else{if(i)throw i;if(r.data===void 0||r.data===null)throw new H(`The server sent an empty result.`);return r.data}}}var Cn=300,wn=1e4,Tn=new Set([4400,4401,4403]),En=Dn();function Dn(){return O({url:new URL(cn,location.href.replace(/^http/,`ws`)).href,connectionParams:()=>{let e=sn();return e?{authorization:e}:{}},retryAttempts:0,lazyCloseTimeout:5e3})}function On(){En.dispose(),En=Dn()}function kn(e,t,n){let r=new AbortController;return An(e,t,n,r.signal),()=>r.abort()}async function An(e,t,n,r){let i=Cn;for(;!r.aborted;){let a=vn(),o=await jn(e,t(),r,e=>{i=Cn,n.connected?.(!0),n.next(e)});if(r.aborted)return;if(o===`done`)return n.done();if(o instanceof H&&o.kind===`unauthenticated`)n.connected?.(!1),await a(o);else{if(o instanceof H&&o.retryAfterMs===null)return n.failed(o);o instanceof H&&(i=Math.max(i,o.retryAfterMs)),n.connected?.(!1),await Nn(i,r),i=Math.min(i*2,wn)}}}function jn(e,t,n,r){return new Promise(i=>{let a=En.subscribe({query:e.toString(),variables:t},{next:({data:e,errors:t})=>{let[n]=t??[];n?i(Qt(n)):e&&r(e)},error:e=>i(Mn(e)),complete:()=>i(`done`)});n.addEventListener(`abort`,()=>{a(),i(`done`)})})}function Mn(e){return Array.isArray(e)?Qt(e[0]):e instanceof CloseEvent?Tn.has(e.code)?new H(e.reason,`unauthenticated`):`broken`:e instanceof Event||e instanceof Error?`broken`:W(e)}function Nn(e,t){return new Promise(n=>{let r=new AbortController,i=()=>{r.abort(),clearTimeout(a),n()},a=setTimeout(i,e);addEventListener(`online`,i,{signal:r.signal}),document.addEventListener(`visibilitychange`,()=>document.hidden||i(),{signal:r.signal}),t.addEventListener(`abort`,i,{signal:r.signal})})}var Pn=class{#e=A(null);get data(){return v(this.#e)}set data(e){C(this.#e,e)}#t=A(null);get problem(){return v(this.#t)}set problem(e){C(this.#t,e)}#n=A(!0);get loading(){return v(this.#n)}set loading(e){C(this.#n,e,!0)}#r=A(0);constructor(e,t,n=`cache-and-network`){E(()=>{let r=t(),i=v(this.#r)>0;if(this.loading=r!==null,r===null)this.data=null,this.problem=null;else return bn(e,r,(e,t,n)=>this.#i(e,t,n),i?`network-only`:n)})}#i(e,t,n){(e!==null||t===null)&&(this.data=e),this.problem=t,this.loading=n}reload(){m(()=>C(this.#r,v(this.#r)+1))}},Fn=`footnote:project`,In=new class{#e=A(oe(localStorage.getItem(Fn)));#t=A(0);get missingCount(){return v(this.#t)}set missingCount(e){C(this.#t,e,!0)}get projectId(){return v(this.#e)}reportMissing(){this.projectId=null,this.missingCount+=1}set projectId(e){C(this.#e,e,!0),e?localStorage.setItem(Fn,e):localStorage.removeItem(Fn)}},Ln=new class{#e=A([]);#t=A(!1);get loading(){return v(this.#t)}set loading(e){C(this.#t,e,!0)}#n=A(null);get problem(){return v(this.#n)}set problem(e){C(this.#n,e)}#r=A(!1);get hasMore(){return v(this.#r)}set hasMore(e){C(this.#r,e,!0)}#i=A(!1);get archived(){return v(this.#i)}set archived(e){C(this.#i,e,!0)}#a=null;#o=null;#s=0;#c=T(()=>{let e=v(this.#e).filter(({archived:e})=>e===this.archived).toSorted((e,t)=>e.lastActivityAt<t.lastActivityAt?1:-1);return[...Map.groupBy(e,e=>e.pinned?`pinned`:Gt(e.lastActivityAt))].sort(([e],[t])=>Number(t===`pinned`)-Number(e===`pinned`))});get groups(){return v(this.#c)}set groups(e){C(this.#c,e)}find(e){return v(this.#e).find(t=>t.id===e)}forget(){this.#s+=1,C(this.#e,[]),this.#a=null,this.#o=null,this.hasMore=!1,this.loading=!1,this.problem=null}async read(e,t=!1){(e!==this.#a||t!==this.archived)&&(C(this.#e,[]),this.hasMore=!1,this.problem=null),this.#a=e,this.archived=t,this.#o=null,await this.#l([])}async readMore(){this.hasMore&&!this.loading&&await this.#l(v(this.#e))}async retry(){this.#a&&!this.loading&&await this.#l(this.#o===null?[]:v(this.#e))}async refresh(){this.#a&&!this.archived&&await this.read(this.#a)}async update(e){let{chatSession:t}=await Y(Tt,{input:e});C(this.#e,[...v(this.#e).filter(({id:e})=>e!==t.id),t])}async remove(e){await Y(Et,{id:e}),C(this.#e,v(this.#e).filter(t=>t.id!==e))}async#l(e){let[t,n,r]=[this.#a,this.archived,++this.#s];if(t){this.loading=!0;try{let{project:i}=await yn(St,{id:t,archived:n,after:this.#o},`network-only`);if(r!==this.#s)return;if(i===null){In.reportMissing();return}let{nodes:a,pageInfo:o}=i.chatSessions;C(this.#e,[...e,...a]),this.#o=o.endCursor,this.hasMore=o.hasNextPage,this.problem=null}catch(e){r===this.#s&&(this.problem=W(e))}finally{r===this.#s&&(this.loading=!1)}}}},Rn=6e3,zn=3e3,Bn=0,X=new class{#e=A(oe([]));get list(){return v(this.#e)}set list(e){C(this.#e,e,!0)}#t;get saysUnreachable(){return this.list.some(({unreachable:e})=>e)}show(e,t=`info`,n=!1){let r=++Bn;this.list.push({id:r,kind:t,text:e,unreachable:n}),t===`info`&&setTimeout(()=>this.dismiss(r),Rn)}fail=e=>{let{message:t,kind:n}=W(e),r=n===`unreachable`;this.list.some(({text:e})=>e===t)||this.show(t,`error`,r),r&&this.#n()};dismiss(e){this.list=this.list.filter(t=>t.id!==e)}#n(){this.#t??=setTimeout(()=>void this.#r(),zn)}async#r(){let e=!document.hidden&&await pn();this.#t=void 0,e?this.list=this.list.filter(({unreachable:e})=>!e):this.saysUnreachable&&this.#n()}},Vn=3,Hn=3e3,Un=413,Wn={sending:0,failed:1,refused:1,waiting:2,sent:3},Gn=2e3,Kn=0,qn=class{#e=A(oe([]));get list(){return v(this.#e)}set list(e){C(this.#e,e,!0)}#t=A(null);get pause(){return v(this.#t)}set pause(e){C(this.#t,e)}#n=0;#r=new Map;#i=new Set;constructor(){addEventListener(`beforeunload`,e=>{this.list.some(({state:e})=>e===`sending`||e===`waiting`)&&e.preventDefault()})}of(e){return this.list.filter(t=>t.projectId===e&&t.state!==`sent`).toSorted((e,t)=>Wn[e.state]-Wn[t.state]||e.id-t.id)}onArrival(e){return this.#i.add(e),()=>this.#i.delete(e)}add(e,t,n){for(let{file:r,source:i,problem:a}of t){let t=a??n(r.name)??``;this.list.push({id:++Kn,projectId:e,file:r,source:i,state:t?`refused`:`waiting`,sent:0,problem:t})}this.#a()}retry(e){Object.assign(e,{state:`waiting`,sent:0,problem:``}),this.#a()}retryAll(e){for(let t of this.of(e))t.state===`failed`&&Object.assign(t,{state:`waiting`,sent:0,problem:``});this.#a()}clear(e){let t=new Set(this.of(e).flatMap(({id:e,problem:t})=>t?[e]:[]));this.list=this.list.filter(({id:e})=>!t.has(e))}remove(e){this.#r.get(e.id)?.abort(),this.list=this.list.filter(({id:t})=>t!==e.id)}#a(){for(;this.#n<Vn&&!this.pause;){let e=this.list.find(({state:e})=>e===`waiting`);if(!e)return;this.#o(e)}}async#o(e){this.#n+=1,e.state=`sending`;let t=sn();try{let t=await this.#l(e);e.state=`sent`,this.list=this.list.filter(({id:t})=>t!==e.id);for(let e of this.#i)e(t)}catch(n){let r=W(n);r.kind===`unauthenticated`&&t===sn()&&_n(r),r.isTemporary?(Object.assign(e,{state:`waiting`,sent:0}),this.#s(r)):Object.assign(e,{state:r.isPermanent?`refused`:`failed`,problem:r.message})}finally{this.#r.delete(e.id),--this.#n,this.#a()}}#s(e){this.pause||(this.pause=e,setTimeout(()=>void this.#c(e),e.retryAfterMs??Hn))}async#c(e){let t=e.kind===`unauthenticated`&&sn()===null,n=this.list.some(({state:e})=>e===`waiting`)&&(t||e.kind===`unreachable`&&!await pn());this.pause=null,n?this.#s(e):this.#a()}forget(){for(let e of this.list)this.remove(e)}#l(e){let{projectId:t,source:n,file:r}=e,i=new FormData,a=ut.toString();i.append(`operations`,JSON.stringify({query:a,variables:{input:{projectId:t,source:n,file:null}}})),i.append(`map`,JSON.stringify({0:[`variables.input.file`]})),i.append(`0`,r,r.name);let o=new XMLHttpRequest;return this.#r.set(e.id,o),new Promise((t,n)=>{o.upload.onprogress=({loaded:t,total:n})=>e.sent=n?t/n:0,o.onerror=()=>void Jn(r).then(n),o.onabort=()=>n(new H(``)),o.onload=()=>{try{t(Yn(o))}catch(e){n(W(e))}},o.open(`POST`,cn);for(let[e,t]of Object.entries(J()))o.setRequestHeader(e,t);o.send(i)})}};async function Jn(e){try{return await e.slice(0,1).arrayBuffer(),U()}catch{return new H(B(`knowledge.fileChanged`),`FileChanged`)}}function Yn(e){let t;try{t=JSON.parse(e.responseText)}catch{throw en(e.status)?U():new H(`${e.status} ${e.statusText}`)}let[n]=t.errors??[];if(n&&e.status===Un)throw new H(n.message,`TooLarge`);if(n)throw Qt(n,e.status);if(!t.data)throw new H(`${e.status} ${e.statusText}`);let r=t.data.uploadDocument;if(`document`in r)return r.document;throw Zt(r)}async function Xn(e,t){let n=[...e??[]].map(e=>e.webkitGetAsEntry()).filter(e=>e!==null);if(!n.length)return[...t??[]].map(e=>({file:e,source:e.webkitRelativePath||e.name})).filter(({source:e})=>!/\/\./.test(e)).slice(0,Gn);let r=[];for(let e of n)await Zn(e,r);return r}async function Zn(e,t){if(t.length>=2e3||e.name.startsWith(`.`))return;let n=e.fullPath.replace(/^\//,``);try{e.isFile?t.push({file:await Qn(e),source:n}):await $n(e,t)}catch{t.push({file:new File([],e.name),source:n,problem:B(`knowledge.unreadable`)})}}function Qn(e){return new Promise((t,n)=>e.file(t,n))}async function $n(e,t){let n=e.createReader();for(;;){let e=await new Promise((e,t)=>n.readEntries(e,t));if(!e.length)return;for(let n of e)await Zn(n,t)}}var er=new qn,tr=new class{#e=A(`asking`);get state(){return v(this.#e)}set state(e){C(this.#e,e,!0)}#t=A(null);get viewer(){return v(this.#t)}set viewer(e){C(this.#t,e)}#n=A(``);get problem(){return v(this.#n)}set problem(e){C(this.#n,e,!0)}#r=A(!1);get unreachable(){return v(this.#r)}set unreachable(e){C(this.#r,e,!0)}#i=A(null);get link(){return v(this.#i)}set link(e){C(this.#i,e)}#a=A(!1);get invited(){return v(this.#a)}set invited(e){C(this.#a,e,!0)}#o=null;constructor(){gn(e=>this.#p(e)),addEventListener(`hashchange`,()=>{this.#s(),this.#c()}),addEventListener(`storage`,({key:e,newValue:t})=>{e===`footnote:token`&&(t!==null||this.state!==`out`)&&(t===``&&(this.viewer=null,mn()),On(),this.#d())})}async start(){this.#s(),await this.retry()}isViewer(e){return e!==void 0&&e.id===this.viewer?.id}async retry(){(G()||!this.link)&&await this.#d(),await this.#c()}#s(){let e=rn();e&&(e.token===null||e.token!==G())&&(this.link=e)}async#c(){if(this.link&&!G())try{await this.followLink(this.link)}catch(e){await this.#l(W(e))}}async#l(e){this.unreachable=e.kind===`unreachable`,this.unreachable?this.state=`unreachable`:(this.link=null,await this.#d()),this.state===`in`?X.fail(e):this.problem=e.message}ignoreLink(){this.link=null}async followLink({setup:e,token:t}){if(e===null)return this.useToken(t??``);let n=await Y(Le,{token:e},q(null));this.invited=!0,await this.#u(n.token)}async signIn(e,t){await this.#u((await Y(Ie,{email:e,password:t},q(null))).token)}async changePassword(e,t){let{user:n}=await Y(Me,{input:{currentPassword:e,newPassword:t}});await this.signIn(n.email,t),this.invited=!1}async useToken(e){let t=e.trim().replace(/^Bearer\s+/i,``);if(!on(t))throw new H(B(`signIn.notToken`),`unauthenticated`);await yn(Fe,{},`network-only`,q(t)),await this.#u(t)}async#u(e){this.link=null,an(e),On(),await this.#d()}async signOut(){try{await Y(Re,{},q(G()))}catch(e){if(e instanceof H&&e.kind===`unreachable`)throw e}an(``),location.assign(`/`)}async#d(){let e=G();try{let{user:t}=(await yn(Fe,{},`network-only`,q(e))).viewer;this.#f(t),this.state=`in`,this.problem=``,hn()}catch(t){if(t instanceof H&&t.kind===`unauthenticated`){e===G()&&this.#p(t);return}this.problem=t instanceof H?t.message:String(t),this.unreachable=t instanceof H&&t.kind===`unreachable`,this.state=`unreachable`}}#f(e){this.#o!==null&&this.#o!==e.id&&(mn(),Ln.forget(),er.forget()),this.#o=e.id,this.viewer=e}#p(e){this.state===`in`?this.problem=G()?B(`signIn.ended`):``:G()&&(this.problem=e.message),an(null),On(),this.state=`out`}},nr=o(`<span><!></span>`);function rr(t,i){let a=F(i,`tone`,3,`neutral`);var o=nr(),s=P(o);u(s,()=>i.children),L(o),e(()=>{r(o,1,f([`badge`,a()]),`svelte-dtbgkf`),I(o,`title`,i.title)}),n(t,o)}var ir=new Set([`$$slots`,`$$events`,`$$legacy`,`look`,`icon`,`small`,`label`,`busy`,`disabled`,`href`,`type`,`children`,`element`,`onclick`]),ar=o(`<a><!></a>`),or=o(`<button><!></button>`);function Z(e,t){y(t,!0);let r=F(t,`look`,3,`secondary`),i=F(t,`icon`,3,!1),a=F(t,`small`,3,!1),o=F(t,`busy`,3,!1),c=F(t,`disabled`,3,!1),l=F(t,`type`,3,`button`),d=F(t,`element`,15),f=w(t,ir);function p(e){o()?e.preventDefault():t.onclick?.(e)}var m=g(),h=k(m),_=e=>{var o=ar();ce(o,()=>({class:[`button`,r(),{icon:i(),small:a()}],href:t.href,"aria-label":t.label,title:t.label,onclick:t.onclick,...f}),void 0,void 0,void 0,`svelte-18sv61c`);var s=P(o);u(s,()=>t.children),L(o),M(o,e=>d(e),()=>d()),n(e,o)},v=e=>{var s=or();ce(s,()=>({class:[`button`,r(),{icon:i(),small:a()}],type:l(),"aria-label":t.label,title:t.label,"aria-busy":o()||void 0,"aria-disabled":o()||void 0,disabled:c(),onclick:p,...f}),void 0,void 0,void 0,`svelte-18sv61c`);var m=P(s);u(m,()=>t.children),L(s),M(s,e=>d(e),()=>d()),n(e,s)};s(h,e=>{t.href===void 0?e(v,-1):e(_)}),n(e,m),D()}var sr=new class{#e=A([]);get top(){return v(this.#e).at(-1)??null}enter(e){return C(this.#e,[...v(this.#e),e]),()=>C(this.#e,v(this.#e).filter(t=>t!==e))}},cr=new class{#e=0;constructor(){addEventListener(`beforeunload`,e=>{this.#e&&e.preventDefault()})}watch(e){E(()=>{if(e())return this.#e+=1,()=>--this.#e})}mayLeave(){return this.#e===0||this.confirmLoss()}confirmLoss(){return confirm(B(`unsaved`))}},lr=o(`<div><p dir="auto" class="svelte-r9p0hk"> </p> <!></div>`),ur=o(`<div class="toasts screen-only svelte-r9p0hk" role="region"></div>`);function dr(t,i){y(i,!0);var a=ur();d(a,21,()=>X.list,e=>e.id,(t,i)=>{var a=lr(),o=P(a),s=x(o,!0),c=j(o,2);{let e=T(()=>B(`dismiss`));Z(c,{look:`ghost`,icon:!0,small:!0,get label(){return v(e)},onclick:()=>X.dismiss(v(i).id),children:(e,t)=>{re(e,{})},$$slots:{default:!0}})}L(a),e(()=>{r(a,1,f([`toast`,v(i).kind]),`svelte-r9p0hk`),I(a,`role`,v(i).kind===`error`?`alert`:`status`),R(s,v(i).text),o.dir=o.dir}),n(t,a)}),L(a),e(e=>I(a,`aria-label`,e),[()=>B(`notifications`)]),n(t,a),D()}var fr=o(`<footer class="svelte-jby388"><!></footer>`),pr=o(`<div class="sheet svelte-jby388"><header class="svelte-jby388"><h2 dir="auto" class="svelte-jby388"> </h2> <!></header> <div class="content svelte-jby388"><!></div> <!></div> <!>`,1),mr=o(`<dialog><!></dialog>`);function hr(t,i){let a=_();y(i,!0);let o=F(i,`place`,3,`center`),l=F(i,`wide`,3,!1),d=F(i,`unsaved`,3,!1),p=A(void 0),h=!1;cr.watch(()=>i.open&&d()),E(()=>i.open?m(()=>sr.enter(a)):void 0),E(()=>{i.open&&v(p)&&!v(p).open?tr.state===`in`&&v(p).showModal():!i.open&&v(p)?.open&&v(p).close()});function g(){(!d()||cr.confirmLoss())&&i.onclose()}function b(e){e.target===v(p)&&h&&g()}var S=mr(),ee=P(S),w=t=>{var r=pr(),o=k(r),c=P(o),l=P(c),d=x(l,!0),f=j(l,2);{let e=T(()=>B(`close`));Z(f,{look:`ghost`,icon:!0,small:!0,get label(){return v(e)},onclick:g,children:(e,t)=>{re(e,{})},$$slots:{default:!0}})}L(c);var p=j(c,2),m=P(p);u(m,()=>i.children),L(p);var h=j(p,2),_=e=>{var t=fr(),r=P(t);u(r,()=>i.footer),L(t),n(e,t)};s(h,e=>{i.footer&&e(_)}),L(o);var y=j(o,2),b=e=>{dr(e,{})};s(y,e=>{sr.top===a&&e(b)}),e(()=>{I(l,`id`,a),R(d,i.title),l.dir=l.dir}),n(t,r)};s(ee,e=>{i.open&&e(w)}),L(S),M(S,e=>C(p,e),()=>v(p)),e(()=>{r(S,1,f([o(),{wide:l()}]),`svelte-jby388`),I(S,`aria-labelledby`,a)}),c(`cancel`,S,e=>{e.preventDefault(),g()}),N(`pointerdown`,S,e=>h=e.target===v(p)),N(`click`,S,b),n(t,S),D()}l([`pointerdown`,`click`]);var gr=o(`<span class="icon svelte-1m5lo4h"><!></span>`),_r=o(`<p dir="auto" class="svelte-1m5lo4h"> </p>`),vr=o(`<div class="actions svelte-1m5lo4h"><!></div>`),yr=o(`<div><!> <!> <!> <!></div>`);function br(i,o){let c=F(o,`whole`,3,!1);var l=yr(),d=P(l),p=e=>{var t=gr(),r=P(t);te(r,()=>o.icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),L(t),n(e,t)};s(d,e=>{o.icon&&e(p)});var m=j(d,2);t(m,()=>c()?`h1`:`h2`,!1,(t,i)=>{r(t,0,`title svelte-1m5lo4h`);var s=a();e(()=>R(s,o.title)),n(i,s)});var h=j(m,2),g=t=>{var r=_r(),i=x(r,!0);e(()=>{R(i,o.text),r.dir=r.dir}),n(t,r)};s(h,e=>{o.text&&e(g)});var _=j(h,2),v=e=>{var t=vr(),r=P(t);u(r,()=>o.children),L(t),n(e,t)};s(_,e=>{o.children&&e(v)}),L(l),e(()=>r(l,1,f([`empty`,{whole:c()}]),`svelte-1m5lo4h`)),n(i,l)}var xr=o(`<p class="problem svelte-175sa6o" role="alert"> </p>`),Sr=o(`<p class="help svelte-175sa6o"> </p>`),Cr=o(`<div class="field svelte-175sa6o"><label class="svelte-175sa6o"> </label> <!> <!> <!></div>`);function wr(t,r){let i=_();y(r,!0);let a=F(r,`problem`,3,null),o=T(()=>[r.help&&`${i}-help`,a()&&`${i}-problem`].filter(Boolean).join(` `)||void 0);var c=Cr(),l=P(c),d=x(l,!0),f=j(l,2);u(f,()=>r.children,()=>({id:i,"aria-describedby":v(o),"aria-invalid":a()?!0:void 0}));var p=j(f,2),m=t=>{var r=xr(),o=x(r,!0);e(()=>{I(r,`id`,`${i}-problem`),R(o,a())}),n(t,r)};s(p,e=>{a()&&e(m)});var h=j(p,2),g=t=>{var a=Sr(),o=x(a,!0);e(()=>{I(a,`id`,`${i}-help`),R(o,r.help)}),n(t,a)};s(h,e=>{r.help&&e(g)}),L(c),e(()=>{I(l,`for`,i),R(d,r.label)}),n(t,c),D()}var Tr=h(`<svg viewBox="0 0 32 32" aria-hidden="true" class="svelte-1mi20zr"><rect width="32" height="32" rx="7" class="svelte-1mi20zr"></rect><path d="M7 10h11M7 16h18M7 22h14" class="svelte-1mi20zr"></path><circle cx="25" cy="9" r="3" class="svelte-1mi20zr"></circle></svg>`);function Er(t,r){var a=Tr();let o;e(()=>o=i(a,``,o,{width:r.size,height:r.size})),n(t,a)}var Dr=o(`<button type="button" tabindex="-1"><!> <span dir="auto" class="svelte-15gydnd"> </span> <!></button>`),Or=o(`<!> <div class="menu svelte-15gydnd" role="menu" tabindex="-1" popover="auto"></div>`,1);function kr(t,i){let a=_();y(i,!0);let o=F(i,`align`,3,`end`),l=A(void 0),f=A(!1),m={text:``,at:-1/0};function h(){let e=document.getElementById(`${a}-trigger`);if(!v(l)||!e)return;let t=e.getBoundingClientRect(),{width:n,height:r}=v(l).getBoundingClientRect(),i=t.bottom+r+8<innerHeight||t.top<r,s=o()===`end`==(getComputedStyle(v(l)).direction===`ltr`)?t.right-n:t.left;v(l).style.setProperty(`left`,`${Math.max(8,Math.min(s,innerWidth-n-8))}px`),v(l).style.setProperty(`top`,`${i?t.bottom+4:t.top-r-4}px`),v(l).style.setProperty(`visibility`,`visible`),m.text=``;let c=b();(c.find(e=>e.ariaChecked===`true`)??c[0])?.focus()}function b(){return[...v(l)?.querySelectorAll(`[role^=menuitem]:not(:disabled)`)??[]]}function S(e){let t=performance.now();m={text:(t-m.at<700?m.text:``)+e.toLowerCase(),at:t};let n=b(),r=n.indexOf(document.activeElement),i=m.text.length>1?r:r+1;[...n.slice(i),...n.slice(0,i)].find(e=>e.textContent.trim().toLowerCase().startsWith(m.text))?.focus()}function ee(e){let t=b(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:-1}[e.key];e.key===`Tab`&&v(l)?.hidePopover();let i=m.text!==``&&performance.now()-m.at<700;e.key.length!==1||e.key===` `&&!i||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),S(e.key)),r!==void 0&&(e.preventDefault(),t.at(r%t.length)?.focus())}function w(e){v(l)?.hidePopover(),document.getElementById(`${a}-trigger`)?.focus(),e.onselect()}var T=Or(),E=k(T);u(E,()=>i.trigger,()=>({id:`${a}-trigger`,popovertarget:a,"aria-haspopup":`menu`,"aria-expanded":v(f)}));var O=j(E,2);d(O,21,()=>i.items,p,(t,i)=>{var a=Dr();let o;var c=P(a),l=e=>{var t=g(),r=k(t);te(r,()=>v(i).icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),n(e,t)};s(c,e=>{v(i).icon&&e(l)});var u=j(c,2),d=x(u,!0),f=j(u,2),p=e=>{se(e,{"aria-hidden":`true`,class:`check`})};s(f,e=>{v(i).checked&&e(p)}),L(a),e(()=>{I(a,`role`,v(i).checked===void 0?`menuitem`:`menuitemradio`),I(a,`aria-checked`,v(i).checked),a.disabled=v(i).disabled,o=r(a,1,`svelte-15gydnd`,null,o,{danger:v(i).danger}),R(d,v(i).label),u.dir=u.dir}),N(`click`,a,()=>w(v(i))),n(t,a)}),L(O),M(O,e=>C(l,e),()=>v(l)),e(()=>{I(O,`id`,a),I(O,`aria-labelledby`,`${a}-trigger`)}),c(`toggle`,O,e=>{C(f,e.newState===`open`),v(f)?h():v(l)?.style.removeProperty(`visibility`)}),N(`keydown`,O,ee),n(t,T),D()}l([`keydown`,`click`]);function Ar(t,r){y(r,!0);{let r=T(()=>B(`missing.title`)),i=T(()=>B(`missing.text`));br(t,{whole:!0,get title(){return v(r)},get text(){return v(i)},children:(t,r)=>{Z(t,{href:`/`,children:(t,r)=>{S();var i=a();e(e=>R(i,e),[()=>B(`missing.home`)]),n(t,i)},$$slots:{default:!0}})},$$slots:{default:!0}})}D()}function jr(e,t){y(t,!0),E(()=>{X.fail(t.error),t.ontold()}),D()}function Mr(e,t){y(t,!0);let n=`Footnote`;E(()=>(document.title=t.name?`${t.name} · ${n}`:n,()=>document.title=n)),D()}function Nr(t,r){y(r,!0);let i=F(r,`whole`,3,!1),o=T(()=>r.problem.kind===`unreachable`);E(()=>{if(!v(o))return;let e=setInterval(()=>document.hidden||r.onretry(),3e3);return()=>clearInterval(e)});{let s=T(()=>B(v(o)?`unreachable.title`:`problem.title`)),c=T(()=>v(o)?B(`unreachable.again`):r.problem.message);br(t,{get whole(){return i()},get title(){return v(s)},get text(){return v(c)},children:(t,i)=>{{let i=T(()=>v(o)?`primary`:`secondary`);Z(t,{get look(){return v(i)},get onclick(){return r.onretry},children:(t,r)=>{S();var i=a();e(e=>R(i,e),[()=>B(`retry`)]),n(t,i)},$$slots:{default:!0}})}},$$slots:{default:!0}})}D()}var Pr=o(`<span class="spinner svelte-f4erjd" role="status"><span class="visually-hidden"> </span></span>`);function Fr(t,r){y(r,!0);let i=F(r,`label`,19,()=>B(`loading`));var a=Pr(),o=P(a),s=x(o,!0);L(a),e(()=>R(s,i())),n(t,a),D()}var Ir=o(`<span class="count svelte-126ak3w"> </span>`),Lr=o(`<button type="button" role="tab" class="svelte-126ak3w"> <!></button>`),Rr=o(`<div class="tabs svelte-126ak3w" role="tablist" tabindex="-1"></div> <div class="panel svelte-126ak3w" role="tabpanel"><!></div>`,1);function zr(t,r){let i=_();y(r,!0);function a(e){let t=r.tabs.findIndex(({name:e})=>e===r.selected),n=getComputedStyle(e.currentTarget).direction===`rtl`?-1:1,a={ArrowRight:t+n,ArrowLeft:t-n,Home:0,End:-1}[e.key],o=a===void 0?void 0:r.tabs.at(a%r.tabs.length);o&&(e.preventDefault(),r.onselect(o.name),document.getElementById(`${i}-${o.name}`)?.focus())}var o=Rr(),c=k(o);d(c,21,()=>r.tabs,e=>e.name,(t,a)=>{var o=Lr(),c=P(o,!0),l=j(c),u=t=>{var r=Ir(),i=x(r,!0);e(()=>R(i,v(a).count)),n(t,r)};s(l,e=>{v(a).count!==void 0&&e(u)}),L(o),e(()=>{I(o,`id`,`${i}-${v(a).name??``}`),I(o,`aria-selected`,v(a).name===r.selected),I(o,`aria-controls`,`${i}-panel`),I(o,`tabindex`,v(a).name===r.selected?0:-1),R(c,v(a).label)}),N(`click`,o,()=>r.onselect(v(a).name)),n(t,o)}),L(c);var l=j(c,2),f=P(l);u(f,()=>r.children,()=>r.selected),L(l),e(()=>{I(c,`aria-label`,r.label),I(l,`id`,`${i}-panel`),I(l,`aria-labelledby`,`${i}-${r.selected??``}`)}),N(`keydown`,c,a),n(t,o),D()}l([`keydown`,`click`]),l([`focusin`,`focusout`,`keydown`]);function Br(e){return history.state?.[e]}function Vr(e,t){history.replaceState({...history.state,[e]:t},``)}function Hr(e,t){history.pushState({...history.state,[e]:t},``)}var Ur=`top`,Wr=100,Gr=[`wheel`,`touchmove`,`keydown`,`pointerdown`],Q=null,$;function Kr(e){let t=new AbortController;return Q=e,e.addEventListener(`scroll`,$r,{signal:t.signal,passive:!0}),()=>{t.abort(),clearTimeout($),Q=null}}function qr(){clearTimeout($),Q&&Vr(Ur,Q.scrollTop)}function Jr(){clearTimeout($)}function Yr(){return Br(Ur)}function Xr(){let e=Yr();e!==void 0&&Q?.scrollTo(0,e)}function Zr(e,t){let n=new AbortController,r=t===void 0?Qr():null,i=new ResizeObserver(()=>{r?r.scrollIntoView():Q?.scrollTo(0,t??0),(!Q||r||Math.abs(Q.scrollTop-(t??0))<=1)&&a()}),a=()=>{i.disconnect(),n.abort()};for(let e of Gr)addEventListener(e,a,{signal:n.signal,passive:!0});return i.observe(e),a}function Qr(){try{return document.getElementById(decodeURIComponent(location.hash.slice(1)))}catch{return null}}function $r(){clearTimeout($),$=setTimeout(qr,Wr)}var ei=o(`<p class="svelte-1cjg1wn"> </p>`),ti=o(`<header class="svelte-1cjg1wn"><h1 dir="auto" class="svelte-1cjg1wn"> </h1> <!></header>`),ni=o(`<!> <section><!> <!></section>`,1);function ri(t,i){y(i,!0);let a=F(i,`wide`,3,!1),o=A(void 0),c=Yr(),l=T(()=>i.value!==null);E(()=>v(l)&&v(o)?Zr(v(o),c):void 0);var d=ni(),f=k(d);Mr(f,{get name(){return i.title}});var p=j(f,2);let m;var h=P(p),_=t=>{var r=ti(),a=P(r),o=x(a,!0),c=j(a,2),l=t=>{var r=ei(),a=x(r,!0);e(()=>R(a,i.summary)),n(t,r)};s(c,e=>{i.summary&&e(l)}),L(r),e(()=>{R(o,i.title),a.dir=a.dir}),n(t,r)};s(h,e=>{i.title!==null&&e(_)});var b=j(h,2),S=e=>{var t=g(),r=k(t);u(r,()=>i.children,()=>i.value),n(e,t)},ee=e=>{Nr(e,{get problem(){return i.found.problem},onretry:()=>i.found.reload()})},w=e=>{Fr(e,{})},O=e=>{Ar(e,{})};s(b,e=>{i.value===null?i.found.problem?e(ee,1):i.found.loading?e(w,2):e(O,-1):e(S)}),L(p),M(p,e=>C(o,e),()=>v(o)),e(()=>m=r(p,1,`svelte-1cjg1wn`,null,m,{wide:a()})),n(t,d),D()}var ii=o(`<div class="svelte-162rnmr"><!></div>`);function ai(e){var t=ii();Fr(P(t),{}),L(t),n(e,t)}export{ze as $,xe as $t,X as A,pt as At,H as B,vt as Bt,sr as C,yt as Ct,Gn as D,We as Dt,tr as E,tt as Et,J as F,wt as Ft,Bt as G,Mt as Gt,en as H,gt as Ht,pn as I,Ge as It,Ye as J,Ce as Jt,Ut as K,rt as Kt,Y as L,He as Lt,In as M,ft as Mt,Pn as N,je as Nt,Xn as O,Nt as Ot,kn as P,lt as Pt,kt as Q,be as Qt,yn as R,Ot as Rt,cr as S,xt as St,rr as T,nt as Tt,U,ke as Ut,W as V,Pe as Vt,Ht as W,At as Wt,Ue as X,B as Xt,qe as Y,we as Yt,_t as Z,z as Zt,Er as _,at as _t,qr as a,jt as at,hr as b,Ee as bt,Hr as c,Qe as ct,Fr as d,Ct as dt,he as en,et,Nr as f,Pt as ft,kr as g,Ze as gt,Ar as h,Xe as ht,Kr as i,dt as it,Ln as j,Ne as jt,er as k,Oe as kt,Br as l,ht as lt,jr as m,st as mt,ri as n,Ve as nt,Xr as o,ct as ot,Mr as p,Be as pt,Je as q,ge as qt,Jr as r,bt as rt,Vr as s,ot as st,ai as t,Ae as tt,zr as u,Ke as ut,wr as v,mt as vt,Z as w,$e as wt,dr as x,Dt as xt,br as y,it as yt,G as z,De as zt};