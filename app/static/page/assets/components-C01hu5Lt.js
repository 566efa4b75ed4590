import{$ as e,A as t,B as n,D as r,E as i,G as a,H as o,I as s,J as c,K as l,M as u,N as d,O as f,P as p,Q as m,St as h,U as g,V as _,W as v,X as y,_t as b,a as x,at as S,c as C,ct as w,d as T,et as E,ft as D,i as O,it as k,j as ee,l as te,lt as A,n as ne,o as re,ot as j,p as M,q as N,s as ie,st as P,t as ae,u as F,ut as I,vt as L,wt as oe,x as R,xt as se,y as ce,z}from"./packages-index-BrPZuR0Q.js";var le={close:`Close`,unsaved:`What you have written is not saved. Discard it?`,dismiss:`Dismiss`,loading:`Loading`,retry:`Try again`,skip:`Skip to the content`,notifications:`Notifications`,"unreachable.title":`The server cannot be reached`,"unreachable.text":`The server cannot be reached. Check the connection, and try again.`,"unreachable.again":`This page tries again every few seconds.`,"problem.title":`Something went wrong`,"problem.status":`The server answered with the status {status}. Try again.`,"problem.detail":`{detail}`,"problem.empty":`The server sent an empty result. Try again.`,"missing.title":`There is nothing here`,"missing.text":`It was deleted, or you have no access to it.`,"missing.home":`Go to the start page`,"side.label":`Projects and chats`,"side.open":`Open the sidebar`,"side.appearance":`Appearance and language`,"theme.system":`Same as the system`,"theme.light":`Light`,"theme.dark":`Dark`,"signIn.title":`Sign in to Footnote`,"signIn.ended":`Your sign-in has ended. Sign in again to go on where you were.`,"signIn.email":`Email address`,"signIn.password":`Password`,"signIn.token":`Access token`,"signIn.tokenHelp":`A token that you created here, or that the operator gave you.`,"signIn.enter":`Sign in`,"signIn.useToken":`Use an access token`,"signIn.usePassword":`Use a password`,"signIn.notToken":`That is not a token. Copy all of it, and nothing else.`,"composer.label":`Your question`,"composer.placeholder":`Ask your documents`,"composer.placeholderAlone":`Ask the model`,"composer.send":`Send`,"composer.keys":`Enter sends, Shift + Enter starts a new line`,"composer.stop":`Stop the answer`,"composer.noFiles":`A question can only contain text. Add files under “Knowledge”.`,"composer.tooLong":`This is as long as a question can be: {count} characters. Anything pasted beyond that is cut off.`,"message.question":`Your question`,"message.answer":`Answer`,cancel:`Cancel`,save:`Save`,delete:`Delete`,copy:`Copy`,copied:`Copied`,copyFailed:`The browser did not let the page copy. Select the text and copy it yourself.`,tokens_one:`{count} token`,tokens_other:`{count} tokens`,"side.newChat":`New chat`,"side.search":`Search`,"side.searchKeys":`Ctrl K`,"side.status":`Server status`,"side.playground":`Playground for developers`,"side.handbook":`Handbook`,"handbook.title":`Handbook`,"handbook.about":`How to use and operate Footnote. These pages are on this server.`,"handbook.previous":`Before`,"handbook.next":`Next`,"handbook.start":`To the start page`,"side.signOut":`Sign out`,"side.noChats":`Chats you start appear here.`,"side.more":`Show older chats`,"age.today":`Today`,"age.yesterday":`Yesterday`,"age.week":`Last 7 days`,"age.month":`Last 30 days`,"age.older":`Older`,"project.choose":`Project: {name}`,"project.new":`New project`,"project.name":`Name`,"project.description":`What it is about (optional)`,"project.local":`Use only models on this machine`,"project.localHelp":`Documents and questions never leave it then.`,"project.create":`Create project`,"session.rename":`Rename`,"session.share":`Share with the project`,"session.unshare":`Stop sharing`,"session.shared":`Shared`,"session.theirs":`{who} shares this chat. You can read it but not write in it.`,"session.delete":`Delete`,"session.deleteTitle":`Delete this chat?`,"session.deleteText":`“{title}” and all its answers will be gone.`,"session.title":`Title`,"session.titleHelp":`Without a title, the beginning of the first question is shown.`,"session.menu":`More options for this chat`,"session.menuOf":`More options for {title}`,"rag.on":`Documents on`,"rag.onHelp":`Answers come from the documents of {project}.`,"rag.off":`Documents off`,"rag.offHelp":`The model answers alone; no documents are searched.`,"message.writing":`The answer is being written.`,"message.finished_one":`The answer is complete, with one source.`,"message.finished_other":`The answer is complete, with {count} sources.`,"message.reasoning":`How the model reached this answer`,"message.cancelled":`This answer was stopped.`,"message.interrupted":`The server stopped while it was writing.`,"message.empty":`The model returned an empty answer.`,"message.copy":`Copy the text`,"regenerate.earlier":`The earlier answer is shown again.`,"message.regenerate":`Answer again`,"message.helpful":`Helpful`,"message.notHelpful":`Not helpful`,"message.evidence":`Everything that was found`,"message.confidence":`{percent} confident`,"message.confidenceHelp":`How likely the answer is to be right, judging by its sources.`,"messages.label":`Messages`,"messages.toEnd":`Go to the newest message`,"message.edit":`Edit and ask again`,"message.menu":`More options for this answer`,"message.copyWithSources":`Copy with its sources`,"edit.label":`The edited question`,"edit.help":`The messages that followed are kept as another version.`,"versions.label":`Versions`,"versions.previous":`Previous version`,"versions.next":`Next version`,"versions.number":`{number} / {all}`,"versions.which":`Version {number} of {all}`,"branch.shown":`The message is in another version of this chat, which is now shown.`,"branch.elsewhere":`Another version of this chat, asked for or chosen elsewhere, is now shown.`,"print.older":`Earlier messages of this chat are not printed. To print them, too, scroll up to the first one before, or save the chat as Markdown.`,"message.replay":`Ask again with the same settings`,"compare.open":`Ask again with one change`,"compare.title":`Ask again with one change`,"compare.knob":`What to change`,"compare.knobHelp":`Everything else stays as the chat is set.`,"compare.on":`on`,"compare.off":`off`,"compare.changes":`What would be sent differently`,"compare.tokens":`{before} → {after} tokens in the prompt`,"compare.kept_one":`{count} passage stays`,"compare.kept_other":`{count} passages stay`,"compare.come":`Added`,"compare.gone":`Removed`,"compare.ask":`Ask`,"compare.shown":`Shown in the chat`,"compare.usage":`Prompt {input}, answer {output}, {time}`,"compare.keep":`Keep this one`,"compare.help":`The second answer is kept as another version, whichever one you choose.`,"export.markdown":`Save as Markdown`,"export.json":`Save as JSON`,"export.untitled":`Chat`,"outcome.NO_SOURCES":`Nothing found`,"outcome.NO_SOURCESHelp":`No document has anything relevant.`,"outcome.REJECTED":`Withdrawn`,"outcome.REJECTEDHelp":`The sources do not support what the model wrote.`,"outcome.INSUFFICIENT":`Not in the documents`,"outcome.INSUFFICIENTHelp":`The model says that the sources do not contain the answer.`,"rating.title":`What was not helpful?`,"rating.comment":`Anything else (optional)`,"rating.send":`Send`,"reason.INCORRECT":`It is wrong`,"reason.INCOMPLETE":`Something is missing`,"reason.IRRELEVANT":`It answers another question`,"reason.UNSUPPORTED":`The sources do not say that`,"reason.OUTDATED":`The sources are out of date`,"reason.UNCLEAR":`It is hard to understand`,"reason.REFUSED":`The documents do hold the answer`,"reason.OTHER":`Something else`,"stage.searching":`Searching the documents`,"stage.reading_one":`Reading one passage`,"stage.reading_other":`Reading {count} passages`,"stage.reconnecting":`The connection is lost. It continues where it stopped as soon as the server can be reached.`,"marker.name":`Source {index}: {title}`,"sources.title":`Sources`,"source.page":`page {page}`,"source.changed":`Changed`,"source.changedHelp":`The document has changed since this answer. The quote is what it said then.`,"source.deleted":`Deleted`,"source.deletedHelp":`The document was deleted. The quote is kept.`,"source.notFound":`These words are no longer in the passage.`,"source.placedByServer":`Source matched by Footnote`,"source.placedByModel":`Source named by the model`,"source.placedByServerHelp":`The model named no source for this sentence. Footnote found the passage that says the same.`,"source.placedByModelHelp":`The model named this source for the sentence, and Footnote found these words in it.`,"source.uses":`Where the answer cites it`,"source.use":`Quote {number}`,"source.open":`Read in the document`,"source.visit":`Visit`,"source.gone":`This passage no longer exists.`,"source.passage":`The cited passage`,"source.readOn":`Read on`,"source.readBefore":`Read what comes before`,"support.strong":`Strong support`,"support.fair":`Fair support`,"support.weak":`Weak support`,"support.help":`How well the quote supports the sentence that cites it.`,"evidence.label":`Where this answer comes from`,"evidence.close":`Close the panel`,"evidence.sources":`Sources`,"evidence.all":`All sources`,"found.cited":`Cited`,"found.nothingCited":`The answer cites nothing.`,"found.read":`Read, but not cited`,"found.left":`Found, but not given to the model`,"found.score":`Relevance {score}`,"decision.INCLUDED":`In the prompt`,"decision.SHORTENED":`Only its beginning is in the prompt`,"decision.BELOW_THRESHOLD":`Below the threshold`,"decision.OVER_BUDGET":`Did not fit`,"decision.DUPLICATE":`Says the same as another`,"decision.BEYOND_TOP_K":`Enough better ones were found`,"window.title":`Context window`,"window.label":`Context window: {used} of {all} tokens used`,"window.free":`Free`,"window.all":`Whole window`,"window.none":`The model was not called for this answer.`,"window.reduced":`{requested} were requested`,"window.reported":`Counted: {counted}. Reported by the provider: {reported}.`,"window.passages_one":`{count} passage`,"window.passages_other":`{count} passages`,"window.turns_one":`{count} message`,"window.turns_other":`{count} messages`,"window.memories_one":`{count} fact`,"window.memories_other":`{count} facts`,"window.dropped_one":`{count} left out`,"window.dropped_other":`{count} left out`,"window.wouldSend":`Would send {used} of {all} tokens`,"counting.EXACT":`Counted with the model's own tokenizer.`,"counting.CALIBRATED":`Estimated, then corrected using what the provider reported earlier.`,"counting.ESTIMATED":`Estimated; the real number is probably lower.`,"part.SYSTEM":`Instructions`,"part.TOOLS":`Tools`,"part.MEMORIES":`Facts about you`,"part.CONTEXT":`Passages`,"part.HISTORY":`Conversation`,"part.QUESTION":`Question`,"part.MARGIN":`Margin`,"part.COMPLETION":`Room for the answer`,"prompt.title":`What would be sent to the model`,"prompt.read":`Read the prompt`,"prompt.none":`The model would not be called.`,"role.system":`Instructions`,"role.user":`User`,"role.assistant":`Assistant`,"markdown.table":`Table`,"markdown.code":`Code`,"search.title":`Search chats`,"search.placeholder":`Part of a title, or words of a message`,"search.results":`Found`,"search.nothing":`No title and no message has these words.`,"search.chats":`Chats`,"search.messages":`In questions and answers`,"newChat.documents_one":`Ask about {count} document`,"newChat.documents_other":`Ask about {count} documents`,"newChat.empty":`There are no documents to ask about yet.`,"newChat.emptyViewer":`There are no documents to ask about yet. An editor of this project can add some.`,"home.title":`Start with a project`,"home.text":`A project holds the documents that answers come from, and the chats about them.`,"tour.title":`How it works`,"tour.questions":`Questions to start with`,"tour.question1":`Which document formats can Footnote read?`,"tour.question2":`How can I resume an answer after the connection breaks?`,"tour.question3":`What happens if the documents do not contain the answer?`,"tour.step1":`Ask`,"tour.text1":`Type a question, or pick one above. While you type, a bar shows what would be sent.`,"tour.step2":`Check`,"tour.text2":`Each number in the answer is a footnote. Point at it to see the source's own words.`,"tour.step3":`Look inside`,"tour.text3":`Click a footnote for the passage and its document, and for what was found but not used.`,"tour.dismiss":`Got it`,"knowledge.title":`Knowledge · {project}`,"knowledge.views":`Knowledge views`,"knowledge.documents":`Documents`,"knowledge.search":`Search`,"knowledge.model":`Embedding model`,"knowledge.documentCount_one":`{count} document`,"knowledge.documentCount_other":`{count} documents`,"knowledge.passageCount_one":`{count} passage`,"knowledge.passageCount_other":`{count} passages`,"knowledge.add":`Add documents`,"knowledge.drop":`Drop files or folders here.`,"knowledge.formats":`{names}, and any other text.`,"knowledge.formatsTitle":`Supported formats`,"knowledge.chooseFiles":`Choose files`,"knowledge.chooseFolder":`Choose a folder`,"knowledge.tooManyFiles":`Only the first {count} files are added.`,"knowledge.noFiles":`Nothing was added: there are no files in it.`,"knowledge.uploads":`Files being uploaded`,"knowledge.uploading":`Sending {name}`,"knowledge.removeUpload":`Remove {name}`,"knowledge.fileChanged":`This file was changed or moved after it was chosen. Choose it again.`,"knowledge.unreadable":`This could not be read. It may have been moved, or you may not have permission.`,"knowledge.moreUploads":`and {count} more`,"knowledge.paused":`Sending resumes automatically.`,"knowledge.notAdded_one":`{count} file was not added.`,"knowledge.notAdded_other":`{count} files were not added.`,"knowledge.retryAll":`Retry all`,"knowledge.clear":`Remove from the list`,"knowledge.filter":`Filter by title`,"knowledge.status":`Status`,"knowledge.allStatuses":`Any status`,"knowledge.more":`Show more`,"knowledge.noMatch":`No documents match`,"knowledge.empty":`No documents yet`,"knowledge.emptyHelp":`Drop some above. A minute later you can ask about them.`,"knowledge.emptyViewer":`An editor of this project can add some.`,"status.QUEUED":`Waiting`,"status.PROCESSING":`Being read`,"status.READY":`Ready`,"status.FAILED":`Failed`,"stage.PARSING":`Being read`,"stage.CHUNKING":`Being split`,"stage.EMBEDDING":`Being embedded`,"stage.INDEXING":`Being indexed`,"document.menu":`More options for {title}`,"document.preview":`Preview`,"document.previewHelp":`The text as it was read, passage by passage: this is what answers are made from.`,"document.openOriginal":`Open the original`,"document.download":`Download the original`,"document.rename":`Rename`,"document.replace":`Replace with a new file`,"document.delete":`Delete`,"document.version":`version {version}`,"document.progress":`Progress of {title}`,"document.title":`Title`,"document.titleHelp":`Titles are searched, too. Leave it empty to use the title in the file.`,"document.noSource":`This document was added without a source name, so there is no telling which file replaces it. Delete it and add the new file.`,"document.newFile":`New file`,"document.replaceHelp":`The old version is searched until the new one is ready.`,"document.deleteTitle":`Delete “{title}”?`,"document.deleteHelp":`It will no longer be found. Answers that cite it keep their quotes and say that it was deleted.`,"search.label":`Words or a question`,"search.help":`Shows the passages that a question would find, best first.`,"search.mode":`Match by`,"search.HYBRID":`Words and meaning`,"search.LEXICAL":`Words only`,"search.VECTOR":`Meaning only`,"search.go":`Search`,"search.none":`Nothing was found`,"search.scoreHelp":`Words {words}, meaning {meaning}`,"space.model":`Model`,"space.dimensions":`{count} dimensions`,"space.weight":`Weight of meaning`,"space.weightHelp":`How much meaning counts in a score; words make up the rest.`,"space.threshold":`Threshold`,"space.thresholdHelp":`Passages with a lower score are not used for answers.`,"space.measured":`Measured`,"space.measuredAt":`on this project's own texts, when it had {count} passages`,"space.notMeasured":`not yet: there are too few passages`,"space.building":`Switching to {model}: {done} of {total} passages`,"space.progress":`Progress of the switch to {model}`,"space.cancel":`Keep the current model`,"space.switch":`Switch the model`,"space.switchHelp":`All passages are embedded again in the background. Until that is done, the current model answers.`,"space.go":`Switch`,"space.paused":`{detail}`,"space.failed":`The switch to {model} failed. {detail}`,saved:`Saved`,"session.settings":`Settings of this chat`,"option.reset":`Use the defaults`,"option.enableRag":`Answer from the documents`,"option.enableRagHelp":`Passages of the project's documents are found for each question and given to the model.`,"option.ragTopK":`Passages`,"option.ragTopKHelp":`How many passages an answer may use. More passages take up more of the window and distract small models.`,"option.ragThreshold":`Threshold`,"option.ragThresholdHelp":`Passages with a lower score are left out. The default is measured on the project's own texts.`,"option.includeCitations":`Show sources`,"option.includeCitationsHelp":`Answers contain markers such as [1], each checked against its passage.`,"option.grounding":`Grounding`,"option.grounding.GROUNDED":`Only from the sources`,"option.grounding.OPEN":`Sources and general knowledge`,"option.grounding.GROUNDEDHelp":`What the sources do not say is refused.`,"option.grounding.OPENHelp":`The model may also say what it knows by itself; that has no footnote.`,"option.contextTokenRatio":`Share of the window for passages`,"option.contextTokenRatioHelp":`The rest is for the conversation so far and the answer.`,"option.reformulate":`Rewrite questions for the search`,"option.reformulateHelp":`A model first turns “and when?” into a complete question. This takes one more request.`,"option.model":`Model`,"option.modelHelp":`As provider/model. The list shows what this server can reach.`,"option.temperature":`Temperature`,"option.temperatureHelp":`0 picks the most likely words; higher values give more variety and more mistakes.`,"option.promptProfile":`Prompt style`,"option.promptProfileHelp":`Small models do better with a short prompt that has an example.`,"option.promptProfile.AUTO":`By the model's size`,"option.promptProfile.SMALL":`For small models`,"option.promptProfile.LARGE":`For large models`,"option.maxTokens":`Longest answer, in tokens`,"option.maxTokensHelp":`If empty, the default applies.`,"option.systemPrompt":`Instructions for the model`,"option.systemPromptHelp":`Placed at the start of every prompt.`,"project.settings":`Settings · {project}`,"project.readOnly":`Only owners of the project can change these settings.`,"project.about":`About the project`,"project.localOnly":`Only models on this machine`,"project.localOnlyHelp":`Documents and questions never leave it.`,"project.noSources":`Answer when nothing relevant is found`,"project.noSourcesHelp":`Shown when answers must come from the sources.`,"project.rejected":`Answer shown instead of one without sources`,"project.rejectedHelp":`Shown when nothing that the model cites holds up.`,"project.ownText":`If empty, the default applies, in the language of the question.`,"project.defaults":`Defaults for its chats`,"project.defaultsHelp":`Every chat of the project uses these unless it sets its own.`,"project.delete":`Delete this project`,"project.deleteHelp":`This also deletes its documents, chats and memories. This cannot be undone.`,"project.deleteTitle":`Delete {project}?`,"project.typeName":`Type “{project}” to confirm`,"memories.title":`What it remembers about you`,"memories.help":`Facts that are given to the model with your questions in this project. Nobody else sees them.`,"memories.new":`A new fact`,"memories.remember":`Remember`,"memories.forget":`Forget “{content}”`,"members.title":`Members · {project}`,"members.email":`Email address`,"members.help":`The person must already share a project with you, unless the operator allows adding anybody on this server.`,"members.role":`Role`,"members.roleOf":`Role of {who}`,"members.add":`Add`,"members.remove":`Remove`,"members.removeWho":`Remove {who}`,"members.soleOwner":`The only owner. To leave or to change this role, first make someone else an owner.`,"members.leaveSure":`Remove yourself? You will no longer have access to this project.`,"members.ownRoleSure":`Change your own role? Only another owner can give it back to you.`,"members.removeSure":`Remove {who}? They will no longer have access to this project.`,"members.roles":`Viewers search and chat. Editors also add, change and delete documents. Owners also change settings and members.`,"role.VIEWER":`Viewer`,"role.EDITOR":`Editor`,"role.OWNER":`Owner`,"invited.title":`Welcome to Footnote`,"invited.help":`You are signed in as {email} through a link that works only once. Set a password so that you can come back.`,"invited.set":`Set the password`,"invited.later":`Not now`,"link.title":`Sign in with this link?`,"link.text":`You are signed in as {who}. The link signs you in as the person it was made for.`,"link.stay":`Stay signed in`,"link.follow":`Use the link`,"account.title":`Your account`,"account.name":`Name`,"account.password":`Password`,"account.current":`Current password`,"account.currentHelp":`Leave it empty if you have none yet.`,"account.new":`New password`,"account.newHelp":`At least 8 characters; there are no other rules.`,"account.change":`Change the password`,"account.passwordChanged":`The password was changed`,"tokens.title":`Access tokens`,"tokens.help":`For programs that use the API in your name. Each can be revoked separately.`,"tokens.created":`Copy it now: it is shown only once.`,"tokens.copy":`Copy`,"tokens.copied":`Copied`,"tokens.label":`What it is for`,"tokens.life":`Expiration`,"tokens.days":`{days} days`,"tokens.forever":`Does not expire`,"tokens.until":`until {date}`,"tokens.used":`last used {date}`,"tokens.unused":`never used`,"tokens.create":`Create`,"tokens.revoke":`Revoke`,"tokens.revokeSure":`Revoke “{label}”? Programs that use it lose access at once. This cannot be undone.`,"tokens.revokeWhich":`Revoke {label}`,"health.title":`Status`,"health.OK":`OK`,"health.DEGRADED":`Limited`,"health.DOWN":`Down`,"health.version":`Footnote {version}`,"health.database":`Database`,"health.work":`Documents and answers being processed`,"health.embedded":`Built-in models`,"health.detail":`{detail}`,"project.purpose":`Description`,"side.knowledge":`Knowledge`,"side.settings":`Settings`,"side.members":`Members`,"side.account":`Account`,"session.pin":`Pin`,"session.unpin":`Unpin`,"session.archive":`Archive`,"session.unarchive":`Unarchive`,"age.pinned":`Pinned`,"side.archived":`Archived chats`,"side.noArchived":`No chats are archived.`,"side.back":`Back to all chats`,"newChat.waiting":`{ready} of {all} documents are ready`,"pdf.tools":`Page and size`,"pdf.previous":`Previous page`,"pdf.next":`Next page`,"pdf.page":`Page`,"pdf.smaller":`Smaller`,"pdf.larger":`Larger`,"original.views":`How to view the document`,"original.pages":`Pages`,"original.text":`Text`,"original.none":`This document has no original.`},ue=class{open;#e=new Map;constructor(e){this.open=e}read(e){return this.#e.get(e)??this.#t(t=>t.getItem(e))??null}readJson(e){try{return JSON.parse(this.read(e)??`null`)}catch{return null}}write(e,t){this.#e.delete(e),this.#t(n=>(t===null?n.removeItem(e):n.setItem(e,t),!0))||t===null||(this.#e.set(e,t),this.#t(t=>t.removeItem(e)))}names(){return this.#t(e=>Object.keys(e))??[]}#t(e){try{return e(this.open())}catch{return}}},B=new ue(()=>localStorage),de=new ue(()=>sessionStorage),fe=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),pe=function(e){return`/static/page/`+e},me={},he=function(e){return e.pathname.endsWith(`.css`)},ge=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},_e=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=pe(t,n);let r=s(t),i=he(r);return ge(me,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:fe,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},ve={en:`English`,de:`Deutsch`},ye=`footnote:language`,be={en:async()=>le,de:async()=>(await _e(async()=>{let{default:e}=await import(`./de-CpLgs5tS.js`);return{default:e}},[])).default},xe={en:async()=>({}),de:async()=>(await _e(async()=>{let{default:e}=await import(`./de-BqM1q11E.js`);return{default:e}},[])).default},V=new class{#e=I(`en`);get language(){return y(this.#e)}set language(e){A(this.#e,e,!0)}#t=I(le);get catalog(){return y(this.#t)}set catalog(e){A(this.#t,e)}#n=I({});get serverCatalog(){return y(this.#n)}set serverCatalog(e){A(this.#n,e)}#r=D(()=>De(this.serverCatalog,`refusal.`));get refusals(){return y(this.#r)}set refusals(e){A(this.#r,e)}#i=D(()=>De(this.serverCatalog,`remark.`));get remarks(){return y(this.#i)}set remarks(e){A(this.#i,e)}#a=D(()=>De(this.serverCatalog,`health.`));get details(){return y(this.#a)}set details(e){A(this.#a,e)}#o=D(()=>new Intl.PluralRules(this.language));get plural(){return y(this.#o)}set plural(e){A(this.#o,e)}#s=D(()=>new Intl.NumberFormat(this.language));get number(){return y(this.#s)}set number(e){A(this.#s,e)}#c=D(()=>new Intl.NumberFormat(this.language,{style:`percent`,maximumFractionDigits:0}));get percent(){return y(this.#c)}set percent(e){A(this.#c,e)}#l=D(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`,timeStyle:`short`}));get date(){return y(this.#l)}set date(e){A(this.#l,e)}#u=D(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`}));get day(){return y(this.#u)}set day(e){A(this.#u,e)}};function H(e,t){return Oe(V.catalog[e],t)}function Se(e,t,n){let r=V.plural.select(t)===`one`?`one`:`other`;return Oe(V.catalog[`${e}_${r}`],{...n,count:V.number.format(t)})}function U(e,t,n){let r=V.serverCatalog[e];return r===void 0?t:Oe(r,{detail:t,...n})}function Ce(e,t){return Ee(V.remarks,t)??U(`notice.${e}`,t)}function we(e){return Ee(V.refusals,e)}function Te(e){return Ee(V.details,e)??H(`health.detail`,{detail:e})}function Ee(e,t){for(let{pattern:n,text:r}of e){let e=n.exec(t);if(e===null)continue;let i=e.groups??{},a=Number(i.count?.replaceAll(`,`,``));return Oe(r,Number.isNaN(a)?i:{...i,count:V.number.format(a)})}return null}function De(e,t){return Object.entries(e).filter(([e])=>e.startsWith(t)).map(([e,n])=>{let r=e.slice(t.length).replace(/[.*+?^$()|[\]\\]/g,`\\$&`);return{pattern:RegExp(`^${r.replace(/\{(\w+)\}/g,`(?<$1>.*)`)}$`,`s`),text:n}})}function Oe(e,t){return t?e.replace(/\{(\w+)\}/g,(e,n)=>String(t[n]??e)):e}async function ke(e){B.write(ye,e),await je(e)}async function Ae(){await je([B.read(ye),...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==null&&Object.hasOwn(ve,e))??`en`).catch(()=>void 0)}async function je(e){[V.catalog,V.serverCatalog]=await Promise.all([be[e](),xe[e]()]),V.language=e,document.documentElement.lang=e}var W=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new W(`
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
    `,{fragmentName:`MemberList`}),new W(`
    fragment TokenItem on AccessToken {
  id
  label
  createdAt
  expiresAt
  lastUsedAt
}
    `,{fragmentName:`TokenItem`}),new W(`
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
    `,{fragmentName:`CitationItem`}),new W(`
    fragment NoticeItem on Notice {
  code
  message
}
    `,{fragmentName:`NoticeItem`}),new W(`
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
    `,{fragmentName:`Window`}),new W(`
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
}`,{fragmentName:`MessageItem`}),new W(`
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
    `,{fragmentName:`Passage`}),new W(`
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
}`,{fragmentName:`CitationPassages`}),new W(`
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
}`,{fragmentName:`Candidate`}),new W(`
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
    `,{fragmentName:`PagePlaces`}),new W(`
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
    `,{fragmentName:`SpaceItem`}),new W(`
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
    `,{fragmentName:`DocumentItem`}),new W(`
    fragment Problem on Error {
  message
  ... on ValidationError {
    issues {
      path
      code
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
    `,{fragmentName:`Problem`}),new W(`
    fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}
    `,{fragmentName:`ProjectItem`}),new W(`
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
    `,{fragmentName:`SessionItem`}),new W(`
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
    `,{fragmentName:`SessionOptions`}),new W(`
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
    `,{fragmentName:`ProjectOptions`}),new W(`
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
}`,{fragmentName:`ProjectDetails`});var Me=new W(`
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
}`),Ne=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Pe=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Fe=new W(`
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
}`),Ie=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Le=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Re=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),ze=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Be=new W(`
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
    `),Ve=new W(`
    query Viewer {
  viewer {
    user {
      id
      email
      name
    }
  }
}
    `),He=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ue=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),We=new W(`
    mutation SignOut {
  signOut
}
    `),Ge=new W(`
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
    newest: messages(last: 1, allBranches: true) {
      nodes {
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
}
fragment ProjectItem on Project {
  id
  name
  description
  viewerRole
}`),Ke=new W(`
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
}`),qe=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Je=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ye=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Xe=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ze=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Qe=new W(`
    query ExportChatSession($id: ID!, $format: ExportFormat!) {
  exportChatSession(id: $id, format: $format)
}
    `),$e=new W(`
    query AnswerWithSources($id: ID!) {
  message(id: $id) {
    id
    contentWithSources
  }
}
    `),et=new W(`
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
}`),tt=new W(`
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
}`);new W(`
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
}`);var nt=new W(`
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
}`),rt=new W(`
    query PreviewPrompt($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    messages {
      role
      content
      tokens
    }
  }
}
    `),it=new W(`
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
    `),at=new W(`
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
}`),ot=new W(`
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
    `),st=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),ct=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),lt=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),ut=new W(`
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
}`),dt=new W(`
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
}`),ft=new W(`
    query DocumentFormats {
  documentFormats {
    name
    mediaType
    extensions
    available
    unavailableReason
  }
}
    `),pt=new W(`
    query OriginalLink($id: ID!) {
  document(id: $id) {
    id
    signedUrl {
      href
      validUntil
    }
  }
}
    `),mt=new W(`
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
    `),ht=new W(`
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
    `),gt=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),_t=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),vt=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),yt=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),bt=new W(`
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
}`),xt=new W(`
    query EmbeddingModels {
  models {
    name
    kind
    available
  }
}
    `),St=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Ct=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),wt=new W(`
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
}`),Tt=new W(`
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
}`),Et=new W(`
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
      code
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
}`),Dt=new W(`
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
}`),Ot=new W(`
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
}`),kt=new W(`
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
}`),At=new W(`
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
    `),jt=new W(`
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
      code
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
}`),Mt=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Nt=new W(`
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
}`),Pt=new W(`
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
}`),Ft=new W(`
    query ChatModels {
  models {
    name
    kind
    available
    contextWindow
  }
}
    `),It=new W(`
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
      code
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
}`),Lt=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Rt=new W(`
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
      code
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
}`),zt=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Bt=new W(`
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
      code
      message
    }
  }
  ... on RateLimitedError {
    retryAfterMs
  }
  ... on UnavailableError {
    retryAfterMs
  }
}`),Vt={possibleTypes:{AddTextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],AddTextDocumentsResult:[`AddTextDocumentsPayload`,`ForbiddenError`,`NotFoundError`,`UnavailableError`,`ValidationError`],AnswerEvent:[`AnswerCancelled`,`AnswerCompleted`,`AnswerDelta`,`AnswerFailed`,`AnswerReplaced`,`BudgetNegotiated`,`CitationAdded`,`NoticeGiven`,`QueryReformulated`,`ReasoningDelta`,`RetrievalCompleted`],CancelAnswerResult:[`CancelAnswerPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],CancelEmbeddingSwitchResult:[`CancelEmbeddingSwitchPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`],ChangePasswordResult:[`ChangePasswordPayload`,`RateLimitedError`,`ValidationError`],CreateAccessTokenResult:[`CreateAccessTokenPayload`,`ValidationError`],CreateChatSessionResult:[`CreateChatSessionPayload`,`NotFoundError`,`ValidationError`],CreateProjectResult:[`ConflictError`,`CreateProjectPayload`,`ValidationError`],DeleteChatSessionResult:[`DeleteChatSessionPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteDocumentResult:[`DeleteDocumentPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteProjectResult:[`DeleteProjectPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],Error:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],ForgetResult:[`ForgetPayload`,`NotFoundError`,`ValidationError`],IngestionEvent:[`IngestionCompleted`,`IngestionFailed`,`IngestionProgressed`],Node:[`AccessToken`,`ChatSession`,`Chunk`,`Document`,`EmbeddingSpace`,`Memory`,`Message`,`Project`,`User`],RateAnswerResult:[`NotFoundError`,`RateAnswerPayload`,`ValidationError`],RecordCitationOpenedResult:[`NotFoundError`,`RecordCitationOpenedPayload`,`ValidationError`],RedeemSetupTokenResult:[`RedeemSetupTokenPayload`,`ValidationError`],RegenerateAnswerResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`RegenerateAnswerPayload`,`UnavailableError`,`ValidationError`],RememberResult:[`NotFoundError`,`RememberPayload`,`ValidationError`],RemoveProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RemoveProjectMemberPayload`,`ValidationError`],RereadDocumentsResult:[`ForbiddenError`,`NotFoundError`,`RereadDocumentsPayload`,`UnavailableError`,`ValidationError`],RetryDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RetryDocumentPayload`,`UnavailableError`,`ValidationError`],RevokeAccessTokenResult:[`NotFoundError`,`RevokeAccessTokenPayload`,`ValidationError`],SelectBranchResult:[`ForbiddenError`,`NotFoundError`,`SelectBranchPayload`,`ValidationError`],SendMessageResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`SendMessagePayload`,`UnavailableError`,`ValidationError`],SetProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SetProjectMemberPayload`,`ValidationError`],SignInResult:[`RateLimitedError`,`SignInPayload`,`ValidationError`],SwitchEmbeddingModelResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SwitchEmbeddingModelPayload`,`UnavailableError`,`ValidationError`],TextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],UpdateChatSessionResult:[`ForbiddenError`,`NotFoundError`,`UpdateChatSessionPayload`,`ValidationError`],UpdateDocumentResult:[`ForbiddenError`,`NotFoundError`,`UnavailableError`,`UpdateDocumentPayload`,`ValidationError`],UpdateProjectResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`UpdateProjectPayload`,`ValidationError`],UpdateViewerResult:[`UpdateViewerPayload`,`ValidationError`],UploadDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`UploadDocumentPayload`,`ValidationError`],WithdrawRatingResult:[`NotFoundError`,`ValidationError`,`WithdrawRatingPayload`]}};function Ht(){return x({globalIDs:!0,possibleTypes:Vt.possibleTypes,logger:()=>void 0,updates:{Mutation:{createProject:(e,t,n)=>Ut(n,`Query`,`projects`),deleteProject:(e,t,n)=>Ut(n,`Query`,`projects`)}}})}function Ut(e,t,n){for(let{fieldName:r,fieldKey:i}of e.inspectFields(t))r===n&&e.invalidate(t,i)}var Wt=/[\u202a-\u202e\u2066-\u2069]/g,Gt=864e5,Kt=[/^((?:row|line|record|cell)s?|Slide) (\d+(?:\u2013\d+)?)(?=:|$)/,/^(Sheet|Attachment) “(.+)”$/,/^(Other attachments|Other files)$/];function qt(e,t){let n=t.filter(Boolean).map(e=>Kt.reduce(Jt,e));return[e===null?``:H(`source.page`,{page:e}),...n].filter(Boolean).join(` › `)}function Jt(e,t){return e.replace(t,(e,t,n)=>U(`place.${t}`,e,{name:n}))}function Yt(e){return e.replace(Wt,``)}function Xt(e){let t=[`byte`,`kilobyte`,`megabyte`,`gigabyte`],n=Math.min(Math.floor(Math.log10(Math.max(e,1))/3),t.length-1);return new Intl.NumberFormat(V.language,{style:`unit`,unit:t[n],unitDisplay:n?`short`:`long`,maximumFractionDigits:+!!n}).format(e/1e3**n)}function Zt(e){return new Intl.NumberFormat(V.language,{style:`unit`,unit:`second`,unitDisplay:`short`,maximumFractionDigits:1}).format(e/1e3)}function Qt(e){let[t,n]=e<9e4?[`second`,1e3]:e<54e5?[`minute`,6e4]:[`hour`,36e5];return new Intl.NumberFormat(V.language,{style:`unit`,unit:t,unitDisplay:`long`,maximumFractionDigits:0}).format(Math.ceil(e/n))}function $t(e,t=new Date){let n=new Date(t.getFullYear(),t.getMonth(),t.getDate()).getTime(),r=new Date(e).getTime();return r>=n?`today`:r>=n-Gt?`yesterday`:r>=n-7*Gt?`week`:r>=n-30*Gt?`month`:`older`}var en=new Set([502,503,504]),tn=new Set([`RATE_LIMITED`,`UNAVAILABLE`]),nn=5e3,rn={NOT_FOUND:`NotFoundError`,FORBIDDEN:`ForbiddenError`},an=/Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/,on=new Set([`ValidationError`,`ForbiddenError`,`NotFoundError`,`TooLarge`,`FileChanged`]),G=class extends Error{kind;issues;retryAfterMs;name=`Problem`;constructor(e,t=`other`,n=[],r=null){super(e),this.kind=t,this.issues=n,this.retryAfterMs=r}get isPermanent(){return on.has(this.kind)}get isTemporary(){return this.kind===`unreachable`||this.kind===`unauthenticated`||this.retryAfterMs!==null}issueOf(e){return this.issues.find(({path:t})=>t.includes(e))?.message??null}};function sn(e){let t=`retryAfterMs`in e?e.retryAfterMs:null,n=`issues`in e?e.issues.map(cn):[];return new G(n.map(({message:e})=>e).join(` `)||ln(`error.${e.__typename}`,e.message,{wait:Qt(t??0)}),e.__typename,n,t)}function cn({path:e,code:t,message:n}){return{path:e,message:ln(`issue.${t}`,n)}}function ln(e,t,n){return we(t)??U(e,t,{...n,detail:t})}function K({message:e,extensions:t},n){if(n===401||t?.code===`UNAUTHENTICATED`)return new G(ln(`error.UNAUTHENTICATED`,e),`unauthenticated`);let r=t?.code,i=tn.has(r)?nn:null;return new G(ln(`error.${i===null?`OTHER`:String(r)}`,e),rn[String(r)]??`other`,[],i)}function un(e){let[t]=e.graphQLErrors,n=e.response?.status;return t?K(t,n):n===401?new G(U(`error.UNAUTHENTICATED`,e.message),`unauthenticated`):n===void 0||fn(n)?q():dn(n)}function dn(e){return new G(H(`problem.status`,{status:e}))}function q(){return new G(H(`unreachable.text`),`unreachable`)}function fn(e){return en.has(e)}function J(e){return e instanceof G?e:e instanceof Error&&an.test(e.message)?q():new G(H(`problem.detail`,{detail:e instanceof Error?e.message:String(e)}))}var pn=`footnote:token`;function mn(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);return t===null&&n===null?null:(history.replaceState(history.state,``,location.pathname+location.search),{token:t,setup:n})}function Y(){let e=B.read(pn);return e&&gn(e)?e:null}function hn(e){B.write(pn,e)}function gn(e){return/^[!-~]+$/.test(e)}function _n(){let e=Y();return e&&`Bearer ${e}`}var vn=`/graphql`,X=wn(),yn=new Set,bn=new Set,xn=new Set([`NotFoundError`,`ForbiddenError`]),Sn=[],Cn=0;function wn(e=Tn){return new re({url:vn,preferGetMethod:!1,exchanges:[Ht(),ie],fetchOptions:()=>({headers:e()})})}function Z(e){return wn(()=>Tn(e))}function Tn(e=Y()){return{"GraphQL-Require-Preflight":`1`,...e?{Authorization:`Bearer ${e}`}:{}}}async function En(){try{let e=JSON.stringify({query:`{ __typename }`}),{status:t}=await fetch(vn,{method:`POST`,headers:{...Tn(),"Content-Type":`application/json`},body:e});return!fn(t)}catch{return!1}}function Dn(){X=wn(),Sn=[]}function On(){Cn+=1;for(let e of Sn.splice(0))e()}function kn(e){return yn.add(e),()=>yn.delete(e)}function An(e){return bn.add(e),()=>bn.delete(e)}function jn({kind:e}){xn.has(e)&&Mn()}function Mn(){for(let e of bn)e()}function Nn(e){for(let t of yn)t(e)}function Pn(){let[e,t,n]=[X,Y(),Cn];return r=>{let i=e===X;return i&&t===Y()&&Nn(r),i&&n!==Cn?Promise.resolve():new Promise(e=>i&&Sn.push(e))}}async function Fn(e,t,n=`cache-first`,r=X){return Rn(r,()=>r.query(e.toString(),t,{requestPolicy:n}).toPromise())}function In(e,t,n,r=`cache-and-network`){let i=X,a=null,o=()=>{let s=Pn(),{unsubscribe:c}=C(i.query(e.toString(),t,{requestPolicy:r}),te(e=>{let t=e.error?un(e.error):null;t?.kind===`unauthenticated`?s(t).then(()=>a&&(a(),o())):n(e.data??null,t,e.stale)}));a=c};return o(),()=>{a?.(),a=null}}async function Q(e,t,n=X){let r=await Rn(n,()=>n.mutation(e.toString(),t).toPromise()),[i]=Object.entries(r).flatMap(([e,t])=>e===`__typename`?[]:[t]);if(Ln(i)){let e=sn(i);throw jn(e),e}return i}function Ln(e){return typeof e==`object`&&!!e&&String(e.__typename).endsWith(`Error`)}async function Rn(e,t){let n=e===X;for(;;){let e=Pn(),r=await t(),i=r.error&&un(r.error);if(i?.kind===`unauthenticated`&&n)await e(i);else{if(i)throw i;if(r.data===void 0||r.data===null)throw new G(H(`problem.empty`));return r.data}}}var zn=300,Bn=1e4,Vn=12e3,Hn=5e3,Un=1e3,Wn=new Set([4400,4401,4403]),Gn=Kn();function Kn(){let e,t=!1,n=O({url:new URL(vn,location.href.replace(/^http/,`ws`)).href,connectionParams:()=>{let e=_n();return e?{authorization:e}:{}},retryAttempts:0,lazyCloseTimeout:5e3,keepAlive:Vn,on:{ping:t=>{t||(e=setTimeout(()=>n.terminate(),Hn))},pong:t=>t&&clearTimeout(e),connected:()=>{t&&Mn(),t=!1},closed:n=>{clearTimeout(e),t||=n.code!==Un}}});return n}function qn(){Gn.dispose(),Gn=Kn()}function Jn(e,t,n){let r=new AbortController;return Yn(e,t,n,r.signal),()=>r.abort()}async function Yn(e,t,n,r){let i=zn;for(;!r.aborted;){let a=Pn(),o=await Xn(e,t(),r,e=>{i=zn,n.connected?.(!0),n.next(e)});if(r.aborted)return;if(o===`done`)return n.done();if(o instanceof G&&o.kind===`unauthenticated`)n.connected?.(!1),await a(o);else{if(o instanceof G&&o.retryAfterMs===null)return jn(o),n.failed(o);o instanceof G&&(i=Math.max(i,o.retryAfterMs)),n.connected?.(!1),await Qn(i,r),i=Math.min(i*2,Bn)}}}function Xn(e,t,n,r){return new Promise(i=>{let a=Gn.subscribe({query:e.toString(),variables:t},{next:({data:e,errors:t})=>{let[n]=t??[];n?i(K(n)):e&&r(e)},error:e=>i(Zn(e)),complete:()=>i(`done`)});n.addEventListener(`abort`,()=>{a(),i(`done`)})})}function Zn(e){return Array.isArray(e)?K(e[0]):e instanceof CloseEvent?Wn.has(e.code)?K({message:e.reason,extensions:{code:`UNAUTHENTICATED`}}):`broken`:e instanceof Event||e instanceof Error?`broken`:J(e)}function Qn(e,t){return new Promise(n=>{let r=new AbortController,i=()=>{r.abort(),clearTimeout(a),n()},a=setTimeout(i,e);addEventListener(`online`,i,{signal:r.signal}),document.addEventListener(`visibilitychange`,()=>document.hidden||i(),{signal:r.signal}),t.addEventListener(`abort`,i,{signal:r.signal})})}var $n=class{#e=I(null);get data(){return y(this.#e)}set data(e){A(this.#e,e)}#t=I(null);get problem(){return y(this.#t)}set problem(e){A(this.#t,e)}#n=I(!0);get loading(){return y(this.#n)}set loading(e){A(this.#n,e,!0)}#r=I(0);constructor(e,t,n=`cache-and-network`){E(()=>{let r=t(),i=y(this.#r)>0;if(this.loading=r!==null,r===null)this.data=null,this.problem=null;else return In(e,r,(e,t,n)=>this.#i(e,t,n),i?`network-only`:n)})}#i(e,t,n){(e!==null||t===null)&&(this.data=e),this.problem=t,this.loading=n}reload(){m(()=>A(this.#r,y(this.#r)+1))}},er=`footnote:project`,tr=new class{#e=I(w(B.read(er)));#t=I(0);get missingCount(){return y(this.#t)}set missingCount(e){A(this.#t,e,!0)}get projectId(){return y(this.#e)}reportMissing(){this.projectId=null,this.missingCount+=1}set projectId(e){A(this.#e,e,!0),B.write(er,e)}},nr=new class{#e=I([]);#t=I(!1);get loading(){return y(this.#t)}set loading(e){A(this.#t,e,!0)}#n=I(null);get problem(){return y(this.#n)}set problem(e){A(this.#n,e)}#r=I(!1);get hasMore(){return y(this.#r)}set hasMore(e){A(this.#r,e,!0)}#i=I(!1);get archived(){return y(this.#i)}set archived(e){A(this.#i,e,!0)}#a=null;#o=null;#s=0;#c=new Map;#l=D(()=>{let e=y(this.#e).filter(({archived:e})=>e===this.archived).toSorted((e,t)=>e.lastActivityAt<t.lastActivityAt?1:-1);return[...Map.groupBy(e,e=>e.pinned?`pinned`:$t(e.lastActivityAt))].sort(([e],[t])=>Number(t===`pinned`)-Number(e===`pinned`))});get groups(){return y(this.#l)}set groups(e){A(this.#l,e)}find(e){return y(this.#e).find(t=>t.id===e)}forget(){this.#s+=1,A(this.#e,[]),this.#a=null,this.#o=null,this.hasMore=!1,this.loading=!1,this.problem=null}async read(e,t=!1){(e!==this.#a||t!==this.archived)&&(A(this.#e,[]),this.hasMore=!1,this.problem=null,this.#o=null),this.#a=e,this.archived=t,await this.#u(null)}async readMore(){this.hasMore&&!this.loading&&await this.#u(this.#o)}async retry(){this.loading||await this.#u(this.#o)}async refresh(){await this.#u(null,Math.max(1,y(this.#e).length))}async update(e){let{chatSession:t}=await Q(jt,{input:e});this.#c.set(t.id,t),A(this.#e,[...y(this.#e).filter(({id:e})=>e!==t.id),t])}async remove(e){await Q(Mt,{id:e}),this.#c.set(e,null),A(this.#e,y(this.#e).filter(t=>t.id!==e))}async#u(e,t=1){let[n,r,i]=[this.#a,this.archived,++this.#s];if(this.#c.clear(),n){this.loading=!0;try{let a=[],o={hasNextPage:!0,endCursor:e};for(;o.hasNextPage&&a.length<t;){let{project:e}=await Fn(Ot,{id:n,archived:r,after:o.endCursor},`network-only`);if(i!==this.#s)return;if(e===null){tr.reportMissing();return}a.push(...e.chatSessions.nodes),o=e.chatSessions.pageInfo}let s=a.flatMap(e=>this.#c.get(e.id)??(this.#c.has(e.id)?[]:e)),c=new Set(s.map(e=>e.id));A(this.#e,[...e===null?[]:y(this.#e).filter(e=>!c.has(e.id)),...s]),this.#o=o.endCursor,this.hasMore=o.hasNextPage,this.problem=null}catch(t){i!==this.#s||e===null&&y(this.#e).length||(this.problem=J(t))}finally{i===this.#s&&(this.loading=!1)}}}},rr=6e3,ir=3e3,ar=0,or=new class{#e=I(w([]));get list(){return y(this.#e)}set list(e){A(this.#e,e,!0)}#t;get saysUnreachable(){return this.list.some(({unreachable:e})=>e)}show(e,t=`info`,n=!1){let r=++ar;this.list.push({id:r,kind:t,text:e,unreachable:n}),t===`info`&&setTimeout(()=>this.dismiss(r),rr)}fail=e=>{let{message:t,kind:n}=J(e),r=n===`unreachable`;this.list.some(({text:e})=>e===t)||this.show(t,`error`,r),r&&this.#n()};failUnlessGone(e){e.kind!==`NotFoundError`&&this.fail(e)}dismiss(e){this.list=this.list.filter(t=>t.id!==e)}#n(){this.#t??=setTimeout(()=>void this.#r(),ir)}async#r(){let e=!document.hidden&&await En();this.#t=void 0,e?this.list=this.list.filter(({unreachable:e})=>!e):this.saysUnreachable&&this.#n()}},sr=new Map,cr=3,lr=3e3,ur=413,dr={sending:0,failed:1,refused:1,waiting:2,sent:3},fr=2e3,pr=0,mr=class{#e=I(w([]));get list(){return y(this.#e)}set list(e){A(this.#e,e,!0)}#t=I(null);get pause(){return y(this.#t)}set pause(e){A(this.#t,e)}#n=0;#r=new Map;#i=new Set;constructor(){addEventListener(`beforeunload`,e=>{this.list.some(({state:e})=>e===`sending`||e===`waiting`)&&e.preventDefault()})}of(e){return this.list.filter(t=>t.projectId===e&&t.state!==`sent`).toSorted((e,t)=>dr[e.state]-dr[t.state]||e.id-t.id)}onArrival(e){return this.#i.add(e),()=>this.#i.delete(e)}add(e,t,n){for(let{file:r,source:i,problem:a}of t){let t=a??n(r.name)??``;this.list.push({id:++pr,projectId:e,file:r,source:i,state:t?`refused`:`waiting`,sent:0,problem:t})}this.#a()}retry(e){Object.assign(e,{state:`waiting`,sent:0,problem:``}),this.#a()}retryAll(e){for(let t of this.of(e))t.state===`failed`&&Object.assign(t,{state:`waiting`,sent:0,problem:``});this.#a()}clear(e){let t=new Set(this.of(e).flatMap(({id:e,problem:t})=>t?[e]:[]));this.list=this.list.filter(({id:e})=>!t.has(e))}remove(e){this.#r.get(e.id)?.abort(),this.list=this.list.filter(({id:t})=>t!==e.id)}#a(){for(;this.#n<cr&&!this.pause;){let e=this.list.find(({state:e})=>e===`waiting`);if(!e)return;this.#o(e)}}async#o(e){this.#n+=1,e.state=`sending`;let t=_n();try{let t=await this.#l(e);e.state=`sent`,this.list=this.list.filter(({id:t})=>t!==e.id);for(let e of this.#i)e(t)}catch(n){let r=J(n);r.kind===`unauthenticated`&&t===_n()&&Nn(r),r.isTemporary?(Object.assign(e,{state:`waiting`,sent:0}),this.#s(r)):Object.assign(e,{state:r.isPermanent?`refused`:`failed`,problem:r.message})}finally{this.#r.delete(e.id),--this.#n,this.#a()}}#s(e){this.pause||(this.pause=e,setTimeout(()=>void this.#c(e),e.retryAfterMs??lr))}async#c(e){let t=e.kind===`unauthenticated`&&_n()===null,n=this.list.some(({state:e})=>e===`waiting`)&&(t||e.kind===`unreachable`&&!await En());this.pause=null,n?this.#s(e):this.#a()}forget(){for(let e of this.list)this.remove(e)}#l(e){let{projectId:t,source:n,file:r}=e,i=new FormData,a=gt.toString();i.append(`operations`,JSON.stringify({query:a,variables:{input:{projectId:t,source:n,file:null}}})),i.append(`map`,JSON.stringify({0:[`variables.input.file`]})),i.append(`0`,r,r.name);let o=new XMLHttpRequest;return this.#r.set(e.id,o),new Promise((t,n)=>{o.upload.onprogress=({loaded:t,total:n})=>e.sent=n?t/n:0,o.onerror=()=>void hr(r).then(n),o.onabort=()=>n(new G(``)),o.onload=()=>{try{t(gr(o))}catch(e){n(J(e))}},o.open(`POST`,vn);for(let[e,t]of Object.entries(Tn()))o.setRequestHeader(e,t);o.send(i)})}};async function hr(e){try{let t=e.stream().getReader();return await t.read(),t.cancel(),q()}catch{return new G(H(`knowledge.fileChanged`),`FileChanged`)}}function gr(e){let t;try{t=JSON.parse(e.responseText)}catch{throw fn(e.status)?q():dn(e.status)}let[n]=t.errors??[];if(n&&e.status===ur)throw new G(K(n).message,`TooLarge`);if(n)throw K(n,e.status);if(!t.data)throw dn(e.status);let r=t.data.uploadDocument;if(`document`in r)return r.document;throw sn(r)}async function _r(e,t){let n=[...e??[]].map(e=>e.webkitGetAsEntry()).filter(e=>e!==null);if(!n.length)return[...t??[]].map(e=>({file:e,source:e.webkitRelativePath||e.name})).filter(({source:e})=>!/\/\./.test(e)).slice(0,2001);let r=[];for(let e of n)await vr(e,r);return r}async function vr(e,t){if(t.length>2e3||e.name.startsWith(`.`))return;let n=e.fullPath.replace(/^\//,``);try{e.isFile?t.push({file:await yr(e),source:n}):await br(e,t)}catch{t.push({file:new File([],e.name),source:n,problem:H(`knowledge.unreadable`)})}}function yr(e){return new Promise((t,n)=>e.file(t,n))}async function br(e,t){let n=e.createReader();for(;;){let e=await new Promise((e,t)=>n.readEntries(e,t));if(!e.length)return;for(let n of e)await vr(n,t)}}var xr=new mr,Sr=new class{#e=I(`asking`);get state(){return y(this.#e)}set state(e){A(this.#e,e,!0)}#t=I(null);get viewer(){return y(this.#t)}set viewer(e){A(this.#t,e)}#n=I(``);get problem(){return y(this.#n)}set problem(e){A(this.#n,e,!0)}#r=I(!1);get unreachable(){return y(this.#r)}set unreachable(e){A(this.#r,e,!0)}#i=I(null);get link(){return y(this.#i)}set link(e){A(this.#i,e)}#a=I(!1);get invited(){return y(this.#a)}set invited(e){A(this.#a,e,!0)}#o=null;constructor(){kn(e=>this.#p(e)),addEventListener(`hashchange`,()=>{this.#s(),this.#c()});let e=null;addEventListener(`pagehide`,()=>e=Y()),addEventListener(`pageshow`,({persisted:t})=>t&&e!==Y()&&location.reload()),addEventListener(`storage`,({key:e,newValue:t})=>{e===`footnote:token`&&(t!==null||this.state!==`out`)&&(t===``&&(this.viewer=null,Dn()),qn(),this.#d())})}async start(){this.#s(),await this.retry()}isViewer(e){return e!==void 0&&e.id===this.viewer?.id}async retry(){(Y()||!this.link)&&await this.#d(),await this.#c()}#s(){let e=mn();e&&(e.token===null||e.token!==Y())&&(this.link=e)}async#c(){if(this.link&&!Y())try{await this.followLink(this.link)}catch(e){await this.#l(J(e))}}async#l(e){this.unreachable=e.kind===`unreachable`,this.unreachable?this.state=`unreachable`:(this.link=null,await this.#d()),this.state===`in`?or.fail(e):this.problem=e.message}ignoreLink(){this.link=null}async followLink({setup:e,token:t}){if(e===null)return this.useToken(t??``);let n=await Q(Ue,{token:e},Z(null));this.invited=!0,await this.#u(n.token)}async signIn(e,t){await this.#u((await Q(He,{email:e,password:t},Z(null))).token)}async changePassword(e,t){let{user:n}=await Q(Re,{input:{currentPassword:e,newPassword:t}});await this.signIn(n.email,t),this.invited=!1}async useToken(e){let t=e.trim().replace(/^Bearer\s+/i,``);if(!gn(t))throw new G(H(`signIn.notToken`),`unauthenticated`);await Fn(Ve,{},`network-only`,Z(t)),await this.#u(t)}async#u(e){this.link=null,hn(e),qn(),await this.#d()}async signOut(){try{await Q(We,{},Z(Y()))}catch(e){if(e instanceof G&&e.kind===`unreachable`)throw e}hn(``),this.viewer=null,this.state=`out`,location.assign(`/`)}async#d(){let e=Y();try{let{user:t}=(await Fn(Ve,{},`network-only`,Z(e))).viewer;if(e!==Y())return;this.#f(t),this.state=`in`,this.problem=``,On()}catch(t){if(t instanceof G&&t.kind===`unauthenticated`){e===Y()&&this.#p(t);return}let{message:n,kind:r}=J(t);this.problem=n,this.unreachable=r===`unreachable`,this.state=`unreachable`}}#f(e){this.#o!==null&&this.#o!==e.id&&(Dn(),nr.forget(),xr.forget(),sr.clear()),this.#o=e.id,this.viewer=e}#p(e){this.state===`in`?this.problem=Y()?H(`signIn.ended`):``:Y()&&(this.problem=e.message),hn(null),qn(),this.state=`out`}},Cr=o(`<span><!></span>`);function wr(t,i){let a=F(i,`tone`,3,`neutral`);var o=Cr(),s=k(o);u(s,()=>i.children),h(o),e(()=>{r(o,1,f([`badge`,a()]),`svelte-dtbgkf`),R(o,`title`,i.title)}),n(t,o)}var Tr=new Set([`$$slots`,`$$events`,`$$legacy`,`look`,`icon`,`small`,`label`,`busy`,`disabled`,`href`,`type`,`children`,`element`,`onclick`]),Er=o(`<a><!></a>`),Dr=o(`<button><!></button>`);function Or(e,t){L(t,!0);let r=F(t,`look`,3,`secondary`),i=F(t,`icon`,3,!1),a=F(t,`small`,3,!1),o=F(t,`busy`,3,!1),c=F(t,`disabled`,3,!1),l=F(t,`type`,3,`button`),d=F(t,`element`,15),f=T(t,Tr);function p(e){o()?e.preventDefault():t.onclick?.(e)}var m=_(),g=S(m),v=e=>{var o=Er();ce(o,()=>({class:[`button`,r(),{icon:i(),small:a()}],href:t.href,"aria-label":t.label,title:t.label,onclick:t.onclick,...f}),void 0,void 0,void 0,`svelte-18sv61c`);var s=k(o);u(s,()=>t.children),h(o),M(o,e=>d(e),()=>d()),n(e,o)},y=e=>{var s=Dr();ce(s,()=>({class:[`button`,r(),{icon:i(),small:a()}],type:l(),"aria-label":t.label,title:t.label,"aria-busy":o()||void 0,"aria-disabled":o()||void 0,disabled:c(),onclick:p,...f}),void 0,void 0,void 0,`svelte-18sv61c`);var m=k(s);u(m,()=>t.children),h(s),M(s,e=>d(e),()=>d()),n(e,s)};s(g,e=>{t.href===void 0?e(y,-1):e(v)}),n(e,m),b()}var kr=new class{#e=I([]);get top(){return y(this.#e).at(-1)??null}enter(e){return A(this.#e,[...y(this.#e),e]),()=>A(this.#e,y(this.#e).filter(t=>t!==e))}};function Ar(e){return history.state?.[e]}function jr(e,t){history.replaceState({...history.state,[e]:t},``)}function Mr(e,t){history.pushState({...history.state,[e]:t},``)}var Nr=`top`,Pr=100,Fr=[`wheel`,`touchmove`,`keydown`,`pointerdown`],$=null,Ir;function Lr(e){let t=new AbortController;return $=e,e.addEventListener(`scroll`,Wr,{signal:t.signal,passive:!0}),()=>{t.abort(),clearTimeout(Ir),$=null}}function Rr(){clearTimeout(Ir),$&&jr(Nr,$.scrollTop)}function zr(){clearTimeout(Ir)}function Br(){return Ar(Nr)}function Vr(){let e=Br();e!==void 0&&$?.scrollTo(0,e)}function Hr(e,t){let n=new AbortController,r=t===void 0?Ur():null,i=new ResizeObserver(()=>{r?r.scrollIntoView():$?.scrollTo(0,t??0),(!$||r||Math.abs($.scrollTop-(t??0))<=1)&&a()}),a=()=>{i.disconnect(),n.abort()};for(let e of Fr)addEventListener(e,a,{signal:n.signal,passive:!0});return i.observe(e),a}function Ur(){try{return document.getElementById(decodeURIComponent(location.hash.slice(1)))}catch{return null}}function Wr(){clearTimeout(Ir),Ir=setTimeout(Rr,Pr)}var Gr=new class{#e=0;constructor(){addEventListener(`beforeunload`,e=>{this.#e&&e.preventDefault()})}watch(e){E(()=>{if(e())return this.#e+=1,()=>--this.#e})}mayLeave(){return this.#e===0||this.confirmLoss()}confirmLoss(){return confirm(H(`unsaved`))}},Kr=[`documents`,`search`,`model`],qr=[`settings`,`members`];function Jr(e){let[t,n,r,i]=Yr(e);if(t===void 0)return{view:`home`};if(t===`account`||t===`status`)return{view:t};if(t===`handbook`&&r===void 0)return{view:`handbook`,page:n??null};if(t===`c`&&n)return{view:`chat`,sessionId:n,messageId:r??null};if(t===`p`&&n){let e=i===void 0?Kr[0]:Kr.find(e=>e===i);if(r===`knowledge`&&e)return{view:`project`,projectId:n,tab:r,section:e};let t=r===void 0?`chat`:qr.find(e=>e===r);if(t)return{view:`project`,projectId:n,tab:t}}return{view:`missing`}}function Yr(e){try{return e.split(`/`).filter(Boolean).map(decodeURIComponent)}catch{return[`\0`]}}var Xr=new class{#e=I(w(location.pathname));#t=D(()=>Jr(y(this.#e)));get route(){return y(this.#t)}set route(e){A(this.#t,e)}#n=I(0);get returns(){return y(this.#n)}set returns(e){A(this.#n,e,!0)}constructor(){addEventListener(`popstate`,()=>{zr(),location.pathname===y(this.#e)?Vr():Gr.mayLeave()?(e=>{var t=oe(e,2);A(this.#e,t[0],!0),this.returns=t[1]})([location.pathname,this.returns+1]):history.pushState(null,``,y(this.#e))}),addEventListener(`click`,e=>this.#r(e))}go(e,t=!1,n=``){e!==location.pathname&&(t||Gr.mayLeave())&&(Rr(),t?history.replaceState(null,``,e+n):history.pushState(null,``,e+n),A(this.#e,location.pathname,!0))}#r(e){if(e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey)return;let t=e.target instanceof Element?e.target.closest(`a`):null;if(!(!t||t.target||t.hasAttribute(`download`)||t.origin!==location.origin)&&Jr(t.pathname).view!==`missing`){if(t.hash&&t.pathname===location.pathname)return Rr();e.preventDefault(),this.go(t.pathname,!1,t.hash)}}},Zr={project:e=>`/p/${encodeURIComponent(e)}`,knowledge:(e,t=Kr[0])=>`/p/${encodeURIComponent(e)}/knowledge${t===Kr[0]?``:`/${t}`}`,settings:e=>`/p/${encodeURIComponent(e)}/settings`,members:e=>`/p/${encodeURIComponent(e)}/members`,chat:e=>`/c/${encodeURIComponent(e)}`,message:(e,t)=>`/c/${encodeURIComponent(e)}/${encodeURIComponent(t)}`,account:`/account`,status:`/status`,playground:`/graphql`,handbook:`/handbook`,handbookPage:e=>`/handbook/${encodeURIComponent(e)}`},Qr=o(`<div><p dir="auto" class="svelte-r9p0hk"> </p> <!></div>`),$r=o(`<div class="toasts screen-only svelte-r9p0hk" role="region"></div>`);function ei(t,i){L(i,!0);var a=$r();d(a,21,()=>or.list,e=>e.id,(t,i)=>{var a=Qr(),o=k(a),s=j(o,!0),c=P(o,2);{let e=D(()=>H(`dismiss`));Or(c,{look:`ghost`,icon:!0,small:!0,get label(){return y(e)},onclick:()=>or.dismiss(y(i).id),children:(e,t)=>{ne(e,{})},$$slots:{default:!0}})}h(a),e(()=>{r(a,1,f([`toast`,y(i).kind]),`svelte-r9p0hk`),R(a,`role`,y(i).kind===`error`?`alert`:`status`),z(s,y(i).text),o.dir=o.dir}),n(t,a)}),h(a),e(e=>R(a,`aria-label`,e),[()=>H(`notifications`)]),n(t,a),b()}var ti=o(`<footer class="svelte-jby388"><!></footer>`),ni=o(`<div class="sheet svelte-jby388"><header class="svelte-jby388"><h2 dir="auto" class="svelte-jby388"> </h2> <!></header> <div class="content svelte-jby388"><!></div> <!></div> <!>`,1),ri=o(`<dialog><!></dialog>`);function ii(t,i){let a=v();L(i,!0);let o=F(i,`place`,3,`center`),l=F(i,`wide`,3,!1),d=F(i,`unsaved`,3,!1),p=I(void 0),g=!1;Gr.watch(()=>i.open&&d()),E(()=>i.open?m(()=>kr.enter(a)):void 0);let _=D(()=>i.open?m(()=>Xr.returns):0);E(()=>{i.open&&Xr.returns!==y(_)&&m(i.onclose)});let x=null;E(()=>{i.open&&y(p)&&!y(p).open?(x=document.activeElement,Sr.state===`in`&&y(p).showModal()):!i.open&&y(p)?.open&&y(p).close()}),E(()=>()=>{(document.activeElement===document.body||document.activeElement===null)&&x instanceof HTMLElement&&x.focus({preventScroll:!0})});function C(){(!d()||Gr.confirmLoss())&&i.onclose()}function w(e){e.target===y(p)&&g&&C()}var T=ri(),O=k(T),ee=t=>{var r=ni(),o=S(r),c=k(o),l=k(c),d=j(l,!0),f=P(l,2);{let e=D(()=>H(`close`));Or(f,{look:`ghost`,icon:!0,small:!0,get label(){return y(e)},onclick:C,children:(e,t)=>{ne(e,{})},$$slots:{default:!0}})}h(c);var p=P(c,2),m=k(p);u(m,()=>i.children),h(p);var g=P(p,2),_=e=>{var t=ti(),r=k(t);u(r,()=>i.footer),h(t),n(e,t)};s(g,e=>{i.footer&&e(_)}),h(o);var v=P(o,2),b=e=>{ei(e,{})};s(v,e=>{kr.top===a&&e(b)}),e(()=>{R(l,`id`,a),z(d,i.title),l.dir=l.dir}),n(t,r)};s(O,e=>{i.open&&e(ee)}),h(T),M(T,e=>A(p,e),()=>y(p)),e(()=>{r(T,1,f([o(),{wide:l()}]),`svelte-jby388`),R(T,`aria-labelledby`,a)}),c(`cancel`,T,e=>{e.preventDefault(),C()}),N(`pointerdown`,T,e=>g=e.target===y(p)),N(`click`,T,w),n(t,T),b()}l([`pointerdown`,`click`]);var ai=o(`<span class="icon svelte-1m5lo4h"><!></span>`),oi=o(`<p dir="auto" class="svelte-1m5lo4h"> </p>`),si=o(`<div class="actions svelte-1m5lo4h"><!></div>`),ci=o(`<div><!> <!> <!> <!></div>`);function li(i,o){let c=F(o,`whole`,3,!1);var l=ci(),d=k(l),p=e=>{var t=ai(),r=k(t);ee(r,()=>o.icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),h(t),n(e,t)};s(d,e=>{o.icon&&e(p)});var m=P(d,2);t(m,()=>c()?`h1`:`h2`,!1,(t,i)=>{r(t,0,`title svelte-1m5lo4h`);var s=a();e(()=>z(s,o.title)),n(i,s)});var g=P(m,2),_=t=>{var r=oi(),i=j(r,!0);e(()=>{z(i,o.text),r.dir=r.dir}),n(t,r)};s(g,e=>{o.text&&e(_)});var v=P(g,2),y=e=>{var t=si(),r=k(t);u(r,()=>o.children),h(t),n(e,t)};s(v,e=>{o.children&&e(y)}),h(l),e(()=>r(l,1,f([`empty`,{whole:c()}]),`svelte-1m5lo4h`)),n(i,l)}var ui=o(`<p class="problem svelte-175sa6o" role="alert"> </p>`),di=o(`<p class="help svelte-175sa6o"> </p>`),fi=o(`<div class="field svelte-175sa6o"><label class="svelte-175sa6o"> </label> <!> <!> <!></div>`);function pi(t,r){let i=v();L(r,!0);let a=F(r,`problem`,3,null),o=D(()=>[r.help&&`${i}-help`,a()&&`${i}-problem`].filter(Boolean).join(` `)||void 0);var c=fi(),l=k(c),d=j(l,!0),f=P(l,2);u(f,()=>r.children,()=>({id:i,"aria-describedby":y(o),"aria-invalid":a()?!0:void 0}));var p=P(f,2),m=t=>{var r=ui(),o=j(r,!0);e(()=>{R(r,`id`,`${i}-problem`),z(o,a())}),n(t,r)};s(p,e=>{a()&&e(m)});var g=P(p,2),_=t=>{var a=di(),o=j(a,!0);e(()=>{R(a,`id`,`${i}-help`),z(o,r.help)}),n(t,a)};s(g,e=>{r.help&&e(_)}),h(c),e(()=>{R(l,`for`,i),z(d,r.label)}),n(t,c),b()}var mi=g(`<svg viewBox="0 0 32 32" aria-hidden="true" class="svelte-1mi20zr"><rect width="32" height="32" rx="7" class="svelte-1mi20zr"></rect><path d="M7 10h11M7 16h18M7 22h14" class="svelte-1mi20zr"></path><circle cx="25" cy="9" r="3" class="svelte-1mi20zr"></circle></svg>`);function hi(t,r){var a=mi();let o;e(()=>o=i(a,``,o,{width:r.size,height:r.size})),n(t,a)}var gi=o(`<button type="button" tabindex="-1"><!> <span dir="auto" class="svelte-15gydnd"> </span> <!></button>`),_i=o(`<!> <div class="menu svelte-15gydnd" role="menu" tabindex="-1" popover="auto"></div>`,1);function vi(t,i){let a=v();L(i,!0);let o=F(i,`align`,3,`end`),l=I(void 0),f=I(!1),m={text:``,at:-1/0};function g(){let e=document.getElementById(`${a}-trigger`);if(!y(l)||!e)return;let t=e.getBoundingClientRect(),{width:n,height:r}=y(l).getBoundingClientRect(),i=t.bottom+r+8<innerHeight||t.top<r,s=o()===`end`==(getComputedStyle(y(l)).direction===`ltr`)?t.right-n:t.left;y(l).style.setProperty(`left`,`${Math.max(8,Math.min(s,innerWidth-n-8))}px`),y(l).style.setProperty(`top`,`${i?t.bottom+4:t.top-r-4}px`),y(l).style.setProperty(`visibility`,`visible`),m.text=``;let c=x();(c.find(e=>e.ariaChecked===`true`)??c[0])?.focus()}function x(){return[...y(l)?.querySelectorAll(`[role^=menuitem]:not(:disabled)`)??[]]}function C(e){let t=performance.now();m={text:(t-m.at<700?m.text:``)+e.toLowerCase(),at:t};let n=x(),r=n.indexOf(document.activeElement),i=m.text.length>1?r:r+1;[...n.slice(i),...n.slice(0,i)].find(e=>e.textContent.trim().toLowerCase().startsWith(m.text))?.focus()}function w(e){let t=x(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:-1}[e.key];e.key===`Tab`&&y(l)?.hidePopover();let i=m.text!==``&&performance.now()-m.at<700;e.key.length!==1||e.key===` `&&!i||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),C(e.key)),r!==void 0&&(e.preventDefault(),t.at(r%t.length)?.focus())}function T(e){y(l)?.hidePopover(),document.getElementById(`${a}-trigger`)?.focus(),e.onselect()}var E=_i(),D=S(E);u(D,()=>i.trigger,()=>({id:`${a}-trigger`,popovertarget:a,"aria-haspopup":`menu`,"aria-expanded":y(f)}));var O=P(D,2);d(O,21,()=>i.items,p,(t,i)=>{var a=gi();let o;var c=k(a),l=e=>{var t=_(),r=S(t);ee(r,()=>y(i).icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),n(e,t)};s(c,e=>{y(i).icon&&e(l)});var u=P(c,2),d=j(u,!0),f=P(u,2),p=e=>{ae(e,{"aria-hidden":`true`,class:`check`})};s(f,e=>{y(i).checked&&e(p)}),h(a),e(()=>{R(a,`role`,y(i).checked===void 0?`menuitem`:`menuitemradio`),R(a,`aria-checked`,y(i).checked),a.disabled=y(i).disabled,o=r(a,1,`svelte-15gydnd`,null,o,{danger:y(i).danger}),z(d,y(i).label),u.dir=u.dir}),N(`click`,a,()=>T(y(i))),n(t,a)}),h(O),M(O,e=>A(l,e),()=>y(l)),e(()=>{R(O,`id`,a),R(O,`aria-labelledby`,`${a}-trigger`)}),c(`toggle`,O,e=>{A(f,e.newState===`open`),y(f)?g():y(l)?.style.removeProperty(`visibility`)}),N(`keydown`,O,w),n(t,E),b()}l([`keydown`,`click`]);function yi(t,r){L(r,!0),E(()=>m(()=>void nr.refresh()));{let r=D(()=>H(`missing.title`)),i=D(()=>H(`missing.text`));li(t,{whole:!0,get title(){return y(r)},get text(){return y(i)},children:(t,r)=>{Or(t,{href:`/`,children:(t,r)=>{se();var i=a();e(e=>z(i,e),[()=>H(`missing.home`)]),n(t,i)},$$slots:{default:!0}})},$$slots:{default:!0}})}b()}function bi(e,t){L(t,!0),E(()=>{or.fail(t.error),t.ontold()}),b()}function xi(e,t){L(t,!0);let n=`Footnote`;E(()=>(document.title=t.name?`${t.name} · ${n}`:n,()=>document.title=n)),b()}function Si(t,r){L(r,!0);let i=F(r,`whole`,3,!1),o=D(()=>r.problem.kind===`unreachable`);E(()=>{if(!y(o))return;let e=setInterval(()=>document.hidden||r.onretry(),3e3);return()=>clearInterval(e)});{let s=D(()=>H(y(o)?`unreachable.title`:`problem.title`)),c=D(()=>y(o)?H(`unreachable.again`):r.problem.message);li(t,{get whole(){return i()},get title(){return y(s)},get text(){return y(c)},children:(t,i)=>{{let i=D(()=>y(o)?`primary`:`secondary`);Or(t,{get look(){return y(i)},get onclick(){return r.onretry},children:(t,r)=>{se();var i=a();e(e=>z(i,e),[()=>H(`retry`)]),n(t,i)},$$slots:{default:!0}})}},$$slots:{default:!0}})}b()}var Ci=o(`<span class="spinner svelte-f4erjd" role="status"><span class="visually-hidden"> </span></span>`);function wi(t,r){L(r,!0);let i=F(r,`label`,19,()=>H(`loading`));var a=Ci(),o=k(a),s=j(o,!0);h(a),e(()=>z(s,i())),n(t,a),b()}var Ti=o(`<span class="count svelte-126ak3w"> </span>`),Ei=o(`<button type="button" role="tab" class="svelte-126ak3w"> <!></button>`),Di=o(`<div class="tabs svelte-126ak3w" role="tablist" tabindex="-1"></div> <div class="panel svelte-126ak3w" role="tabpanel"><!></div>`,1);function Oi(t,r){let i=v();L(r,!0);function a(e){let t=r.tabs.findIndex(({name:e})=>e===r.selected),n=getComputedStyle(e.currentTarget).direction===`rtl`?-1:1,a={ArrowRight:t+n,ArrowLeft:t-n,Home:0,End:-1}[e.key],o=a===void 0?void 0:r.tabs.at(a%r.tabs.length);o&&(e.preventDefault(),r.onselect(o.name),document.getElementById(`${i}-${o.name}`)?.focus())}var o=Di(),c=S(o);d(c,21,()=>r.tabs,e=>e.name,(t,a)=>{var o=Ei(),c=k(o,!0),l=P(c),u=t=>{var r=Ti(),i=j(r,!0);e(()=>z(i,y(a).count)),n(t,r)};s(l,e=>{y(a).count!==void 0&&e(u)}),h(o),e(()=>{R(o,`id`,`${i}-${y(a).name??``}`),R(o,`aria-selected`,y(a).name===r.selected),R(o,`aria-controls`,`${i}-panel`),R(o,`tabindex`,y(a).name===r.selected?0:-1),z(c,y(a).label)}),N(`click`,o,()=>r.onselect(y(a).name)),n(t,o)}),h(c);var l=P(c,2),f=k(l);u(f,()=>r.children,()=>r.selected),h(l),e(()=>{R(c,`aria-label`,r.label),R(l,`id`,`${i}-panel`),R(l,`aria-labelledby`,`${i}-${r.selected??``}`)}),N(`keydown`,c,a),n(t,o),b()}l([`keydown`,`click`]),l([`focusin`,`focusout`,`keydown`]);function ki(e){E(()=>{let t=An(e),n=()=>void(document.hidden||e());return document.addEventListener(`visibilitychange`,n),()=>{t(),document.removeEventListener(`visibilitychange`,n)}})}var Ai=o(`<p class="svelte-1cjg1wn"> </p>`),ji=o(`<header class="svelte-1cjg1wn"><h1 dir="auto" class="svelte-1cjg1wn"> </h1> <!></header>`),Mi=o(`<!> <section><!> <!></section>`,1);function Ni(t,i){L(i,!0);let a=F(i,`wide`,3,!1),o=I(void 0),c=Br();ki(()=>i.found.reload());let l=D(()=>i.value!==null);E(()=>y(l)&&y(o)?Hr(y(o),c):void 0);var d=Mi(),f=S(d);xi(f,{get name(){return i.title}});var p=P(f,2);let m;var g=k(p),v=t=>{var r=ji(),a=k(r),o=j(a,!0),c=P(a,2),l=t=>{var r=Ai(),a=j(r,!0);e(()=>z(a,i.summary)),n(t,r)};s(c,e=>{i.summary&&e(l)}),h(r),e(()=>{z(o,i.title),a.dir=a.dir}),n(t,r)};s(g,e=>{i.title!==null&&e(v)});var x=P(g,2),C=e=>{var t=_(),r=S(t);u(r,()=>i.children,()=>i.value),n(e,t)},w=e=>{Si(e,{get problem(){return i.found.problem},onretry:()=>i.found.reload()})},T=e=>{wi(e,{})},O=e=>{yi(e,{})};s(x,e=>{i.value===null?i.found.problem?e(w,1):i.found.loading?e(T,2):e(O,-1):e(C)}),h(p),M(p,e=>A(o,e),()=>y(o)),e(()=>m=r(p,1,`svelte-1cjg1wn`,null,m,{wide:a()})),n(t,d),b()}var Pi=o(`<div class="svelte-162rnmr"><!></div>`);function Fi(e){var t=Pi();wi(k(t),{}),h(t),n(e,t)}export{Zt as $,lt as $t,xr as A,Tt as At,Fn as B,Le as Bt,Ar as C,rt as Ct,Sr as D,Me as Dt,wr as E,ut as Et,$n as F,zt as Ft,J as G,Pt as Gt,Mn as H,At as Ht,Jn as I,Pe as It,fn as J,Be as Jt,K,Ne as Kt,Tn as L,yt as Lt,or as M,ct as Mt,nr as N,st as Nt,fr as O,Nt as Ot,tr as P,Xe as Pt,Yt as Q,Rt as Qt,En as R,ze as Rt,Mr as S,nt as St,Or as T,bt as Tt,Y as U,Ze as Ut,jn as V,ht as Vt,G as W,Je as Wt,Xt as X,Fe as Xt,q as Y,St as Yt,qt as Z,It as Zt,Zr as _,Qe as _t,wi as a,Se as an,Ft as at,Lr as b,Ke as bt,bi as c,Ce as cn,Ie as ct,hi as d,de as dn,_t as dt,ve as en,et,pi as f,B as fn,Lt as ft,Kr as g,xt as gt,ei as h,it as ht,Oi as i,V as in,Ct as it,sr as j,at as jt,_r as k,Dt as kt,yi as l,we as ln,qe as lt,ii as m,ft as mt,Ni as n,Ae as nn,$e as nt,Si as o,U as on,Ge as ot,li as p,mt as pt,dn as q,wt as qt,ki as r,H as rn,Ye as rt,xi as s,Te as sn,ot as st,Fi as t,ke as tn,tt,vi as u,_e as un,Et as ut,Xr as v,kt as vt,kr as w,dt as wt,jr as x,pt as xt,Gr as y,Bt as yt,Q as z,vt as zt};