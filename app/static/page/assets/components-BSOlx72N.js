import{$ as e,A as t,B as n,D as r,E as i,G as a,H as o,I as s,J as c,K as l,M as u,N as d,O as f,P as p,Q as m,U as h,V as g,W as _,X as v,_t as y,a as b,at as x,bt as S,c as C,ct as w,d as T,dt as E,et as D,gt as O,i as k,it as A,j as ee,l as te,lt as j,n as ne,o as re,ot as M,p as N,q as P,rt as F,s as ie,st as ae,t as oe,u as I,x as L,xt as R,y as se,z}from"./packages-index-CH5fKEOG.js";var ce={close:`Close`,unsaved:`What you have written is not saved. Discard it?`,dismiss:`Dismiss`,loading:`Loading`,retry:`Try again`,skip:`Skip to the content`,notifications:`Notifications`,"unreachable.title":`The server cannot be reached`,"unreachable.text":`The server cannot be reached. Check the connection, and try again.`,"unreachable.again":`This page tries again every few seconds.`,"problem.title":`Something went wrong`,"missing.title":`There is nothing here`,"missing.text":`It was deleted, or you have no access to it.`,"missing.home":`Go to the start page`,"side.label":`Projects and chats`,"side.open":`Open the sidebar`,"side.appearance":`Appearance and language`,"theme.system":`Same as the system`,"theme.light":`Light`,"theme.dark":`Dark`,"signIn.title":`Sign in to Footnote`,"signIn.ended":`Your session has expired. Please sign in again.`,"signIn.email":`Email address`,"signIn.password":`Password`,"signIn.token":`Access token`,"signIn.tokenHelp":`A token that you created here, or that the operator gave you.`,"signIn.enter":`Sign in`,"signIn.useToken":`Use an access token`,"signIn.usePassword":`Use a password`,"signIn.notToken":`That is not a token. Copy all of it, and nothing else.`,"composer.label":`Your question`,"composer.placeholder":`Ask your documents`,"composer.placeholderAlone":`Ask the model`,"composer.send":`Send`,"composer.keys":`Enter sends, Shift + Enter starts a new line`,"composer.stop":`Stop the answer`,"message.question":`Your question`,"message.answer":`Answer`,cancel:`Cancel`,save:`Save`,delete:`Delete`,copy:`Copy`,copied:`Copied`,copyFailed:`The browser did not let the page copy. Select the text and copy it yourself.`,tokens_one:`{count} token`,tokens_other:`{count} tokens`,"side.newChat":`New chat`,"side.search":`Search`,"side.searchKeys":`Ctrl K`,"side.status":`Server status`,"side.playground":`Playground for developers`,"side.handbook":`Handbook`,"handbook.title":`Handbook`,"handbook.about":`How to use and operate Footnote. These pages are on this server.`,"handbook.previous":`Before`,"handbook.next":`Next`,"handbook.start":`To the start page`,"side.signOut":`Sign out`,"side.noChats":`Chats you start appear here.`,"side.more":`Show older chats`,"age.today":`Today`,"age.yesterday":`Yesterday`,"age.week":`Last 7 days`,"age.month":`Last 30 days`,"age.older":`Older`,"project.choose":`Project: {name}`,"project.new":`New project`,"project.name":`Name`,"project.description":`What it is about (optional)`,"project.local":`Use only models on this machine`,"project.localHelp":`Documents and questions never leave it then.`,"project.create":`Create project`,"session.rename":`Rename`,"session.share":`Share with the project`,"session.unshare":`Stop sharing`,"session.shared":`Shared`,"session.theirs":`{who} shares this chat. You can read it but not write in it.`,"session.delete":`Delete`,"session.deleteTitle":`Delete this chat?`,"session.deleteText":`“{title}” and all its answers will be gone.`,"session.title":`Title`,"session.titleHelp":`Without a title, the beginning of the first question is shown.`,"session.menu":`More options for this chat`,"session.menuOf":`More options for {title}`,"rag.on":`Documents on`,"rag.onHelp":`Answers come from the documents of {project}.`,"rag.off":`Documents off`,"rag.offHelp":`The model answers alone; no documents are searched.`,"message.writing":`The answer is being written.`,"message.finished_one":`The answer is complete, with one source.`,"message.finished_other":`The answer is complete, with {count} sources.`,"message.reasoning":`How the model reached this answer`,"message.cancelled":`This answer was stopped.`,"message.interrupted":`The server stopped while it was writing.`,"message.empty":`The model returned an empty answer.`,"message.copy":`Copy the text`,"regenerate.earlier":`The earlier answer is shown again.`,"message.regenerate":`Answer again`,"message.helpful":`Helpful`,"message.notHelpful":`Not helpful`,"message.evidence":`Everything that was found`,"message.confidence":`{percent} confident`,"message.confidenceHelp":`How likely the answer is to be right, judging by its sources.`,"messages.label":`Messages`,"messages.toEnd":`Go to the newest message`,"message.edit":`Edit and ask again`,"message.menu":`More options for this answer`,"message.copyWithSources":`Copy with its sources`,"edit.label":`The edited question`,"edit.help":`The messages that followed are kept as another version.`,"versions.label":`Versions`,"versions.previous":`Previous version`,"versions.next":`Next version`,"versions.number":`{number} / {all}`,"versions.which":`Version {number} of {all}`,"branch.shown":`The message is in another version of this chat, which is now shown.`,"message.replay":`Ask again with the same settings`,"compare.open":`Ask again with one change`,"compare.title":`Ask again with one change`,"compare.knob":`What to change`,"compare.knobHelp":`Everything else stays as the chat is set.`,"compare.on":`on`,"compare.off":`off`,"compare.changes":`What would be sent differently`,"compare.tokens":`{before} → {after} tokens in the prompt`,"compare.kept_one":`{count} passage stays`,"compare.kept_other":`{count} passages stay`,"compare.come":`Added`,"compare.gone":`Removed`,"compare.ask":`Ask`,"compare.shown":`Shown in the chat`,"compare.usage":`Prompt {input}, answer {output}, {time}`,"compare.keep":`Keep this one`,"compare.help":`The second answer is kept as another version, whichever one you choose.`,"export.markdown":`Save as Markdown`,"export.json":`Save as JSON`,"export.untitled":`Chat`,"outcome.NO_SOURCES":`Nothing found`,"outcome.NO_SOURCESHelp":`No document has anything relevant.`,"outcome.REJECTED":`Withdrawn`,"outcome.REJECTEDHelp":`The sources do not support what the model wrote.`,"outcome.INSUFFICIENT":`Not in the documents`,"outcome.INSUFFICIENTHelp":`The model says that the sources do not contain the answer.`,"rating.title":`What was not helpful?`,"rating.comment":`Anything else (optional)`,"rating.send":`Send`,"reason.INCORRECT":`It is wrong`,"reason.INCOMPLETE":`Something is missing`,"reason.IRRELEVANT":`It answers another question`,"reason.UNSUPPORTED":`The sources do not say that`,"reason.OUTDATED":`The sources are out of date`,"reason.UNCLEAR":`It is hard to understand`,"reason.REFUSED":`The documents do hold the answer`,"reason.OTHER":`Something else`,"stage.searching":`Searching the documents`,"stage.reading_one":`Reading one passage`,"stage.reading_other":`Reading {count} passages`,"stage.reconnecting":`The connection is lost. It continues where it stopped as soon as the server can be reached.`,"marker.name":`Source {index}: {title}`,"sources.title":`Sources`,"source.page":`page {page}`,"source.changed":`Changed`,"source.changedHelp":`The document has changed since this answer. The quote is what it said then.`,"source.deleted":`Deleted`,"source.deletedHelp":`The document was deleted. The quote is kept.`,"source.notFound":`These words are no longer in the passage.`,"source.placedByServer":`Source matched by Footnote`,"source.placedByModel":`Source named by the model`,"source.placedByServerHelp":`The model named no source for this sentence. Footnote found the passage that says the same.`,"source.placedByModelHelp":`The model named this source for the sentence, and Footnote found these words in it.`,"source.uses":`Where the answer cites it`,"source.use":`Quote {number}`,"source.open":`Read in the document`,"source.visit":`Visit`,"source.gone":`This passage no longer exists.`,"source.passage":`The cited passage`,"source.readOn":`Read on`,"source.readBefore":`Read what comes before`,"support.strong":`Strong support`,"support.fair":`Fair support`,"support.weak":`Weak support`,"support.help":`How well the quote supports the sentence that cites it.`,"evidence.label":`Where this answer comes from`,"evidence.close":`Close the panel`,"evidence.sources":`Sources`,"evidence.all":`All sources`,"found.cited":`Cited`,"found.nothingCited":`The answer cites nothing.`,"found.read":`Read, but not cited`,"found.left":`Found, but not given to the model`,"found.score":`Relevance {score}`,"decision.INCLUDED":`In the prompt`,"decision.SHORTENED":`Only its beginning is in the prompt`,"decision.BELOW_THRESHOLD":`Below the threshold`,"decision.OVER_BUDGET":`Did not fit`,"decision.DUPLICATE":`Says the same as another`,"decision.BEYOND_TOP_K":`Enough better ones were found`,"window.title":`Context window`,"window.label":`Context window: {used} of {all} tokens used`,"window.free":`Free`,"window.all":`Whole window`,"window.none":`The model was not called for this answer.`,"window.reduced":`{requested} were requested`,"window.reported":`Counted: {counted}. Reported by the provider: {reported}.`,"window.passages_one":`{count} passage`,"window.passages_other":`{count} passages`,"window.turns_one":`{count} message`,"window.turns_other":`{count} messages`,"window.memories_one":`{count} fact`,"window.memories_other":`{count} facts`,"window.dropped_one":`{count} left out`,"window.dropped_other":`{count} left out`,"window.wouldSend":`Would send {used} of {all} tokens`,"counting.EXACT":`Counted with the model's own tokenizer.`,"counting.CALIBRATED":`Estimated, then corrected using what the provider reported earlier.`,"counting.ESTIMATED":`Estimated; the real number is probably lower.`,"part.SYSTEM":`Instructions`,"part.TOOLS":`Tools`,"part.MEMORIES":`Facts about you`,"part.CONTEXT":`Passages`,"part.HISTORY":`Conversation`,"part.QUESTION":`Question`,"part.MARGIN":`Margin`,"part.COMPLETION":`Room for the answer`,"prompt.title":`What would be sent to the model`,"prompt.read":`Read the prompt`,"prompt.none":`The model would not be called.`,"role.system":`Instructions`,"role.user":`User`,"role.assistant":`Assistant`,"markdown.table":`Table`,"markdown.code":`Code`,"search.title":`Search chats`,"search.placeholder":`Part of a title, or words of a message`,"search.results":`Found`,"search.nothing":`No title and no message has these words.`,"search.chats":`Chats`,"search.messages":`In questions and answers`,"newChat.documents_one":`Ask about {count} document`,"newChat.documents_other":`Ask about {count} documents`,"newChat.empty":`There are no documents to ask about yet.`,"newChat.emptyViewer":`There are no documents to ask about yet. An editor of this project can add some.`,"home.title":`Start with a project`,"home.text":`A project holds the documents that answers come from, and the chats about them.`,"tour.title":`How it works`,"tour.questions":`Questions to start with`,"tour.question1":`Which document formats can Footnote read?`,"tour.question2":`How can I resume an answer after the connection breaks?`,"tour.question3":`What happens if the documents do not contain the answer?`,"tour.step1":`Ask`,"tour.text1":`Type a question, or pick one above. While you type, a bar shows what would be sent.`,"tour.step2":`Check`,"tour.text2":`Each number in the answer is a footnote. Point at it to see the source's own words.`,"tour.step3":`Look inside`,"tour.text3":`Click a footnote for the passage and its document, and for what was found but not used.`,"tour.dismiss":`Got it`,"knowledge.title":`Knowledge · {project}`,"knowledge.views":`Knowledge views`,"knowledge.documents":`Documents`,"knowledge.search":`Search`,"knowledge.model":`Embedding model`,"knowledge.documentCount_one":`{count} document`,"knowledge.documentCount_other":`{count} documents`,"knowledge.passageCount_one":`{count} passage`,"knowledge.passageCount_other":`{count} passages`,"knowledge.add":`Add documents`,"knowledge.drop":`Drop files or folders here.`,"knowledge.formats":`{names}, and any other text.`,"knowledge.formatsTitle":`Supported formats`,"knowledge.chooseFiles":`Choose files`,"knowledge.chooseFolder":`Choose a folder`,"knowledge.tooManyFiles":`Only the first {count} files are added.`,"knowledge.uploads":`Files being uploaded`,"knowledge.uploading":`Sending {name}`,"knowledge.removeUpload":`Remove {name}`,"knowledge.fileChanged":`This file was changed or moved after it was chosen. Choose it again.`,"knowledge.unreadable":`This could not be read. It may have been moved, or you may not have permission.`,"knowledge.moreUploads":`and {count} more`,"knowledge.paused":`Sending resumes automatically.`,"knowledge.notAdded_one":`{count} file was not added.`,"knowledge.notAdded_other":`{count} files were not added.`,"knowledge.retryAll":`Retry all`,"knowledge.clear":`Remove from the list`,"knowledge.filter":`Filter by title`,"knowledge.status":`Status`,"knowledge.allStatuses":`Any status`,"knowledge.more":`Show more`,"knowledge.noMatch":`No documents match`,"knowledge.empty":`No documents yet`,"knowledge.emptyHelp":`Drop some above. A minute later you can ask about them.`,"knowledge.emptyViewer":`An editor of this project can add some.`,"status.QUEUED":`Waiting`,"status.PROCESSING":`Being read`,"status.READY":`Ready`,"status.FAILED":`Failed`,"stage.PARSING":`Being read`,"stage.CHUNKING":`Being split`,"stage.EMBEDDING":`Being embedded`,"stage.INDEXING":`Being indexed`,"document.menu":`More options for {title}`,"document.preview":`Preview`,"document.previewHelp":`The text as it was read, passage by passage: this is what answers are made from.`,"document.openOriginal":`Open the original`,"document.download":`Download the original`,"document.rename":`Rename`,"document.replace":`Replace with a new file`,"document.delete":`Delete`,"document.version":`version {version}`,"document.progress":`Progress of {title}`,"document.title":`Title`,"document.titleHelp":`Titles are searched, too. Leave it empty to use the title in the file.`,"document.noSource":`This document was added without a source name, so there is no telling which file replaces it. Delete it and add the new file.`,"document.newFile":`New file`,"document.replaceHelp":`The old version is searched until the new one is ready.`,"document.deleteTitle":`Delete “{title}”?`,"document.deleteHelp":`It will no longer be found. Answers that cite it keep their quotes and say that it was deleted.`,"search.label":`Words or a question`,"search.help":`Shows the passages that a question would find, best first.`,"search.mode":`Match by`,"search.HYBRID":`Words and meaning`,"search.LEXICAL":`Words only`,"search.VECTOR":`Meaning only`,"search.go":`Search`,"search.none":`Nothing was found`,"search.scoreHelp":`Words {words}, meaning {meaning}`,"space.model":`Model`,"space.dimensions":`{count} dimensions`,"space.weight":`Weight of meaning`,"space.weightHelp":`How much meaning counts in a score; words make up the rest.`,"space.threshold":`Threshold`,"space.thresholdHelp":`Passages with a lower score are not used for answers.`,"space.measured":`Measured`,"space.measuredAt":`on this project's own texts, when it had {count} passages`,"space.notMeasured":`not yet: there are too few passages`,"space.building":`Switching to {model}: {done} of {total} passages`,"space.progress":`Progress of the switch to {model}`,"space.cancel":`Keep the current model`,"space.switch":`Switch the model`,"space.switchHelp":`All passages are embedded again in the background. Until that is done, the current model answers.`,"space.go":`Switch`,"space.failed":`The switch to {model} failed.`,saved:`Saved`,"session.settings":`Settings of this chat`,"option.reset":`Use the defaults`,"option.enableRag":`Answer from the documents`,"option.enableRagHelp":`Passages of the project's documents are found for each question and given to the model.`,"option.ragTopK":`Passages`,"option.ragTopKHelp":`How many passages an answer may use. More passages take up more of the window and distract small models.`,"option.ragThreshold":`Threshold`,"option.ragThresholdHelp":`Passages with a lower score are left out. The default is measured on the project's own texts.`,"option.includeCitations":`Show sources`,"option.includeCitationsHelp":`Answers contain markers such as [1], each checked against its passage.`,"option.grounding":`Grounding`,"option.grounding.GROUNDED":`Only from the sources`,"option.grounding.OPEN":`Sources and general knowledge`,"option.grounding.GROUNDEDHelp":`What the sources do not say is refused.`,"option.grounding.OPENHelp":`The model may also say what it knows by itself; that has no footnote.`,"option.contextTokenRatio":`Share of the window for passages`,"option.contextTokenRatioHelp":`The rest is for the conversation so far and the answer.`,"option.reformulate":`Rewrite questions for the search`,"option.reformulateHelp":`A model first turns “and when?” into a complete question. This takes one more request.`,"option.model":`Model`,"option.modelHelp":`As provider/model. The list shows what this server can reach.`,"option.temperature":`Temperature`,"option.temperatureHelp":`0 picks the most likely words; higher values give more variety and more mistakes.`,"option.promptProfile":`Prompt style`,"option.promptProfileHelp":`Small models do better with a short prompt that has an example.`,"option.promptProfile.AUTO":`By the model's size`,"option.promptProfile.SMALL":`For small models`,"option.promptProfile.LARGE":`For large models`,"option.maxTokens":`Longest answer, in tokens`,"option.maxTokensHelp":`Empty: the server's default.`,"option.systemPrompt":`Instructions for the model`,"option.systemPromptHelp":`Placed at the start of every prompt.`,"project.settings":`Settings · {project}`,"project.readOnly":`Only owners of the project can change these settings.`,"project.about":`About the project`,"project.localOnly":`Only models on this machine`,"project.localOnlyHelp":`Documents and questions never leave it.`,"project.noSources":`Answer when nothing relevant is found`,"project.noSourcesHelp":`Shown when answers must come from the sources.`,"project.rejected":`Answer shown instead of one without sources`,"project.rejectedHelp":`Shown when nothing that the model cites holds up.`,"project.defaults":`Defaults for its chats`,"project.defaultsHelp":`Every chat of the project uses these unless it sets its own.`,"project.delete":`Delete this project`,"project.deleteHelp":`This also deletes its documents, chats and memories. This cannot be undone.`,"project.deleteTitle":`Delete {project}?`,"project.typeName":`Type “{project}” to confirm`,"memories.title":`What it remembers about you`,"memories.help":`Facts that are given to the model with your questions in this project. Nobody else sees them.`,"memories.new":`A new fact`,"memories.remember":`Remember`,"memories.forget":`Forget “{content}”`,"members.title":`Members · {project}`,"members.email":`Email address`,"members.help":`The person must already share a project with you, unless the operator allows adding anybody on this server.`,"members.role":`Role`,"members.roleOf":`Role of {who}`,"members.add":`Add`,"members.remove":`Remove`,"members.removeWho":`Remove {who}`,"members.leaveSure":`Remove yourself? You will no longer have access to this project.`,"members.ownRoleSure":`Change your own role? Only another owner can give it back to you.`,"members.removeSure":`Remove {who}? They will no longer have access to this project.`,"members.roles":`Viewers search and chat. Editors also add, change and delete documents. Owners also change settings and members.`,"role.VIEWER":`Viewer`,"role.EDITOR":`Editor`,"role.OWNER":`Owner`,"invited.title":`Welcome to Footnote`,"invited.help":`You are signed in as {email} through a link that works only once. Set a password so that you can come back.`,"invited.set":`Set the password`,"invited.later":`Not now`,"link.title":`Sign in with this link?`,"link.text":`You are signed in as {who}. The link signs you in as the person it was made for.`,"link.stay":`Stay signed in`,"link.follow":`Use the link`,"account.title":`Your account`,"account.name":`Name`,"account.password":`Password`,"account.current":`Current password`,"account.currentHelp":`Leave it empty if you have none yet.`,"account.new":`New password`,"account.newHelp":`At least 8 characters; there are no other rules.`,"account.change":`Change the password`,"account.passwordChanged":`The password was changed`,"tokens.title":`Access tokens`,"tokens.help":`For programs that use the API in your name. Each can be revoked separately.`,"tokens.created":`Copy it now: it is shown only once.`,"tokens.copy":`Copy`,"tokens.copied":`Copied`,"tokens.label":`What it is for`,"tokens.life":`Expiration`,"tokens.days":`{days} days`,"tokens.forever":`Does not expire`,"tokens.until":`until {date}`,"tokens.used":`last used {date}`,"tokens.unused":`never used`,"tokens.create":`Create`,"tokens.revoke":`Revoke`,"tokens.revokeSure":`Revoke “{label}”? Programs that use it lose access at once. This cannot be undone.`,"tokens.revokeWhich":`Revoke {label}`,"health.title":`Status`,"health.OK":`OK`,"health.DEGRADED":`Limited`,"health.DOWN":`Down`,"health.version":`Footnote {version}`,"health.database":`Database`,"health.work":`Documents and answers being processed`,"health.embedded":`Built-in models`,"project.purpose":`Description`,"side.knowledge":`Knowledge`,"side.settings":`Settings`,"side.members":`Members`,"side.account":`Account`,"session.pin":`Pin`,"session.unpin":`Unpin`,"session.archive":`Archive`,"session.unarchive":`Unarchive`,"age.pinned":`Pinned`,"side.archived":`Archived chats`,"side.noArchived":`No chats are archived.`,"side.back":`Back to all chats`,"newChat.waiting":`{ready} of {all} documents are ready`,"pdf.tools":`Page and size`,"pdf.previous":`Previous page`,"pdf.next":`Next page`,"pdf.page":`Page`,"pdf.smaller":`Smaller`,"pdf.larger":`Larger`,"original.views":`How to view the document`,"original.pages":`Pages`,"original.text":`Text`},le=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),ue=function(e){return`/static/page/`+e},de={},fe=function(e){return e.pathname.endsWith(`.css`)},pe=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},me=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=ue(t,n);let r=s(t),i=fe(r);return pe(de,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:le,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},he={en:`English`,de:`Deutsch`},ge=`footnote:language`,_e={en:async()=>ce,de:async()=>(await me(async()=>{let{default:e}=await import(`./de-D1m2rlH8.js`);return{default:e}},[])).default},ve={en:async()=>({}),de:async()=>(await me(async()=>{let{default:e}=await import(`./de-DbacqI6W.js`);return{default:e}},[])).default},B=new class{#e=j(`en`);get language(){return v(this.#e)}set language(e){w(this.#e,e,!0)}#t=j(ce);get catalog(){return v(this.#t)}set catalog(e){w(this.#t,e)}#n=j({});get serverCatalog(){return v(this.#n)}set serverCatalog(e){w(this.#n,e)}#r=E(()=>new Intl.PluralRules(this.language));get plural(){return v(this.#r)}set plural(e){w(this.#r,e)}#i=E(()=>new Intl.NumberFormat(this.language));get number(){return v(this.#i)}set number(e){w(this.#i,e)}#a=E(()=>new Intl.NumberFormat(this.language,{style:`percent`,maximumFractionDigits:0}));get percent(){return v(this.#a)}set percent(e){w(this.#a,e)}#o=E(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`,timeStyle:`short`}));get date(){return v(this.#o)}set date(e){w(this.#o,e)}#s=E(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`}));get day(){return v(this.#s)}set day(e){w(this.#s,e)}};function V(e,t){return xe(B.catalog[e],t)}function ye(e,t,n){let r=B.plural.select(t)===`one`?`one`:`other`;return xe(B.catalog[`${e}_${r}`],{...n,count:B.number.format(t)})}function be(e,t,n){let r=B.serverCatalog[e];return r===void 0?t:xe(r,n)}function xe(e,t){return t?e.replace(/\{(\w+)\}/g,(e,n)=>String(t[n]??e)):e}async function Se(e){localStorage.setItem(ge,e),await we(e)}async function Ce(){await we([localStorage.getItem(ge),...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==null&&e in he)??`en`).catch(()=>void 0)}async function we(e){[B.catalog,B.serverCatalog]=await Promise.all([_e[e](),ve[e]()]),B.language=e,document.documentElement.lang=e}var H=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new H(`
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
    `,{fragmentName:`MemberList`}),new H(`
    fragment TokenItem on AccessToken {
  id
  label
  createdAt
  expiresAt
  lastUsedAt
}
    `,{fragmentName:`TokenItem`}),new H(`
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
    `,{fragmentName:`CitationItem`}),new H(`
    fragment NoticeItem on Notice {
  code
  message
}
    `,{fragmentName:`NoticeItem`}),new H(`
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
    `,{fragmentName:`Window`}),new H(`
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
}`,{fragmentName:`MessageItem`}),new H(`
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
    `,{fragmentName:`Passage`}),new H(`
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
}`,{fragmentName:`CitationPassages`}),new H(`
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
}`,{fragmentName:`Candidate`}),new H(`
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
    `,{fragmentName:`PagePlaces`}),new H(`
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
    `,{fragmentName:`SpaceItem`}),new H(`
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
    `,{fragmentName:`DocumentItem`}),new H(`
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
    `,{fragmentName:`Problem`}),new H(`
    fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}
    `,{fragmentName:`ProjectItem`}),new H(`
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
    `,{fragmentName:`SessionItem`}),new H(`
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
    `,{fragmentName:`SessionOptions`}),new H(`
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
    `,{fragmentName:`ProjectOptions`}),new H(`
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
}`,{fragmentName:`ProjectDetails`});var Te=new H(`
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
}`),Ee=new H(`
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
}`),De=new H(`
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
}`),Oe=new H(`
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
}`),ke=new H(`
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
}`),Ae=new H(`
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
}`),je=new H(`
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
}`),Me=new H(`
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
}`),Ne=new H(`
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
    `),Pe=new H(`
    query Viewer {
  viewer {
    user {
      id
      email
      name
    }
  }
}
    `),Fe=new H(`
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
}`),Ie=new H(`
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
}`),Le=new H(`
    mutation SignOut {
  signOut
}
    `),Re=new H(`
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
}`),ze=new H(`
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
}`),Be=new H(`
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
}`),Ve=new H(`
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
}`),He=new H(`
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
}`),Ue=new H(`
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
}`),We=new H(`
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
}`),Ge=new H(`
    query ExportChatSession($id: ID!, $format: ExportFormat!) {
  exportChatSession(id: $id, format: $format)
}
    `),Ke=new H(`
    query AnswerWithSources($id: ID!) {
  message(id: $id) {
    id
    contentWithSources
  }
}
    `),qe=new H(`
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
}`),Je=new H(`
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
}`);new H(`
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
}`);var Ye=new H(`
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
}`),Xe=new H(`
    query PreviewPrompt($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    messages {
      role
      content
      tokens
    }
  }
}
    `),Ze=new H(`
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
    `),Qe=new H(`
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
}`),$e=new H(`
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
    `),et=new H(`
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
}`),tt=new H(`
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
}`),nt=new H(`
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
}`),rt=new H(`
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
}`),it=new H(`
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
}`),at=new H(`
    query DocumentFormats {
  documentFormats {
    name
    mediaType
    extensions
    available
    unavailableReason
  }
}
    `),ot=new H(`
    query OriginalLink($id: ID!) {
  document(id: $id) {
    id
    signedUrl {
      href
      validUntil
    }
  }
}
    `),st=new H(`
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
    `),ct=new H(`
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
    `),lt=new H(`
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
}`),ut=new H(`
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
}`),dt=new H(`
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
}`),ft=new H(`
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
}`),pt=new H(`
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
}`),mt=new H(`
    query EmbeddingModels {
  models {
    name
    kind
    available
  }
}
    `),ht=new H(`
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
}`),gt=new H(`
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
}`),_t=new H(`
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
}`),vt=new H(`
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
}`),yt=new H(`
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
}`),bt=new H(`
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
}`),xt=new H(`
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
}`),St=new H(`
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
}`),Ct=new H(`
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
    `),wt=new H(`
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
}`),Tt=new H(`
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
}`),Et=new H(`
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
}`),Dt=new H(`
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
}`),Ot=new H(`
    query ChatModels {
  models {
    name
    kind
    available
    contextWindow
  }
}
    `),kt=new H(`
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
}`),At=new H(`
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
}`),jt=new H(`
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
}`),Mt=new H(`
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
}`),Nt=new H(`
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
}`),Pt={possibleTypes:{AddTextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],AddTextDocumentsResult:[`AddTextDocumentsPayload`,`ForbiddenError`,`NotFoundError`,`UnavailableError`,`ValidationError`],AnswerEvent:[`AnswerCancelled`,`AnswerCompleted`,`AnswerDelta`,`AnswerFailed`,`AnswerReplaced`,`BudgetNegotiated`,`CitationAdded`,`NoticeGiven`,`QueryReformulated`,`ReasoningDelta`,`RetrievalCompleted`],CancelAnswerResult:[`CancelAnswerPayload`,`NotFoundError`,`ValidationError`],CancelEmbeddingSwitchResult:[`CancelEmbeddingSwitchPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`],ChangePasswordResult:[`ChangePasswordPayload`,`RateLimitedError`,`ValidationError`],CreateAccessTokenResult:[`CreateAccessTokenPayload`,`ValidationError`],CreateChatSessionResult:[`CreateChatSessionPayload`,`NotFoundError`,`ValidationError`],CreateProjectResult:[`ConflictError`,`CreateProjectPayload`,`ValidationError`],DeleteChatSessionResult:[`DeleteChatSessionPayload`,`NotFoundError`,`ValidationError`],DeleteDocumentResult:[`DeleteDocumentPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteProjectResult:[`DeleteProjectPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],Error:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],ForgetResult:[`ForgetPayload`,`NotFoundError`,`ValidationError`],IngestionEvent:[`IngestionCompleted`,`IngestionFailed`,`IngestionProgressed`],Node:[`AccessToken`,`ChatSession`,`Chunk`,`Document`,`EmbeddingSpace`,`Memory`,`Message`,`Project`,`User`],RateAnswerResult:[`NotFoundError`,`RateAnswerPayload`,`ValidationError`],RecordCitationOpenedResult:[`NotFoundError`,`RecordCitationOpenedPayload`,`ValidationError`],RedeemSetupTokenResult:[`RedeemSetupTokenPayload`,`ValidationError`],RegenerateAnswerResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`RegenerateAnswerPayload`,`UnavailableError`,`ValidationError`],RememberResult:[`NotFoundError`,`RememberPayload`,`ValidationError`],RemoveProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RemoveProjectMemberPayload`,`ValidationError`],RereadDocumentsResult:[`ForbiddenError`,`NotFoundError`,`RereadDocumentsPayload`,`UnavailableError`,`ValidationError`],RetryDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RetryDocumentPayload`,`UnavailableError`,`ValidationError`],RevokeAccessTokenResult:[`NotFoundError`,`RevokeAccessTokenPayload`,`ValidationError`],SelectBranchResult:[`NotFoundError`,`SelectBranchPayload`,`ValidationError`],SendMessageResult:[`ConflictError`,`NotFoundError`,`RateLimitedError`,`SendMessagePayload`,`UnavailableError`,`ValidationError`],SetProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SetProjectMemberPayload`,`ValidationError`],SignInResult:[`RateLimitedError`,`SignInPayload`,`ValidationError`],SwitchEmbeddingModelResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SwitchEmbeddingModelPayload`,`UnavailableError`,`ValidationError`],TextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],UpdateChatSessionResult:[`NotFoundError`,`UpdateChatSessionPayload`,`ValidationError`],UpdateDocumentResult:[`ForbiddenError`,`NotFoundError`,`UnavailableError`,`UpdateDocumentPayload`,`ValidationError`],UpdateProjectResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`UpdateProjectPayload`,`ValidationError`],UpdateViewerResult:[`UpdateViewerPayload`,`ValidationError`],UploadDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`UploadDocumentPayload`,`ValidationError`],WithdrawRatingResult:[`NotFoundError`,`ValidationError`,`WithdrawRatingPayload`]}};function Ft(){return b({globalIDs:!0,possibleTypes:Pt.possibleTypes,logger:()=>void 0,updates:{Mutation:{createProject:(e,t,n)=>It(n,`Query`,`projects`),deleteProject:(e,t,n)=>It(n,`Query`,`projects`)}}})}function It(e,t,n){for(let{fieldName:r,fieldKey:i}of e.inspectFields(t))r===n&&e.invalidate(t,i)}var Lt=864e5;function Rt(e,t){let n=t.filter(Boolean);return[e===null?``:V(`source.page`,{page:e}),...n].filter(Boolean).join(` › `)}function zt(e){let t=[`byte`,`kilobyte`,`megabyte`,`gigabyte`],n=Math.min(Math.floor(Math.log10(Math.max(e,1))/3),t.length-1);return new Intl.NumberFormat(B.language,{style:`unit`,unit:t[n],unitDisplay:n?`short`:`long`,maximumFractionDigits:+!!n}).format(e/1e3**n)}function Bt(e){return new Intl.NumberFormat(B.language,{style:`unit`,unit:`second`,unitDisplay:`short`,maximumFractionDigits:1}).format(e/1e3)}function Vt(e){let[t,n]=e<9e4?[`second`,1e3]:e<54e5?[`minute`,6e4]:[`hour`,36e5];return new Intl.NumberFormat(B.language,{style:`unit`,unit:t,unitDisplay:`long`,maximumFractionDigits:0}).format(Math.ceil(e/n))}function Ht(e,t=new Date){let n=new Date(t.getFullYear(),t.getMonth(),t.getDate()).getTime(),r=new Date(e).getTime();return r>=n?`today`:r>=n-Lt?`yesterday`:r>=n-7*Lt?`week`:r>=n-30*Lt?`month`:`older`}var Ut=new Set([502,503,504]),Wt=new Set([`RATE_LIMITED`,`UNAVAILABLE`]),Gt=5e3,Kt=/Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/,qt=new Set([`ValidationError`,`ForbiddenError`,`NotFoundError`,`TooLarge`,`FileChanged`]),U=class extends Error{kind;issues;retryAfterMs;name=`Problem`;constructor(e,t=`other`,n=[],r=null){super(e),this.kind=t,this.issues=n,this.retryAfterMs=r}get isPermanent(){return qt.has(this.kind)}get isTemporary(){return this.kind===`unreachable`||this.kind===`unauthenticated`||this.retryAfterMs!==null}issueOf(e){return this.issues.find(({path:t})=>t.includes(e))?.message??null}};function Jt(e){let t=`retryAfterMs`in e?e.retryAfterMs:null;return new U(be(`error.${e.__typename}`,e.message,{wait:Vt(t??0)}),e.__typename,`issues`in e?e.issues:[],t)}function W({message:e,extensions:t},n){return n===401||t?.code===`UNAUTHENTICATED`?new U(be(`error.UNAUTHENTICATED`,e),`unauthenticated`):new U(e,`other`,[],$t(t))}function Yt(e){let[t]=e.graphQLErrors,n=e.response?.status;return t?W(t,n):n===401?new U(e.message,`unauthenticated`):n===void 0||Zt(n)?Xt():new U(e.networkError?.message??e.message)}function Xt(){return new U(V(`unreachable.text`),`unreachable`)}function Zt(e){return Ut.has(e)}function Qt(e){return e instanceof U?e:e instanceof Error&&Kt.test(e.message)?Xt():new U(e instanceof Error?e.message:String(e))}function $t(e){return Wt.has(e?.code)?Gt:null}var G=`footnote:token`;function en(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);return t===null&&n===null?null:(history.replaceState(history.state,``,location.pathname+location.search),{token:t,setup:n})}function tn(){return localStorage.getItem(G)}function nn(e){e?localStorage.setItem(G,e):localStorage.removeItem(G)}function rn(e){return/^[!-~]+$/.test(e)}function an(){let e=tn();return e&&`Bearer ${e}`}var K=`/graphql`,q=sn(),on=new Set;function sn(e=J){return new re({url:K,preferGetMethod:!1,exchanges:[Ft(),ie],fetchOptions:()=>({headers:e()})})}function cn(e){return sn(()=>J(e))}function J(e=tn()){return{"GraphQL-Require-Preflight":`1`,...e?{Authorization:`Bearer ${e}`}:{}}}async function ln(){try{let e=JSON.stringify({query:`{ __typename }`}),{status:t}=await fetch(K,{method:`POST`,headers:{...J(),"Content-Type":`application/json`},body:e});return!Zt(t)}catch{return!1}}function un(){q=sn()}function dn(e){return on.add(e),()=>on.delete(e)}function fn(e){for(let t of on)t(e)}async function pn(e,t,n=`cache-first`,r=q){return _n(r,await r.query(e.toString(),t,{requestPolicy:n}).toPromise())}function mn(e,t,n,r=`cache-and-network`){let i=q,a=i.query(e.toString(),t,{requestPolicy:r}),{unsubscribe:o}=C(a,te(e=>{let t=e.error?vn(i,e):null;n(e.data??null,t,e.stale)}));return o}async function hn(e,t,n=q){let r=_n(n,await n.mutation(e.toString(),t).toPromise()),[i]=Object.entries(r).flatMap(([e,t])=>e===`__typename`?[]:[t]);if(gn(i))throw Jt(i);return i}function gn(e){return typeof e==`object`&&!!e&&String(e.__typename).endsWith(`Error`)}function _n(e,t){if(t.error)throw vn(e,t);if(t.data===void 0||t.data===null)throw new U(`The server sent an empty result.`);return t.data}function vn(e,t){let n=Yt(t.error);return n.kind===`unauthenticated`&&e===q&&fn(n),n}var yn=300,bn=1e4,xn=new Set([4400,4401,4403]),Y=Sn();function Sn(){return k({url:new URL(K,location.href.replace(/^http/,`ws`)).href,connectionParams:()=>{let e=an();return e?{authorization:e}:{}},retryAttempts:0,lazyCloseTimeout:5e3})}function Cn(){Y.dispose(),Y=Sn()}function wn(e,t,n){let r=new AbortController;return Tn(e,t,n,r.signal),()=>r.abort()}async function Tn(e,t,n,r){let i=yn;for(;!r.aborted;){let a=Y,o=await En(e,t(),r,e=>{i=yn,n.connected?.(!0),n.next(e)});if(r.aborted)return;if(o===`done`)return n.done();if(o instanceof U&&o.retryAfterMs===null)return o.kind===`unauthenticated`&&a===Y&&fn(o),n.failed(o);o instanceof U&&(i=Math.max(i,o.retryAfterMs)),n.connected?.(!1),await On(i,r),i=Math.min(i*2,bn)}}function En(e,t,n,r){return new Promise(i=>{let a=Y.subscribe({query:e.toString(),variables:t},{next:({data:e,errors:t})=>{let[n]=t??[];n?i(W(n)):e&&r(e)},error:e=>i(Dn(e)),complete:()=>i(`done`)});n.addEventListener(`abort`,()=>{a(),i(`done`)})})}function Dn(e){return Array.isArray(e)?W(e[0]):e instanceof CloseEvent?xn.has(e.code)?new U(e.reason,`unauthenticated`):`broken`:e instanceof Event||e instanceof Error?`broken`:Qt(e)}function On(e,t){return new Promise(n=>{let r=new AbortController,i=()=>{r.abort(),clearTimeout(a),n()},a=setTimeout(i,e);addEventListener(`online`,i,{signal:r.signal}),document.addEventListener(`visibilitychange`,()=>document.hidden||i(),{signal:r.signal}),t.addEventListener(`abort`,i,{signal:r.signal})})}var kn=class{#e=j(null);get data(){return v(this.#e)}set data(e){w(this.#e,e)}#t=j(null);get problem(){return v(this.#t)}set problem(e){w(this.#t,e)}#n=j(!0);get loading(){return v(this.#n)}set loading(e){w(this.#n,e,!0)}#r=j(0);constructor(e,t,n=`cache-and-network`){D(()=>{let r=t(),i=v(this.#r)>0;if(this.loading=r!==null,r===null)this.data=null,this.problem=null;else return mn(e,r,(e,t,n)=>this.#i(e,t,n),i?`network-only`:n)})}#i(e,t,n){(e!==null||t===null)&&(this.data=e),this.problem=t,this.loading=n}reload(){m(()=>w(this.#r,v(this.#r)+1))}},An=6e3,jn=3e3,Mn=0,X=new class{#e=j(ae([]));get list(){return v(this.#e)}set list(e){w(this.#e,e,!0)}#t;get saysUnreachable(){return this.list.some(({unreachable:e})=>e)}show(e,t=`info`,n=!1){let r=++Mn;this.list.push({id:r,kind:t,text:e,unreachable:n}),t===`info`&&setTimeout(()=>this.dismiss(r),An)}fail=e=>{let{message:t,kind:n}=Qt(e),r=n===`unreachable`;this.list.some(({text:e})=>e===t)||this.show(t,`error`,r),r&&this.#n()};dismiss(e){this.list=this.list.filter(t=>t.id!==e)}#n(){this.#t??=setTimeout(()=>void this.#r(),jn)}async#r(){let e=!document.hidden&&await ln();this.#t=void 0,e?this.list=this.list.filter(({unreachable:e})=>!e):this.saysUnreachable&&this.#n()}},Nn=o(`<span><!></span>`);function Pn(t,i){let a=I(i,`tone`,3,`neutral`);var o=Nn(),s=F(o);u(s,()=>i.children),R(o),e(()=>{r(o,1,f([`badge`,a()]),`svelte-dtbgkf`),L(o,`title`,i.title)}),n(t,o)}var Fn=new Set([`$$slots`,`$$events`,`$$legacy`,`look`,`icon`,`small`,`label`,`busy`,`disabled`,`href`,`type`,`children`,`element`,`onclick`]),In=o(`<a><!></a>`),Ln=o(`<button><!></button>`);function Z(e,t){y(t,!0);let r=I(t,`look`,3,`secondary`),i=I(t,`icon`,3,!1),a=I(t,`small`,3,!1),o=I(t,`busy`,3,!1),c=I(t,`disabled`,3,!1),l=I(t,`type`,3,`button`),d=I(t,`element`,15),f=T(t,Fn);function p(e){o()?e.preventDefault():t.onclick?.(e)}var m=g(),h=A(m),_=e=>{var o=In();se(o,()=>({class:[`button`,r(),{icon:i(),small:a()}],href:t.href,"aria-label":t.label,title:t.label,onclick:t.onclick,...f}),void 0,void 0,void 0,`svelte-18sv61c`);var s=F(o);u(s,()=>t.children),R(o),N(o,e=>d(e),()=>d()),n(e,o)},v=e=>{var s=Ln();se(s,()=>({class:[`button`,r(),{icon:i(),small:a()}],type:l(),"aria-label":t.label,title:t.label,"aria-busy":o()||void 0,"aria-disabled":o()||void 0,disabled:c(),onclick:p,...f}),void 0,void 0,void 0,`svelte-18sv61c`);var m=F(s);u(m,()=>t.children),R(s),N(s,e=>d(e),()=>d()),n(e,s)};s(h,e=>{t.href===void 0?e(v,-1):e(_)}),n(e,m),O()}var Rn=new class{#e=j([]);get top(){return v(this.#e).at(-1)??null}enter(e){return w(this.#e,[...v(this.#e),e]),()=>w(this.#e,v(this.#e).filter(t=>t!==e))}},zn=new class{#e=0;constructor(){addEventListener(`beforeunload`,e=>{this.#e&&e.preventDefault()})}watch(e){D(()=>{if(e())return this.#e+=1,()=>--this.#e})}mayLeave(){return this.#e===0||this.confirmLoss()}confirmLoss(){return confirm(V(`unsaved`))}},Bn=o(`<div><p dir="auto" class="svelte-r9p0hk"> </p> <!></div>`),Vn=o(`<div class="toasts screen-only svelte-r9p0hk" role="region"></div>`);function Hn(t,i){y(i,!0);var a=Vn();d(a,21,()=>X.list,e=>e.id,(t,i)=>{var a=Bn(),o=F(a),s=x(o,!0),c=M(o,2);{let e=E(()=>V(`dismiss`));Z(c,{look:`ghost`,icon:!0,small:!0,get label(){return v(e)},onclick:()=>X.dismiss(v(i).id),children:(e,t)=>{ne(e,{})},$$slots:{default:!0}})}R(a),e(()=>{r(a,1,f([`toast`,v(i).kind]),`svelte-r9p0hk`),L(a,`role`,v(i).kind===`error`?`alert`:`status`),z(s,v(i).text),o.dir=o.dir}),n(t,a)}),R(a),e(e=>L(a,`aria-label`,e),[()=>V(`notifications`)]),n(t,a),O()}var Un=o(`<footer class="svelte-jby388"><!></footer>`),Wn=o(`<div class="sheet svelte-jby388"><header class="svelte-jby388"><h2 dir="auto" class="svelte-jby388"> </h2> <!></header> <div class="content svelte-jby388"><!></div> <!></div> <!>`,1),Gn=o(`<dialog><!></dialog>`);function Kn(t,i){let a=_();y(i,!0);let o=I(i,`place`,3,`center`),l=I(i,`wide`,3,!1),d=I(i,`unsaved`,3,!1),p=j(void 0),h=!1;zn.watch(()=>i.open&&d()),D(()=>i.open?m(()=>Rn.enter(a)):void 0),D(()=>{i.open&&v(p)&&!v(p).open?v(p).showModal():!i.open&&v(p)?.open&&v(p).close()});function g(){(!d()||zn.confirmLoss())&&i.onclose()}function b(e){e.target===v(p)&&h&&g()}var S=Gn(),C=F(S),T=t=>{var r=Wn(),o=A(r),c=F(o),l=F(c),d=x(l,!0),f=M(l,2);{let e=E(()=>V(`close`));Z(f,{look:`ghost`,icon:!0,small:!0,get label(){return v(e)},onclick:g,children:(e,t)=>{ne(e,{})},$$slots:{default:!0}})}R(c);var p=M(c,2),m=F(p);u(m,()=>i.children),R(p);var h=M(p,2),_=e=>{var t=Un(),r=F(t);u(r,()=>i.footer),R(t),n(e,t)};s(h,e=>{i.footer&&e(_)}),R(o);var y=M(o,2),b=e=>{Hn(e,{})};s(y,e=>{Rn.top===a&&e(b)}),e(()=>{L(l,`id`,a),z(d,i.title),l.dir=l.dir}),n(t,r)};s(C,e=>{i.open&&e(T)}),R(S),N(S,e=>w(p,e),()=>v(p)),e(()=>{r(S,1,f([o(),{wide:l()}]),`svelte-jby388`),L(S,`aria-labelledby`,a)}),c(`cancel`,S,e=>{e.preventDefault(),g()}),P(`pointerdown`,S,e=>h=e.target===v(p)),P(`click`,S,b),n(t,S),O()}l([`pointerdown`,`click`]);var qn=o(`<span class="icon svelte-1m5lo4h"><!></span>`),Jn=o(`<p dir="auto" class="svelte-1m5lo4h"> </p>`),Yn=o(`<div class="actions svelte-1m5lo4h"><!></div>`),Xn=o(`<div><!> <!> <!> <!></div>`);function Zn(i,o){let c=I(o,`whole`,3,!1);var l=Xn(),d=F(l),p=e=>{var t=qn(),r=F(t);ee(r,()=>o.icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),R(t),n(e,t)};s(d,e=>{o.icon&&e(p)});var m=M(d,2);t(m,()=>c()?`h1`:`h2`,!1,(t,i)=>{r(t,0,`title svelte-1m5lo4h`);var s=a();e(()=>z(s,o.title)),n(i,s)});var h=M(m,2),g=t=>{var r=Jn(),i=x(r,!0);e(()=>{z(i,o.text),r.dir=r.dir}),n(t,r)};s(h,e=>{o.text&&e(g)});var _=M(h,2),v=e=>{var t=Yn(),r=F(t);u(r,()=>o.children),R(t),n(e,t)};s(_,e=>{o.children&&e(v)}),R(l),e(()=>r(l,1,f([`empty`,{whole:c()}]),`svelte-1m5lo4h`)),n(i,l)}var Qn=o(`<p class="problem svelte-175sa6o" role="alert"> </p>`),$n=o(`<p class="help svelte-175sa6o"> </p>`),er=o(`<div class="field svelte-175sa6o"><label class="svelte-175sa6o"> </label> <!> <!> <!></div>`);function tr(t,r){let i=_();y(r,!0);let a=I(r,`problem`,3,null),o=E(()=>[r.help&&`${i}-help`,a()&&`${i}-problem`].filter(Boolean).join(` `)||void 0);var c=er(),l=F(c),d=x(l,!0),f=M(l,2);u(f,()=>r.children,()=>({id:i,"aria-describedby":v(o),"aria-invalid":a()?!0:void 0}));var p=M(f,2),m=t=>{var r=Qn(),o=x(r,!0);e(()=>{L(r,`id`,`${i}-problem`),z(o,a())}),n(t,r)};s(p,e=>{a()&&e(m)});var h=M(p,2),g=t=>{var a=$n(),o=x(a,!0);e(()=>{L(a,`id`,`${i}-help`),z(o,r.help)}),n(t,a)};s(h,e=>{r.help&&e(g)}),R(c),e(()=>{L(l,`for`,i),z(d,r.label)}),n(t,c),O()}var nr=h(`<svg viewBox="0 0 32 32" aria-hidden="true" class="svelte-1mi20zr"><rect width="32" height="32" rx="7" class="svelte-1mi20zr"></rect><path d="M7 10h11M7 16h18M7 22h14" class="svelte-1mi20zr"></path><circle cx="25" cy="9" r="3" class="svelte-1mi20zr"></circle></svg>`);function rr(t,r){var a=nr();let o;e(()=>o=i(a,``,o,{width:r.size,height:r.size})),n(t,a)}var ir=o(`<button type="button" tabindex="-1"><!> <span dir="auto" class="svelte-15gydnd"> </span> <!></button>`),ar=o(`<!> <div class="menu svelte-15gydnd" role="menu" tabindex="-1" popover="auto"></div>`,1);function or(t,i){let a=_();y(i,!0);let o=I(i,`align`,3,`end`),l=j(void 0),f=j(!1),m={text:``,at:-1/0};function h(){let e=document.getElementById(`${a}-trigger`);if(!v(l)||!e)return;let t=e.getBoundingClientRect(),{width:n,height:r}=v(l).getBoundingClientRect(),i=t.bottom+r+8<innerHeight||t.top<r,s=o()===`end`==(getComputedStyle(v(l)).direction===`ltr`)?t.right-n:t.left;v(l).style.setProperty(`left`,`${Math.max(8,Math.min(s,innerWidth-n-8))}px`),v(l).style.setProperty(`top`,`${i?t.bottom+4:t.top-r-4}px`),v(l).style.setProperty(`visibility`,`visible`),m.text=``;let c=b();(c.find(e=>e.ariaChecked===`true`)??c[0])?.focus()}function b(){return[...v(l)?.querySelectorAll(`[role^=menuitem]:not(:disabled)`)??[]]}function S(e){let t=performance.now();m={text:(t-m.at<700?m.text:``)+e.toLowerCase(),at:t};let n=b(),r=n.indexOf(document.activeElement),i=m.text.length>1?r:r+1;[...n.slice(i),...n.slice(0,i)].find(e=>e.textContent.trim().toLowerCase().startsWith(m.text))?.focus()}function C(e){let t=b(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:-1}[e.key];e.key===`Tab`&&v(l)?.hidePopover();let i=m.text!==``&&performance.now()-m.at<700;e.key.length!==1||e.key===` `&&!i||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),S(e.key)),r!==void 0&&(e.preventDefault(),t.at(r%t.length)?.focus())}function T(e){v(l)?.hidePopover(),document.getElementById(`${a}-trigger`)?.focus(),e.onselect()}var E=ar(),D=A(E);u(D,()=>i.trigger,()=>({id:`${a}-trigger`,popovertarget:a,"aria-haspopup":`menu`,"aria-expanded":v(f)}));var k=M(D,2);d(k,21,()=>i.items,p,(t,i)=>{var a=ir();let o;var c=F(a),l=e=>{var t=g(),r=A(t);ee(r,()=>v(i).icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),n(e,t)};s(c,e=>{v(i).icon&&e(l)});var u=M(c,2),d=x(u,!0),f=M(u,2),p=e=>{oe(e,{"aria-hidden":`true`,class:`check`})};s(f,e=>{v(i).checked&&e(p)}),R(a),e(()=>{L(a,`role`,v(i).checked===void 0?`menuitem`:`menuitemradio`),L(a,`aria-checked`,v(i).checked),a.disabled=v(i).disabled,o=r(a,1,`svelte-15gydnd`,null,o,{danger:v(i).danger}),z(d,v(i).label),u.dir=u.dir}),P(`click`,a,()=>T(v(i))),n(t,a)}),R(k),N(k,e=>w(l,e),()=>v(l)),e(()=>{L(k,`id`,a),L(k,`aria-labelledby`,`${a}-trigger`)}),c(`toggle`,k,e=>{w(f,e.newState===`open`),v(f)?h():v(l)?.style.removeProperty(`visibility`)}),P(`keydown`,k,C),n(t,E),O()}l([`keydown`,`click`]);function sr(t,r){y(r,!0);{let r=E(()=>V(`missing.title`)),i=E(()=>V(`missing.text`));Zn(t,{whole:!0,get title(){return v(r)},get text(){return v(i)},children:(t,r)=>{Z(t,{href:`/`,children:(t,r)=>{S();var i=a();e(e=>z(i,e),[()=>V(`missing.home`)]),n(t,i)},$$slots:{default:!0}})},$$slots:{default:!0}})}O()}function cr(e,t){y(t,!0),D(()=>{X.fail(t.error),t.ontold()}),O()}function lr(e,t){y(t,!0);let n=`Footnote`;D(()=>(document.title=t.name?`${t.name} · ${n}`:n,()=>document.title=n)),O()}function ur(t,r){y(r,!0);let i=I(r,`whole`,3,!1),o=E(()=>r.problem.kind===`unreachable`);D(()=>{if(!v(o))return;let e=setInterval(()=>document.hidden||r.onretry(),3e3);return()=>clearInterval(e)});{let s=E(()=>V(v(o)?`unreachable.title`:`problem.title`)),c=E(()=>v(o)?V(`unreachable.again`):r.problem.message);Zn(t,{get whole(){return i()},get title(){return v(s)},get text(){return v(c)},children:(t,i)=>{{let i=E(()=>v(o)?`primary`:`secondary`);Z(t,{get look(){return v(i)},get onclick(){return r.onretry},children:(t,r)=>{S();var i=a();e(e=>z(i,e),[()=>V(`retry`)]),n(t,i)},$$slots:{default:!0}})}},$$slots:{default:!0}})}O()}var dr=o(`<span class="spinner svelte-f4erjd" role="status"><span class="visually-hidden"> </span></span>`);function fr(t,r){y(r,!0);let i=I(r,`label`,19,()=>V(`loading`));var a=dr(),o=F(a),s=x(o,!0);R(a),e(()=>z(s,i())),n(t,a),O()}var pr=o(`<span class="count svelte-126ak3w"> </span>`),mr=o(`<button type="button" role="tab" class="svelte-126ak3w"> <!></button>`),hr=o(`<div class="tabs svelte-126ak3w" role="tablist" tabindex="-1"></div> <div class="panel svelte-126ak3w" role="tabpanel"><!></div>`,1);function gr(t,r){let i=_();y(r,!0);function a(e){let t=r.tabs.findIndex(({name:e})=>e===r.selected),n=getComputedStyle(e.currentTarget).direction===`rtl`?-1:1,a={ArrowRight:t+n,ArrowLeft:t-n,Home:0,End:-1}[e.key],o=a===void 0?void 0:r.tabs.at(a%r.tabs.length);o&&(e.preventDefault(),r.onselect(o.name),document.getElementById(`${i}-${o.name}`)?.focus())}var o=hr(),c=A(o);d(c,21,()=>r.tabs,e=>e.name,(t,a)=>{var o=mr(),c=F(o,!0),l=M(c),u=t=>{var r=pr(),i=x(r,!0);e(()=>z(i,v(a).count)),n(t,r)};s(l,e=>{v(a).count!==void 0&&e(u)}),R(o),e(()=>{L(o,`id`,`${i}-${v(a).name??``}`),L(o,`aria-selected`,v(a).name===r.selected),L(o,`aria-controls`,`${i}-panel`),L(o,`tabindex`,v(a).name===r.selected?0:-1),z(c,v(a).label)}),P(`click`,o,()=>r.onselect(v(a).name)),n(t,o)}),R(c);var l=M(c,2),f=F(l);u(f,()=>r.children,()=>r.selected),R(l),e(()=>{L(c,`aria-label`,r.label),L(l,`id`,`${i}-panel`),L(l,`aria-labelledby`,`${i}-${r.selected??``}`)}),P(`keydown`,c,a),n(t,o),O()}l([`keydown`,`click`]),l([`focusin`,`focusout`,`keydown`]);function _r(e){return history.state?.[e]}function vr(e,t){history.replaceState({...history.state,[e]:t},``)}function yr(e,t){history.pushState({...history.state,[e]:t},``)}var br=`top`,xr=100,Sr=[`wheel`,`touchmove`,`keydown`,`pointerdown`],Q=null,$;function Cr(e){let t=new AbortController;return Q=e,e.addEventListener(`scroll`,Ar,{signal:t.signal,passive:!0}),()=>{t.abort(),clearTimeout($),Q=null}}function wr(){clearTimeout($),Q&&vr(br,Q.scrollTop)}function Tr(){clearTimeout($)}function Er(){return _r(br)}function Dr(){let e=Er();e!==void 0&&Q?.scrollTo(0,e)}function Or(e,t){let n=new AbortController,r=t===void 0?kr():null,i=new ResizeObserver(()=>{r?r.scrollIntoView():Q?.scrollTo(0,t??0),(!Q||r||Math.abs(Q.scrollTop-(t??0))<=1)&&a()}),a=()=>{i.disconnect(),n.abort()};for(let e of Sr)addEventListener(e,a,{signal:n.signal,passive:!0});return i.observe(e),a}function kr(){try{return document.getElementById(decodeURIComponent(location.hash.slice(1)))}catch{return null}}function Ar(){clearTimeout($),$=setTimeout(wr,xr)}var jr=o(`<p class="svelte-1cjg1wn"> </p>`),Mr=o(`<header class="svelte-1cjg1wn"><h1 dir="auto" class="svelte-1cjg1wn"> </h1> <!></header>`),Nr=o(`<!> <section><!> <!></section>`,1);function Pr(t,i){y(i,!0);let a=I(i,`wide`,3,!1),o=j(void 0),c=Er(),l=E(()=>i.value!==null);D(()=>v(l)&&v(o)?Or(v(o),c):void 0);var d=Nr(),f=A(d);lr(f,{get name(){return i.title}});var p=M(f,2);let m;var h=F(p),_=t=>{var r=Mr(),a=F(r),o=x(a,!0),c=M(a,2),l=t=>{var r=jr(),a=x(r,!0);e(()=>z(a,i.summary)),n(t,r)};s(c,e=>{i.summary&&e(l)}),R(r),e(()=>{z(o,i.title),a.dir=a.dir}),n(t,r)};s(h,e=>{i.title!==null&&e(_)});var b=M(h,2),S=e=>{var t=g(),r=A(t);u(r,()=>i.children,()=>i.value),n(e,t)},C=e=>{ur(e,{get problem(){return i.found.problem},onretry:()=>i.found.reload()})},T=e=>{fr(e,{})},k=e=>{sr(e,{})};s(b,e=>{i.value===null?i.found.problem?e(C,1):i.found.loading?e(T,2):e(k,-1):e(S)}),R(p),N(p,e=>w(o,e),()=>v(o)),e(()=>m=r(p,1,`svelte-1cjg1wn`,null,m,{wide:a()})),n(t,d),O()}var Fr=o(`<div class="svelte-162rnmr"><!></div>`);function Ir(e){var t=Fr();fr(F(t),{}),R(t),n(e,t)}export{Rt as $,Le as $t,K as A,Te as At,an as B,Mt as Bt,Rn as C,ze as Ct,kn as D,it as Dt,X as E,Xe as Et,dn as F,Qe as Ft,U as G,Ae as Gt,tn as H,ft as Ht,pn as I,tt as It,Jt as J,We as Jt,Qt as K,ct as Kt,fn as L,et as Lt,J as M,Et as Mt,ln as N,bt as Nt,wn as O,pt as Ot,hn as P,vt as Pt,zt as Q,Fe as Qt,un as R,Ie as Rt,zn as S,Nt as St,Pn as T,Ye as Tt,en as U,Me as Ut,rn as V,De as Vt,nn as W,dt as Wt,Xt as X,Dt as Xt,Zt as Y,Ve as Yt,Ht as Z,Ee as Zt,rr as _,me as _n,at as _t,wr as a,kt as an,gt as at,Kn as b,Ge as bt,yr as c,Pe as cn,Re as ct,fr as d,Se as dn,Be as dt,_t as en,Bt as et,ur as f,Ce as fn,yt as ft,or as g,be as gn,st as gt,sr as h,ye as hn,At as ht,Cr as i,wt as in,He as it,cn as j,xt as jt,Cn as k,rt as kt,_r as l,nt as ln,$e as lt,cr as m,B as mn,ut as mt,Pr as n,ht as nn,Je as nt,Dr as o,jt as on,je as ot,lr as p,V as pn,Tt as pt,W as q,Ct as qt,Tr as r,Oe as rn,Ke as rt,vr as s,lt as sn,Ot as st,Ir as t,Ne as tn,qe as tt,gr as u,he as un,ke as ut,tr as v,Ze as vt,Z as w,ot as wt,Hn as x,St as xt,Zn as y,mt as yt,G as z,Ue as zt};