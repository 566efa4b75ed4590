import{$ as e,A as t,Ct as n,D as r,E as i,G as a,H as o,I as s,J as c,K as l,M as u,N as d,O as f,P as p,St as m,Tt as h,U as g,V as _,W as v,Y as ee,Z as y,a as b,at as x,c as te,ct as S,d as C,dt as w,et as T,i as ne,j as re,l as ie,lt as E,n as ae,o as oe,ot as D,p as O,pt as k,q as se,s as ce,st as A,t as le,tt as j,u as M,ut as N,vt as P,x as F,y as ue,yt as I,z as L}from"./packages-index-B6T566fl.js";var de={close:`Close`,unsaved:`What you have written is not saved. Discard it?`,dismiss:`Dismiss`,loading:`Loading`,retry:`Try again`,skip:`Skip to the content`,notifications:`Notifications`,"unreachable.title":`The server cannot be reached`,"unreachable.text":`The server cannot be reached. Check the connection, and try again.`,"unreachable.again":`This page tries again every few seconds.`,"problem.title":`Something went wrong`,"problem.status":`The server answered with the status {status}. Try again.`,"problem.tooMany":`The server, or a proxy in front of it, has received too many requests. Try again in a moment.`,"problem.detail":`{detail}`,"problem.empty":`The server sent an empty result. Try again.`,"missing.title":`There is nothing here`,"missing.text":`It was deleted, or you have no access to it.`,"missing.home":`Go to the start page`,"side.label":`Projects and chats`,"side.open":`Open the sidebar`,"side.appearance":`Appearance and language`,"theme.system":`Same as the system`,"theme.light":`Light`,"theme.dark":`Dark`,"signIn.title":`Sign in to Footnote`,"signIn.ended":`Your sign-in has ended. Sign in again to continue where you left off.`,"signIn.email":`Email address`,"signIn.password":`Password`,"signIn.token":`Access token`,"signIn.tokenHelp":`A token that you created here, or that the operator gave you.`,"signIn.enter":`Sign in`,"signIn.useToken":`Use an access token`,"signIn.usePassword":`Use a password`,"signIn.notToken":`That is not a token. Copy all of it, and nothing else.`,"composer.label":`Your question`,"composer.placeholder":`Ask your documents`,"composer.placeholderAlone":`Ask the model`,"composer.send":`Send`,"composer.keys":`Enter sends, Shift + Enter starts a new line`,"composer.stop":`Stop the answer`,"composer.noFiles":`A question can only contain text. Add files under “Knowledge”.`,"composer.tooLong":`This is as long as a question can be: {count} characters. Anything pasted beyond that is cut off.`,"message.question":`Your question`,"message.answer":`Answer`,cancel:`Cancel`,save:`Save`,delete:`Delete`,copy:`Copy`,copied:`Copied`,copyFailed:`The browser did not let the page copy. Select the text and copy it yourself.`,tokens_one:`{count} token`,tokens_other:`{count} tokens`,"side.newChat":`New chat`,"side.search":`Search`,"side.searchKeys":`Ctrl K`,"side.status":`Server status`,"side.playground":`Playground for developers`,"side.handbook":`Handbook`,"handbook.title":`Handbook`,"handbook.about":`How to use and operate Footnote. These pages are on this server.`,"handbook.previous":`Previous`,"handbook.next":`Next`,"handbook.start":`To the start page`,"side.signOut":`Sign out`,"side.noChats":`Chats you start appear here.`,"side.more":`Show older chats`,"age.today":`Today`,"age.yesterday":`Yesterday`,"age.week":`Last 7 days`,"age.month":`Last 30 days`,"age.older":`Older`,"project.choose":`Project: {name}`,"project.new":`New project`,"project.name":`Name`,"project.description":`What it is about (optional)`,"project.local":`Use only models on this machine`,"project.localHelp":`Documents and questions never leave it then.`,"project.create":`Create project`,"session.rename":`Rename`,"session.share":`Share with the project`,"session.unshare":`Stop sharing`,"session.shared":`Shared`,"session.theirs":`{who} shares this chat. You can read it but not write in it.`,"session.delete":`Delete`,"session.deleteTitle":`Delete this chat?`,"session.deleteText":`“{title}” and all its answers will be gone.`,"session.title":`Title`,"session.titleHelp":`Without a title, the beginning of the first question is shown.`,"session.menu":`More options for this chat`,"session.menuOf":`More options for {title}`,"rag.on":`Documents on`,"rag.onHelp":`Answers come from the documents of {project}.`,"rag.off":`Documents off`,"rag.offHelp":`The model answers alone; no documents are searched.`,"message.writing":`The answer is being written.`,"message.finished_one":`The answer is complete, with one source.`,"message.finished_other":`The answer is complete, with {count} sources.`,"message.reasoning":`How the model reached this answer`,"message.cancelled":`This answer was stopped.`,"message.interrupted":`The server stopped while it was writing.`,"message.empty":`The model returned an empty answer.`,"message.copy":`Copy the text`,"regenerate.earlier":`The earlier answer is shown again.`,"message.regenerate":`Answer again`,"message.helpful":`Helpful`,"message.notHelpful":`Not helpful`,"message.evidence":`Everything that was found`,"message.confidence":`{percent} confident`,"message.confidenceHelp":`How likely the answer is to be right, judging by its sources.`,"messages.label":`Messages`,"messages.toEnd":`Go to the newest message`,"message.edit":`Edit and ask again`,"message.menu":`More options for this answer`,"message.copyWithSources":`Copy with its sources`,"edit.label":`The edited question`,"edit.help":`The messages that followed are kept as another version.`,"versions.label":`Versions`,"versions.previous":`Previous version`,"versions.next":`Next version`,"versions.number":`{number} / {all}`,"versions.which":`Version {number} of {all}`,"branch.shown":`The message is in another version of this chat, which is now shown.`,"branch.elsewhere":`Another version of this chat, asked for or chosen elsewhere, is now shown.`,"print.older":`Earlier messages of this chat are not printed. To print them too, scroll up to the first message before printing, or save the chat as Markdown.`,"message.replay":`Ask again with the same settings`,"compare.open":`Ask again with one change`,"compare.title":`Ask again with one change`,"compare.knob":`What to change`,"compare.knobHelp":`Everything else stays as the chat is set.`,"compare.on":`on`,"compare.off":`off`,"compare.changes":`What would be sent differently`,"compare.tokens":`{before} → {after} tokens in the prompt`,"compare.kept_one":`{count} passage stays`,"compare.kept_other":`{count} passages stay`,"compare.come":`Added`,"compare.gone":`Removed`,"compare.ask":`Ask`,"compare.shown":`Shown in the chat`,"compare.usage":`Prompt {input}, answer {output}, {time}`,"compare.keep":`Keep this one`,"compare.help":`The second answer is kept as another version, whichever one you choose.`,"export.markdown":`Save as Markdown`,"export.json":`Save as JSON`,"export.untitled":`Chat`,"outcome.NO_SOURCES":`Nothing found`,"outcome.NO_SOURCESHelp":`No document has anything relevant.`,"outcome.REJECTED":`Withdrawn`,"outcome.REJECTEDHelp":`The sources do not support what the model wrote.`,"outcome.INSUFFICIENT":`Not in the documents`,"outcome.INSUFFICIENTHelp":`The model says that the sources do not contain the answer.`,"rating.title":`What was not helpful?`,"rating.comment":`Anything else (optional)`,"rating.send":`Send`,"reason.INCORRECT":`It is wrong`,"reason.INCOMPLETE":`Something is missing`,"reason.IRRELEVANT":`It answers another question`,"reason.UNSUPPORTED":`The sources do not say that`,"reason.OUTDATED":`The sources are out of date`,"reason.UNCLEAR":`It is hard to understand`,"reason.REFUSED":`The documents do hold the answer`,"reason.OTHER":`Something else`,"stage.searching":`Searching the documents`,"stage.reading_one":`Reading one passage`,"stage.reading_other":`Reading {count} passages`,"stage.reconnecting":`The connection was lost. The answer continues where it stopped as soon as the server can be reached.`,"marker.name":`Source {index}: {title}`,"sources.title":`Sources`,"source.page":`page {page}`,"source.changed":`Changed`,"source.changedHelp":`The document has changed since this answer. The quote is what it said then.`,"source.deleted":`Deleted`,"source.deletedHelp":`The document was deleted. The quote is kept.`,"source.notFound":`These words are no longer in the passage.`,"source.placedByServer":`Source matched by Footnote`,"source.placedByModel":`Source named by the model`,"source.placedByServerHelp":`The model named no source for this sentence. Footnote found the passage that says the same.`,"source.placedByModelHelp":`The model named this source for the sentence, and Footnote found these words in it.`,"source.uses":`Where the answer cites it`,"source.use":`Quote {number}`,"source.open":`Read in the document`,"source.visit":`Visit`,"source.gone":`This passage no longer exists.`,"source.passage":`The cited passage`,"source.readOn":`Read on`,"source.readBefore":`Read what comes before`,"support.strong":`Strong support`,"support.fair":`Fair support`,"support.weak":`Weak support`,"support.help":`How well the quote supports the sentence that cites it.`,"evidence.label":`Where this answer comes from`,"evidence.close":`Close the panel`,"evidence.sources":`Sources`,"evidence.all":`All sources`,"found.cited":`Cited`,"found.nothingCited":`The answer cites nothing.`,"found.read":`Read, but not cited`,"found.left":`Found, but not given to the model`,"found.score":`Relevance {score}`,"decision.INCLUDED":`In the prompt`,"decision.SHORTENED":`Only its beginning is in the prompt`,"decision.BELOW_THRESHOLD":`Below the threshold`,"decision.OVER_BUDGET":`Did not fit`,"decision.DUPLICATE":`Says the same as another`,"decision.BEYOND_TOP_K":`Enough better ones were found`,"window.title":`Context window`,"window.label":`Context window: {used} of {all} tokens used`,"window.free":`Free`,"window.all":`Whole window`,"window.none":`The model was not called for this answer.`,"window.reduced":`{requested} were requested`,"window.reported":`Counted: {counted}. Reported by the provider: {reported}.`,"window.passages_one":`{count} passage`,"window.passages_other":`{count} passages`,"window.turns_one":`{count} message`,"window.turns_other":`{count} messages`,"window.memories_one":`{count} fact`,"window.memories_other":`{count} facts`,"window.dropped_one":`{count} left out`,"window.dropped_other":`{count} left out`,"window.wouldSend":`Would send {used} of {all} tokens`,"counting.EXACT":`Counted with the model's own tokenizer.`,"counting.CALIBRATED":`Estimated, then corrected using what the provider reported earlier.`,"counting.ESTIMATED":`Estimated; the real number is probably lower.`,"part.SYSTEM":`Instructions`,"part.TOOLS":`Tools`,"part.MEMORIES":`Facts about you`,"part.CONTEXT":`Passages`,"part.HISTORY":`Conversation`,"part.QUESTION":`Question`,"part.MARGIN":`Margin`,"part.COMPLETION":`Room for the answer`,"prompt.title":`What would be sent to the model`,"prompt.read":`Read the prompt`,"prompt.none":`The model would not be called.`,"role.system":`Instructions`,"role.user":`User`,"role.assistant":`Assistant`,"markdown.table":`Table`,"markdown.code":`Code`,"search.title":`Search chats`,"search.placeholder":`Part of a title, or words of a message`,"search.results":`Found`,"search.nothing":`No title and no message has these words.`,"search.chats":`Chats`,"search.messages":`In questions and answers`,"newChat.documents_one":`Ask about {count} document`,"newChat.documents_other":`Ask about {count} documents`,"newChat.empty":`There are no documents to ask about yet.`,"newChat.emptyViewer":`There are no documents to ask about yet. An editor of this project can add some.`,"home.title":`Start with a project`,"home.text":`A project holds the documents that answers come from, and the chats about them.`,"tour.title":`How it works`,"tour.questions":`Questions to start with`,"tour.question1":`Which document formats can Footnote read?`,"tour.question2":`How can I resume an answer after the connection breaks?`,"tour.question3":`What happens if the documents do not contain the answer?`,"tour.step1":`Ask`,"tour.text1":`Type a question, or pick one above. While you type, a bar shows what would be sent.`,"tour.step2":`Check`,"tour.text2":`Each number in the answer is a footnote. Point at it to see the source's own words.`,"tour.step3":`Look inside`,"tour.text3":`Click a footnote for the passage and its document, and for what was found but not used.`,"tour.dismiss":`Got it`,"knowledge.title":`Knowledge · {project}`,"knowledge.views":`Knowledge views`,"knowledge.documents":`Documents`,"knowledge.search":`Search`,"knowledge.model":`Embedding model`,"knowledge.documentCount_one":`{count} document`,"knowledge.documentCount_other":`{count} documents`,"knowledge.passageCount_one":`{count} passage`,"knowledge.passageCount_other":`{count} passages`,"knowledge.add":`Add documents`,"knowledge.drop":`Drop files or folders here.`,"knowledge.formats":`{names}, and any other text.`,"knowledge.formatsTitle":`Supported formats`,"knowledge.chooseFiles":`Choose files`,"knowledge.chooseFolder":`Choose a folder`,"knowledge.tooManyFiles":`Only the first {count} files are added.`,"knowledge.noFiles":`Nothing was added: there are no files in it.`,"knowledge.uploads":`Files being uploaded`,"knowledge.uploading":`Sending {name}`,"knowledge.removeUpload":`Remove {name}`,"knowledge.fileChanged":`This file was changed or moved after it was chosen. Choose it again.`,"knowledge.unreadable":`This could not be read. It may have been moved, or you may not have permission.`,"knowledge.moreUploads":`and {count} more`,"knowledge.left_one":`{count} file left to send`,"knowledge.left_other":`{count} files left to send`,"knowledge.cancelAll":`Cancel all`,"knowledge.paused":`Sending resumes automatically.`,"knowledge.notAdded_one":`{count} file was not added.`,"knowledge.notAdded_other":`{count} files were not added.`,"knowledge.retryAll":`Retry all`,"knowledge.clear":`Remove from the list`,"knowledge.filter":`Filter by title`,"knowledge.status":`Status`,"knowledge.allStatuses":`Any status`,"knowledge.more":`Show more`,"knowledge.noMatch":`No documents match`,"knowledge.empty":`No documents yet`,"knowledge.emptyHelp":`Drop some above. A minute later you can ask about them.`,"knowledge.emptyViewer":`An editor of this project can add some.`,"status.QUEUED":`Waiting`,"status.PROCESSING":`Being read`,"status.READY":`Ready`,"status.FAILED":`Failed`,"stage.PARSING":`Being read`,"stage.CHUNKING":`Being split`,"stage.EMBEDDING":`Being embedded`,"stage.INDEXING":`Being indexed`,"document.menu":`More options for {title}`,"document.preview":`Preview`,"document.previewHelp":`The text as it was read, passage by passage: this is what answers are made from.`,"document.openOriginal":`Open the original`,"document.download":`Download the original`,"document.rename":`Rename`,"document.replace":`Replace with a new file`,"document.delete":`Delete`,"document.version":`version {version}`,"document.progress":`Progress of {title}`,"document.title":`Title`,"document.titleHelp":`Titles are searched, too. Leave it empty to use the title in the file.`,"document.noSource":`This document was added without a source name, so there is no telling which file replaces it. Delete it and add the new file.`,"document.newFile":`New file`,"document.replaceHelp":`The old version is searched until the new one is ready.`,"document.deleteTitle":`Delete “{title}”?`,"document.deleteHelp":`It will no longer be found. Answers that cite it keep their quotes and say that it was deleted.`,"search.label":`Words or a question`,"search.help":`Shows the passages that a question would find, best first.`,"search.mode":`Match by`,"search.HYBRID":`Words and meaning`,"search.LEXICAL":`Words only`,"search.VECTOR":`Meaning only`,"search.go":`Search`,"search.none":`Nothing was found`,"search.scoreHelp":`Words {words}, meaning {meaning}`,"space.model":`Model`,"space.dimensions":`{count} dimensions`,"space.weight":`Weight of meaning`,"space.weightHelp":`How much meaning counts in a score; words make up the rest.`,"space.threshold":`Threshold`,"space.thresholdHelp":`Passages with a lower score are not used for answers.`,"space.measured":`Measured`,"space.measuredAt":`on this project's own texts, when it had {count} passages`,"space.notMeasured":`not yet: there are too few passages`,"space.building":`Switching to {model}: {done} of {total} passages`,"space.progress":`Progress of the switch to {model}`,"space.cancel":`Keep the current model`,"space.switch":`Switch the model`,"space.switchHelp":`All passages are embedded again in the background. Until that is done, the current model answers.`,"space.go":`Switch`,"space.paused":`{detail}`,"space.failed":`The switch to {model} failed. {detail}`,saved:`Saved`,"session.settings":`Settings of this chat`,"option.reset":`Use the defaults`,"option.enableRag":`Answer from the documents`,"option.enableRagHelp":`Passages of the project's documents are found for each question and given to the model.`,"option.ragTopK":`Passages`,"option.ragTopKHelp":`How many passages an answer may use. More passages take up more of the window and distract small models.`,"option.ragThreshold":`Threshold`,"option.ragThresholdHelp":`Passages with a lower score are left out. The default is measured on the project's own texts.`,"option.includeCitations":`Show sources`,"option.includeCitationsHelp":`Answers contain footnotes such as [1], each checked against its passage.`,"option.grounding":`Grounding`,"option.grounding.GROUNDED":`Only from the sources`,"option.grounding.OPEN":`Sources and general knowledge`,"option.grounding.GROUNDEDHelp":`What the sources do not say is refused.`,"option.grounding.OPENHelp":`The model may also say what it knows by itself; that has no footnote.`,"option.contextTokenRatio":`Share of the window for passages`,"option.contextTokenRatioHelp":`The rest is for the conversation so far and the answer.`,"option.reformulate":`Rewrite questions for the search`,"option.reformulateHelp":`A model first turns “and when?” into a complete question. This takes one more request.`,"option.model":`Model`,"option.modelHelp":`As provider/model. The list shows what this server can reach.`,"option.temperature":`Temperature`,"option.temperatureHelp":`0 picks the most likely words; higher values give more variety and more mistakes.`,"option.promptProfile":`Prompt style`,"option.promptProfileHelp":`Small models do better with a short prompt that has an example.`,"option.promptProfile.AUTO":`By the model's size`,"option.promptProfile.SMALL":`For small models`,"option.promptProfile.LARGE":`For large models`,"option.maxTokens":`Longest answer, in tokens`,"option.maxTokensHelp":`If empty, the default applies.`,"option.systemPrompt":`Instructions for the model`,"option.systemPromptHelp":`Placed at the start of every prompt.`,"project.settings":`Settings · {project}`,"project.readOnly":`Only owners of the project can change these settings.`,"project.about":`About the project`,"project.localOnly":`Only models on this machine`,"project.localOnlyHelp":`Documents and questions never leave it.`,"project.noSources":`Answer when nothing relevant is found`,"project.noSourcesHelp":`Shown when answers must come from the sources.`,"project.rejected":`Answer shown instead of one without sources`,"project.rejectedHelp":`Shown when nothing that the model cites holds up.`,"project.ownText":`If empty, the default applies, in the language of the question.`,"project.defaults":`Defaults for its chats`,"project.defaultsHelp":`Every chat of the project uses these unless it sets its own.`,"project.delete":`Delete this project`,"project.deleteHelp":`This also deletes its documents, chats and remembered facts. This cannot be undone.`,"project.deleteTitle":`Delete {project}?`,"project.typeName":`Type “{project}” to confirm`,"memories.title":`What Footnote remembers about you`,"memories.help":`Facts that are given to the model with your questions in this project. Nobody else sees them.`,"memories.new":`A new fact`,"memories.remember":`Remember`,"memories.forget":`Forget “{content}”`,"members.title":`Members · {project}`,"members.email":`Email address`,"members.help":`The person must already share a project with you, unless the operator allows adding anybody on this server.`,"members.role":`Role`,"members.roleOf":`Role of {who}`,"members.add":`Add`,"members.remove":`Remove`,"members.removeWho":`Remove {who}`,"members.soleOwner":`The only owner. To leave or to change this role, first make someone else an owner.`,"members.leaveSure":`Remove yourself? You will no longer have access to this project.`,"members.ownRoleSure":`Change your own role? Only another owner can give it back to you.`,"members.removeSure":`Remove {who}? They will no longer have access to this project.`,"members.roles":`Viewers search and chat. Editors also add, change and delete documents. Owners also change settings and members.`,"role.VIEWER":`Viewer`,"role.EDITOR":`Editor`,"role.OWNER":`Owner`,"invited.title":`Welcome to Footnote`,"invited.help":`You are signed in as {email} through a link that works only once. Set a password so that you can come back.`,"invited.set":`Set the password`,"invited.later":`Not now`,"link.title":`Sign in with this link?`,"link.text":`You are signed in as {who}. The link signs you in as the person it was made for.`,"link.stay":`Stay signed in`,"link.follow":`Use the link`,"account.title":`Your account`,"account.name":`Name`,"account.password":`Password`,"account.current":`Current password`,"account.currentHelp":`Leave it empty if you have none yet.`,"account.new":`New password`,"account.newHelp":`At least 8 characters; there are no other rules.`,"account.change":`Change the password`,"account.passwordChanged":`The password was changed`,"tokens.title":`Access tokens`,"tokens.help":`For programs that use the API in your name. Each can be revoked separately.`,"tokens.created":`Copy it now: it is shown only once.`,"tokens.copy":`Copy`,"tokens.copied":`Copied`,"tokens.label":`What it is for`,"tokens.life":`Expiration`,"tokens.days":`{days} days`,"tokens.forever":`Does not expire`,"tokens.until":`until {date}`,"tokens.used":`last used {date}`,"tokens.unused":`never used`,"tokens.create":`Create`,"tokens.revoke":`Revoke`,"tokens.revokeSure":`Revoke “{label}”? Programs that use it lose access at once. This cannot be undone.`,"tokens.revokeWhich":`Revoke {label}`,"health.title":`Status`,"health.OK":`OK`,"health.DEGRADED":`Limited`,"health.DOWN":`Down`,"health.version":`Footnote {version}`,"health.database":`Database`,"health.work":`Documents and answers being processed`,"health.embedded":`Built-in models`,"health.detail":`{detail}`,"project.purpose":`Description`,"side.knowledge":`Knowledge`,"side.settings":`Settings`,"side.members":`Members`,"side.account":`Account`,"session.pin":`Pin`,"session.unpin":`Unpin`,"session.archive":`Archive`,"session.unarchive":`Unarchive`,"age.pinned":`Pinned`,"side.archived":`Archived chats`,"side.noArchived":`No chats are archived.`,"side.back":`Back to all chats`,"newChat.waiting":`{ready} of {all} documents are ready`,"pdf.tools":`Page and size`,"pdf.previous":`Previous page`,"pdf.next":`Next page`,"pdf.page":`Page`,"pdf.smaller":`Smaller`,"pdf.larger":`Larger`,"original.views":`How to view the document`,"original.pages":`Pages`,"original.text":`Text`,"original.none":`This document has no original.`},fe=class{open;#e=new Map;constructor(e){this.open=e}read(e){return this.#e.get(e)??this.#t(t=>t.getItem(e))??null}readJson(e){try{return JSON.parse(this.read(e)??`null`)}catch{return null}}write(e,t){this.#e.delete(e),this.#t(n=>(t===null?n.removeItem(e):n.setItem(e,t),!0))||t===null||(this.#e.set(e,t),this.#t(t=>t.removeItem(e)))}names(){return this.#t(e=>Object.keys(e))??[]}#t(e){try{return e(this.open())}catch{return}}},R=new fe(()=>localStorage),pe=new fe(()=>sessionStorage),me=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),he=function(e){return`/static/page/`+e},ge={},_e=function(e){return e.pathname.endsWith(`.css`)},ve=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},ye=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=he(t,n);let r=s(t),i=_e(r);return ve(ge,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:me,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},be={en:`English`,de:`Deutsch`},xe=`footnote:language`,Se={en:async()=>de,de:async()=>(await ye(async()=>{let{default:e}=await import(`./de-DB1yG_m3.js`);return{default:e}},[])).default},Ce={en:async()=>({}),de:async()=>(await ye(async()=>{let{default:e}=await import(`./de-BmetwzGH.js`);return{default:e}},[])).default},z=new class{#e=w(`en`);get language(){return y(this.#e)}set language(e){N(this.#e,e,!0)}#t=w(de);get catalog(){return y(this.#t)}set catalog(e){N(this.#t,e)}#n=w({});get serverCatalog(){return y(this.#n)}set serverCatalog(e){N(this.#n,e)}#r=k(()=>ke(this.serverCatalog,`refusal.`));get refusals(){return y(this.#r)}set refusals(e){N(this.#r,e)}#i=k(()=>ke(this.serverCatalog,`remark.`));get remarks(){return y(this.#i)}set remarks(e){N(this.#i,e)}#a=k(()=>ke(this.serverCatalog,`health.`));get details(){return y(this.#a)}set details(e){N(this.#a,e)}#o=k(()=>new Intl.PluralRules(this.language));get plural(){return y(this.#o)}set plural(e){N(this.#o,e)}#s=k(()=>new Intl.NumberFormat(this.language));get number(){return y(this.#s)}set number(e){N(this.#s,e)}#c=k(()=>new Intl.NumberFormat(this.language,{style:`percent`,maximumFractionDigits:0}));get percent(){return y(this.#c)}set percent(e){N(this.#c,e)}#l=k(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`,timeStyle:`short`}));get date(){return y(this.#l)}set date(e){N(this.#l,e)}#u=k(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`}));get day(){return y(this.#u)}set day(e){N(this.#u,e)}};function B(e,t){return Ae(z.catalog[e],t)}function we(e,t,n){let r=z.plural.select(t)===`one`?`one`:`other`;return Ae(z.catalog[`${e}_${r}`],{...n,count:z.number.format(t)})}function V(e,t,n){let r=z.serverCatalog[e];return r===void 0?t:Ae(r,{detail:t,...n})}function Te(e,t){return Oe(z.remarks,t)??V(`notice.${e}`,t)}function Ee(e){return Oe(z.refusals,e)}function De(e){return Oe(z.details,e)??B(`health.detail`,{detail:e})}function Oe(e,t){for(let{pattern:n,text:r}of e){let e=n.exec(t);if(e===null)continue;let i=e.groups??{},a=Number(i.count?.replaceAll(`,`,``));return Ae(r,Number.isNaN(a)?i:{...i,count:z.number.format(a)})}return null}function ke(e,t){return Object.entries(e).filter(([e])=>e.startsWith(t)).map(([e,n])=>{let r=e.slice(t.length).replace(/[.*+?^$()|[\]\\]/g,`\\$&`);return{pattern:RegExp(`^${r.replace(/\{(\w+)\}/g,`(?<$1>.*)`)}$`,`s`),text:n}})}function Ae(e,t){return t?e.replace(/\{(\w+)\}/g,(e,n)=>String(t[n]??e)):e}async function je(e){R.write(xe,e),await Ne(e)}async function Me(){await Ne([R.read(xe),...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==null&&Object.hasOwn(be,e))??`en`).catch(()=>void 0)}async function Ne(e){[z.catalog,z.serverCatalog]=await Promise.all([Se[e](),Ce[e]()]),z.language=e,document.documentElement.lang=e}var H=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new H(`
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
}`,{fragmentName:`ProjectDetails`});var Pe=new H(`
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
}`),Fe=new H(`
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
}`),Ie=new H(`
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
}`),Le=new H(`
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
}`),Re=new H(`
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
}`),ze=new H(`
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
}`),Be=new H(`
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
}`),Ve=new H(`
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
}`),He=new H(`
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
    `),Ue=new H(`
    query Viewer {
  viewer {
    user {
      id
      email
      name
    }
  }
}
    `),We=new H(`
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
}`),Ge=new H(`
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
}`),Ke=new H(`
    mutation SignOut {
  signOut
}
    `),qe=new H(`
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
}`),Je=new H(`
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
}`),Ye=new H(`
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
}`),Xe=new H(`
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
}`),Ze=new H(`
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
}`),Qe=new H(`
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
}`),$e=new H(`
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
}`),et=new H(`
    query ExportChatSession($id: ID!, $format: ExportFormat!) {
  exportChatSession(id: $id, format: $format)
}
    `),tt=new H(`
    query AnswerWithSources($id: ID!) {
  message(id: $id) {
    id
    contentWithSources
  }
}
    `),nt=new H(`
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
}`),rt=new H(`
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
}`);var it=new H(`
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
}`),at=new H(`
    query PreviewPrompt($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    messages {
      role
      content
      tokens
    }
  }
}
    `),ot=new H(`
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
    `),st=new H(`
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
}`),ct=new H(`
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
    `),lt=new H(`
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
}`),ut=new H(`
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
}`),dt=new H(`
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
}`),ft=new H(`
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
}`),pt=new H(`
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
}`),mt=new H(`
    query DocumentFormats {
  documentFormats {
    name
    mediaType
    extensions
    available
    unavailableReason
  }
}
    `),ht=new H(`
    query OriginalLink($id: ID!) {
  document(id: $id) {
    id
    signedUrl {
      href
      validUntil
    }
  }
}
    `),gt=new H(`
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
    `),_t=new H(`
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
    `),vt=new H(`
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
}`),yt=new H(`
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
}`),bt=new H(`
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
}`),xt=new H(`
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
}`),St=new H(`
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
}`),Ct=new H(`
    query EmbeddingModels {
  models {
    name
    kind
    available
  }
}
    `),wt=new H(`
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
}`),Tt=new H(`
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
}`),Et=new H(`
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
}`),Dt=new H(`
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
}`),Ot=new H(`
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
}`),kt=new H(`
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
}`),At=new H(`
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
}`),jt=new H(`
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
}`),Mt=new H(`
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
    `),Nt=new H(`
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
}`),Pt=new H(`
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
}`),Ft=new H(`
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
}`),It=new H(`
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
}`),Lt=new H(`
    query ChatModels {
  models {
    name
    kind
    available
    contextWindow
  }
}
    `),Rt=new H(`
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
}`),zt=new H(`
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
}`),Bt=new H(`
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
}`),Vt=new H(`
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
}`),Ht=new H(`
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
}`),Ut={possibleTypes:{AddTextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],AddTextDocumentsResult:[`AddTextDocumentsPayload`,`ForbiddenError`,`NotFoundError`,`UnavailableError`,`ValidationError`],AnswerEvent:[`AnswerCancelled`,`AnswerCompleted`,`AnswerDelta`,`AnswerFailed`,`AnswerReplaced`,`BudgetNegotiated`,`CitationAdded`,`NoticeGiven`,`QueryReformulated`,`ReasoningDelta`,`RetrievalCompleted`],CancelAnswerResult:[`CancelAnswerPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],CancelEmbeddingSwitchResult:[`CancelEmbeddingSwitchPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`],ChangePasswordResult:[`ChangePasswordPayload`,`RateLimitedError`,`ValidationError`],CreateAccessTokenResult:[`CreateAccessTokenPayload`,`ValidationError`],CreateChatSessionResult:[`CreateChatSessionPayload`,`NotFoundError`,`ValidationError`],CreateProjectResult:[`ConflictError`,`CreateProjectPayload`,`ValidationError`],DeleteChatSessionResult:[`DeleteChatSessionPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteDocumentResult:[`DeleteDocumentPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteProjectResult:[`DeleteProjectPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],Error:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],ForgetResult:[`ForgetPayload`,`NotFoundError`,`ValidationError`],IngestionEvent:[`IngestionCompleted`,`IngestionFailed`,`IngestionProgressed`],Node:[`AccessToken`,`ChatSession`,`Chunk`,`Document`,`EmbeddingSpace`,`Memory`,`Message`,`Project`,`User`],RateAnswerResult:[`NotFoundError`,`RateAnswerPayload`,`ValidationError`],RecordCitationOpenedResult:[`NotFoundError`,`RecordCitationOpenedPayload`,`ValidationError`],RedeemSetupTokenResult:[`RedeemSetupTokenPayload`,`ValidationError`],RegenerateAnswerResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`RegenerateAnswerPayload`,`UnavailableError`,`ValidationError`],RememberResult:[`NotFoundError`,`RememberPayload`,`ValidationError`],RemoveProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RemoveProjectMemberPayload`,`ValidationError`],RereadDocumentsResult:[`ForbiddenError`,`NotFoundError`,`RereadDocumentsPayload`,`UnavailableError`,`ValidationError`],RetryDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RetryDocumentPayload`,`UnavailableError`,`ValidationError`],RevokeAccessTokenResult:[`NotFoundError`,`RevokeAccessTokenPayload`,`ValidationError`],SelectBranchResult:[`ForbiddenError`,`NotFoundError`,`SelectBranchPayload`,`ValidationError`],SendMessageResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`SendMessagePayload`,`UnavailableError`,`ValidationError`],SetProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SetProjectMemberPayload`,`ValidationError`],SignInResult:[`RateLimitedError`,`SignInPayload`,`ValidationError`],SwitchEmbeddingModelResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SwitchEmbeddingModelPayload`,`UnavailableError`,`ValidationError`],TextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],UpdateChatSessionResult:[`ForbiddenError`,`NotFoundError`,`UpdateChatSessionPayload`,`ValidationError`],UpdateDocumentResult:[`ForbiddenError`,`NotFoundError`,`UnavailableError`,`UpdateDocumentPayload`,`ValidationError`],UpdateProjectResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`UpdateProjectPayload`,`ValidationError`],UpdateViewerResult:[`UpdateViewerPayload`,`ValidationError`],UploadDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`UploadDocumentPayload`,`ValidationError`],WithdrawRatingResult:[`NotFoundError`,`ValidationError`,`WithdrawRatingPayload`]}};function Wt(){return b({globalIDs:!0,possibleTypes:Ut.possibleTypes,logger:()=>void 0,updates:{Mutation:{createProject:(e,t,n)=>Gt(n,`Query`,`projects`),deleteProject:(e,t,n)=>Gt(n,`Query`,`projects`)}}})}function Gt(e,t,n){for(let{fieldName:r,fieldKey:i}of e.inspectFields(t))r===n&&e.invalidate(t,i)}var Kt=/[\u202a-\u202e\u2066-\u2069]/g,qt=864e5,Jt=[/^((?:row|line|record|cell)s?|Slide) (\d+(?:\u2013\d+)?)(?=:|$)/,/^(Sheet|Attachment) “(.+)”$/,/^(Other attachments|Other files)$/];function Yt(e,t){let n=t.filter(Boolean).map(e=>Jt.reduce(Xt,e));return[e===null?``:B(`source.page`,{page:e}),...n].filter(Boolean).join(` › `)}function Xt(e,t){return e.replace(t,(e,t,n)=>V(`place.${t}`,e,{name:n}))}function Zt(e){return e.replace(Kt,``)}function Qt(e){let t=[`byte`,`kilobyte`,`megabyte`,`gigabyte`],n=Math.min(Math.floor(Math.log10(Math.max(e,1))/3),t.length-1);return new Intl.NumberFormat(z.language,{style:`unit`,unit:t[n],unitDisplay:n?`short`:`long`,maximumFractionDigits:+!!n}).format(e/1e3**n)}function $t(e){return new Intl.NumberFormat(z.language,{style:`unit`,unit:`second`,unitDisplay:`short`,maximumFractionDigits:1}).format(e/1e3)}function en(e){let[t,n]=e<9e4?[`second`,1e3]:e<54e5?[`minute`,6e4]:[`hour`,36e5];return new Intl.NumberFormat(z.language,{style:`unit`,unit:t,unitDisplay:`long`,maximumFractionDigits:0}).format(Math.ceil(e/n))}function tn(e,t=new Date){let n=new Date(t.getFullYear(),t.getMonth(),t.getDate()).getTime(),r=new Date(e).getTime();return r>=n?`today`:r>=n-qt?`yesterday`:r>=n-7*qt?`week`:r>=n-30*qt?`month`:`older`}var nn=new Set([502,503,504]),rn=new Set([`RATE_LIMITED`,`UNAVAILABLE`]),an=5e3,on=429,sn={NOT_FOUND:`NotFoundError`,FORBIDDEN:`ForbiddenError`},cn=/Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/,ln=new Set([`ValidationError`,`ForbiddenError`,`NotFoundError`,`TooLarge`,`FileChanged`]),U=class extends Error{kind;issues;retryAfterMs;name=`Problem`;constructor(e,t=`other`,n=[],r=null){super(e),this.kind=t,this.issues=n,this.retryAfterMs=r}get isPermanent(){return ln.has(this.kind)&&!this.issues.some(({code:e})=>e===`STORAGE_FULL`)}get isTemporary(){return this.kind===`unreachable`||this.kind===`unauthenticated`||this.retryAfterMs!==null}issueOf(e){return this.issues.find(({path:t})=>t.includes(e))?.message??null}};function un(e){let t=`retryAfterMs`in e?e.retryAfterMs:null,n=`issues`in e?e.issues.map(dn):[];return new U(n.map(({message:e})=>e).join(` `)||fn(`error.${e.__typename}`,e.message,{wait:en(t??0)}),e.__typename,n,t)}function dn({path:e,code:t,message:n}){return{path:e,code:t,message:fn(`issue.${t}`,n)}}function fn(e,t,n){return Ee(t)??V(e,t,{...n,detail:t})}function W({message:e,extensions:t},n){if(n===401||t?.code===`UNAUTHENTICATED`)return new U(fn(`error.UNAUTHENTICATED`,e),`unauthenticated`);let r=t?.code,i=rn.has(r)?an:null;return new U(fn(`error.${i===null?`OTHER`:String(r)}`,e),sn[String(r)]??`other`,[],i)}function pn(e){let[t]=e.graphQLErrors,n=e.response?.status;return t?W(t,n):n===401?new U(V(`error.UNAUTHENTICATED`,e.message),`unauthenticated`):n===void 0||hn(n)?G():mn(n)}function mn(e){return e===on?new U(B(`problem.tooMany`),`other`,[],an):new U(B(`problem.status`,{status:e}))}function G(){return new U(B(`unreachable.text`),`unreachable`)}function hn(e){return nn.has(e)}function K(e){return e instanceof U?e:e instanceof Error&&cn.test(e.message)?G():new U(B(`problem.detail`,{detail:e instanceof Error?e.message:String(e)}))}var gn=`footnote:token`;function _n(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);return t===null&&n===null?null:(history.replaceState(history.state,``,location.pathname+location.search),{token:t,setup:n})}function q(){let e=R.read(gn);return e&&yn(e)?e:null}function vn(e){R.write(gn,e)}function yn(e){return/^[!-~]+$/.test(e)}function bn(){let e=q();return e&&`Bearer ${e}`}var xn=`/graphql`,J=Dn(),Sn=new Set,Cn=new Set,wn=new Set([`NotFoundError`,`ForbiddenError`]),Tn=[],En=0;function Dn(e=X){return new oe({url:xn,preferGetMethod:!1,exchanges:[Wt(),ce],fetchOptions:()=>({headers:e()})})}function Y(e){return Dn(()=>X(e))}function X(e=q()){return{"GraphQL-Require-Preflight":`1`,...e?{Authorization:`Bearer ${e}`}:{}}}async function On(){try{let e=JSON.stringify({query:`{ __typename }`}),{status:t}=await fetch(xn,{method:`POST`,headers:{...X(),"Content-Type":`application/json`},body:e});return!hn(t)}catch{return!1}}function kn(){J=Dn(),Tn=[]}function An(){En+=1;for(let e of Tn.splice(0))e()}function jn(e){return Sn.add(e),()=>Sn.delete(e)}function Mn(e){return Cn.add(e),()=>Cn.delete(e)}function Nn({kind:e}){wn.has(e)&&Pn()}function Pn(){for(let e of Cn)e()}function Fn(e){for(let t of Sn)t(e)}function In(){let[e,t,n]=[J,q(),En];return r=>{let i=e===J;return i&&t===q()&&Fn(r),i&&n!==En?Promise.resolve():new Promise(e=>i&&Tn.push(e))}}async function Ln(e,t,n=`cache-first`,r=J){return Bn(r,()=>r.query(e.toString(),t,{requestPolicy:n}).toPromise())}function Rn(e,t,n,r=`cache-and-network`){let i=J,a=null,o=()=>{let s=In(),{unsubscribe:c}=te(i.query(e.toString(),t,{requestPolicy:r}),ie(e=>{let t=e.error?pn(e.error):null;t?.kind===`unauthenticated`?s(t).then(()=>a&&(a(),o())):n(e.data??null,t,e.stale)}));a=c};return o(),()=>{a?.(),a=null}}async function Z(e,t,n=J){let r=await Bn(n,()=>n.mutation(e.toString(),t).toPromise()),[i]=Object.entries(r).flatMap(([e,t])=>e===`__typename`?[]:[t]);if(zn(i)){let e=un(i);throw Nn(e),e}return i}function zn(e){return typeof e==`object`&&!!e&&String(e.__typename).endsWith(`Error`)}async function Bn(e,t){let n=e===J;for(;;){let e=In(),r=await t(),i=r.error&&pn(r.error);if(i?.kind===`unauthenticated`&&n)await e(i);else{if(i)throw i;if(r.data===void 0||r.data===null)throw new U(B(`problem.empty`));return r.data}}}var Vn=300,Hn=1e4,Un=12e3,Wn=5e3,Gn=1e3,Kn=new Set([4400,4401,4403]),qn=Jn();function Jn(){let e,t=!1,n=ne({url:new URL(xn,location.href.replace(/^http/,`ws`)).href,connectionParams:()=>{let e=bn();return e?{authorization:e}:{}},retryAttempts:0,lazyCloseTimeout:5e3,keepAlive:Un,on:{ping:t=>{t||(e=setTimeout(()=>n.terminate(),Wn))},pong:t=>t&&clearTimeout(e),connected:()=>{t&&Pn(),t=!1},closed:n=>{clearTimeout(e),t||=n.code!==Gn}}});return n}function Yn(){qn.dispose(),qn=Jn()}function Xn(e,t,n){let r=new AbortController;return Zn(e,t,n,r.signal),()=>r.abort()}async function Zn(e,t,n,r){let i=Vn;for(;!r.aborted;){let a=In(),o=await Qn(e,t(),r,e=>{i=Vn,n.connected?.(!0),n.next(e)});if(r.aborted)return;if(o===`done`)return n.done();if(o instanceof U&&o.kind===`unauthenticated`)n.connected?.(!1),await a(o);else{if(o instanceof U&&o.retryAfterMs===null)return Nn(o),n.failed(o);o instanceof U&&(i=Math.max(i,o.retryAfterMs)),n.connected?.(!1),await er(i,r),i=Math.min(i*2,Hn)}}}function Qn(e,t,n,r){return new Promise(i=>{let a=qn.subscribe({query:e.toString(),variables:t},{next:({data:e,errors:t})=>{let[n]=t??[];n?i(W(n)):e&&r(e)},error:e=>i($n(e)),complete:()=>i(`done`)});n.addEventListener(`abort`,()=>{a(),i(`done`)})})}function $n(e){return Array.isArray(e)?W(e[0]):e instanceof CloseEvent?Kn.has(e.code)?W({message:e.reason,extensions:{code:`UNAUTHENTICATED`}}):`broken`:e instanceof Event||e instanceof Error?`broken`:K(e)}function er(e,t){return new Promise(n=>{let r=new AbortController,i=()=>{r.abort(),clearTimeout(a),n()},a=setTimeout(i,e);addEventListener(`online`,i,{signal:r.signal}),document.addEventListener(`visibilitychange`,()=>document.hidden||i(),{signal:r.signal}),t.addEventListener(`abort`,i,{signal:r.signal})})}var tr=class{#e=w(null);get data(){return y(this.#e)}set data(e){N(this.#e,e)}#t=w(null);get problem(){return y(this.#t)}set problem(e){N(this.#t,e)}#n=w(!0);get loading(){return y(this.#n)}set loading(e){N(this.#n,e,!0)}#r=w(0);constructor(e,t,n=`cache-and-network`){j(()=>{let r=t(),i=y(this.#r)>0;if(this.loading=r!==null,r===null)this.data=null,this.problem=null;else return Rn(e,r,(e,t,n)=>this.#i(e,t,n),i?`network-only`:n)})}#i(e,t,n){(e!==null||t===null)&&(this.data=e),this.problem=t,this.loading=n}reload(){e(()=>N(this.#r,y(this.#r)+1))}},nr=`footnote:project`,rr=new class{#e=w(E(R.read(nr)));#t=w(0);get missingCount(){return y(this.#t)}set missingCount(e){N(this.#t,e,!0)}get projectId(){return y(this.#e)}reportMissing(){this.projectId=null,this.missingCount+=1}set projectId(e){N(this.#e,e,!0),R.write(nr,e)}},ir=new class{#e=w([]);#t=w(!1);get loading(){return y(this.#t)}set loading(e){N(this.#t,e,!0)}#n=w(null);get problem(){return y(this.#n)}set problem(e){N(this.#n,e)}#r=w(!1);get hasMore(){return y(this.#r)}set hasMore(e){N(this.#r,e,!0)}#i=w(!1);get archived(){return y(this.#i)}set archived(e){N(this.#i,e,!0)}#a=null;#o=null;#s=0;#c=new Map;#l=k(()=>{let e=y(this.#e).filter(({archived:e})=>e===this.archived).toSorted((e,t)=>e.lastActivityAt<t.lastActivityAt?1:-1);return[...Map.groupBy(e,e=>e.pinned?`pinned`:tn(e.lastActivityAt))].sort(([e],[t])=>Number(t===`pinned`)-Number(e===`pinned`))});get groups(){return y(this.#l)}set groups(e){N(this.#l,e)}find(e){return y(this.#e).find(t=>t.id===e)}forget(){this.#s+=1,N(this.#e,[]),this.#a=null,this.#o=null,this.hasMore=!1,this.loading=!1,this.problem=null}async read(e,t=!1){(e!==this.#a||t!==this.archived)&&(N(this.#e,[]),this.hasMore=!1,this.problem=null,this.#o=null),this.#a=e,this.archived=t,await this.#u(null)}async readMore(){this.hasMore&&!this.loading&&await this.#u(this.#o)}async retry(){this.loading||await this.#u(this.#o)}async refresh(){await this.#u(null,Math.max(1,y(this.#e).length))}async update(e){let{chatSession:t}=await Z(Nt,{input:e});this.#c.set(t.id,t),N(this.#e,[...y(this.#e).filter(({id:e})=>e!==t.id),t])}async remove(e){await Z(Pt,{id:e}),this.#c.set(e,null),N(this.#e,y(this.#e).filter(t=>t.id!==e))}async#u(e,t=1){let[n,r,i]=[this.#a,this.archived,++this.#s];if(this.#c.clear(),n){this.loading=!0;try{let a=[],o={hasNextPage:!0,endCursor:e};for(;o.hasNextPage&&a.length<t;){let{project:e}=await Ln(At,{id:n,archived:r,after:o.endCursor},`network-only`);if(i!==this.#s)return;if(e===null){rr.reportMissing();return}a.push(...e.chatSessions.nodes),o=e.chatSessions.pageInfo}let s=a.flatMap(e=>this.#c.get(e.id)??(this.#c.has(e.id)?[]:e)),c=new Set(s.map(e=>e.id));N(this.#e,[...e===null?[]:y(this.#e).filter(e=>!c.has(e.id)),...s]),this.#o=o.endCursor,this.hasMore=o.hasNextPage,this.problem=null}catch(t){i!==this.#s||e===null&&y(this.#e).length||(this.problem=K(t))}finally{i===this.#s&&(this.loading=!1)}}}},ar=6e3,or=3e3,sr=0,Q=new class{#e=w(E([]));get list(){return y(this.#e)}set list(e){N(this.#e,e,!0)}#t;get saysUnreachable(){return this.list.some(({unreachable:e})=>e)}show(e,t=`info`,n=!1){let r=++sr;this.list.push({id:r,kind:t,text:e,unreachable:n}),t===`info`&&setTimeout(()=>this.dismiss(r),ar)}fail=e=>{let{message:t,kind:n}=K(e),r=n===`unreachable`;this.list.some(({text:e})=>e===t)||this.show(t,`error`,r),r&&this.#n()};failUnlessGone(e){e.kind!==`NotFoundError`&&this.fail(e)}dismiss(e){this.list=this.list.filter(t=>t.id!==e)}#n(){this.#t??=setTimeout(()=>void this.#r(),or)}async#r(){let e=!document.hidden&&await On();this.#t=void 0,e?this.list=this.list.filter(({unreachable:e})=>!e):this.saysUnreachable&&this.#n()}},cr=new Map,lr=3,ur=3e3,dr=413,fr=408,pr={sending:0,failed:1,refused:1,waiting:2,sent:3},mr=2e3,hr=0,gr=class{#e=w(E([]));get list(){return y(this.#e)}set list(e){N(this.#e,e,!0)}#t=w(null);get pause(){return y(this.#t)}set pause(e){N(this.#t,e)}#n=lr;#r=0;#i=new Map;#a=new Set;constructor(){addEventListener(`beforeunload`,e=>{this.list.some(({state:e})=>e===`sending`||e===`waiting`)&&e.preventDefault()})}of(e){return this.list.filter(t=>t.projectId===e&&t.state!==`sent`).toSorted((e,t)=>pr[e.state]-pr[t.state]||e.id-t.id)}onArrival(e){return this.#a.add(e),()=>this.#a.delete(e)}add(e,t,n){for(let{file:r,source:i,problem:a}of t){let t=a??n(r.name)??``;this.list.push({id:++hr,projectId:e,file:r,source:i,state:t?`refused`:`waiting`,sent:0,problem:t})}this.#o()}retry(e){Object.assign(e,{state:`waiting`,sent:0,problem:``}),this.#o()}retryAll(e){for(let t of this.of(e))t.state===`failed`&&Object.assign(t,{state:`waiting`,sent:0,problem:``});this.#o()}clear(e){let t=new Set(this.of(e).flatMap(({id:e,problem:t})=>t?[e]:[]));this.list=this.list.filter(({id:e})=>!t.has(e))}remove(e){this.list=this.list.filter(({id:t})=>t!==e.id),this.#i.get(e.id)?.abort()}cancel(e){let t=new Set(this.of(e).flatMap(({id:e,problem:t})=>t?[]:[e]));this.list=this.list.filter(({id:e})=>!t.has(e));for(let e of t)this.#i.get(e)?.abort()}#o(){for(;this.#r<this.#n&&!this.pause;){let e=this.list.find(({state:e})=>e===`waiting`);if(!e)return;this.#s(e)}}async#s(e){this.#r+=1,e.state=`sending`;let t=bn(),n=this.#n===1;try{let t=await this.#d(e);e.state=`sent`,this.list=this.list.filter(({id:t})=>t!==e.id);for(let e of this.#a)e(t)}catch(r){let i=K(r);if(i.kind===`unauthenticated`&&t===bn()&&Fn(i),i.isTemporary)Object.assign(e,{state:`waiting`,sent:0}),this.#l(i);else if(i.kind===`TooSlow`&&!n)Object.assign(e,{state:`waiting`,sent:0}),this.#n=1;else{let t={state:i.isPermanent?`refused`:`failed`,problem:i.message};Object.assign(e,t),_r(i)&&this.#c(e.projectId,t),Nn(i)}}finally{this.#i.delete(e.id),--this.#r,this.#o()}}#c(e,t){for(let n of this.of(e))n.state===`waiting`&&Object.assign(n,t)}#l(e){this.pause||(this.pause=e,setTimeout(()=>void this.#u(e),e.retryAfterMs??ur))}async#u(e){let t=e.kind===`unauthenticated`&&bn()===null,n=this.list.some(({state:e})=>e===`waiting`)&&(t||e.kind===`unreachable`&&!await On());this.pause=null,n?this.#l(e):this.#o()}forget(){for(let e of this.list)this.remove(e)}#d(e){let{projectId:t,source:n,file:r}=e,i=new FormData,a=vt.toString();i.append(`operations`,JSON.stringify({query:a,variables:{input:{projectId:t,source:n,file:null}}})),i.append(`map`,JSON.stringify({0:[`variables.input.file`]})),i.append(`0`,r,r.name);let o=new XMLHttpRequest;return this.#i.set(e.id,o),new Promise((t,n)=>{o.upload.onprogress=({loaded:t,total:n})=>e.sent=n?t/n:0,o.onerror=()=>void vr(r).then(n),o.onabort=()=>n(new U(``)),o.onload=()=>{try{t(yr(o))}catch(e){n(K(e))}},o.open(`POST`,xn);for(let[e,t]of Object.entries(X()))o.setRequestHeader(e,t);o.send(i)})}};function _r({kind:e}){return e===`NotFoundError`||e===`ForbiddenError`}async function vr(e){try{let t=e.stream().getReader();return await t.read(),t.cancel(),G()}catch{return new U(B(`knowledge.fileChanged`),`FileChanged`)}}function yr(e){let t;try{t=JSON.parse(e.responseText)}catch{throw hn(e.status)?G():mn(e.status)}let[n]=t.errors??[];if(n&&e.status===dr)throw new U(W(n).message,`TooLarge`);if(n&&e.status===fr)throw new U(W(n).message,`TooSlow`);if(n)throw W(n,e.status);if(!t.data)throw mn(e.status);let r=t.data.uploadDocument;if(`document`in r)return r.document;throw un(r)}async function br(e,t){let n=[...e??[]].map(e=>e.webkitGetAsEntry()).filter(e=>e!==null);if(!n.length)return[...t??[]].map(e=>({file:e,source:e.webkitRelativePath||e.name})).filter(({source:e})=>!/\/\./.test(e)).slice(0,2001);let r=[];for(let e of n)await xr(e,r);return r}async function xr(e,t){if(t.length>2e3||e.name.startsWith(`.`))return;let n=e.fullPath.replace(/^\//,``);try{e.isFile?t.push({file:await Sr(e),source:n}):await Cr(e,t)}catch{t.push({file:new File([],e.name),source:n,problem:B(`knowledge.unreadable`)})}}function Sr(e){return new Promise((t,n)=>e.file(t,n))}async function Cr(e,t){let n=e.createReader();for(;;){let e=await new Promise((e,t)=>n.readEntries(e,t));if(!e.length)return;for(let n of e)await xr(n,t)}}var wr=new gr,Tr=new class{#e=w(`asking`);get state(){return y(this.#e)}set state(e){N(this.#e,e,!0)}#t=w(null);get viewer(){return y(this.#t)}set viewer(e){N(this.#t,e)}#n=w(``);get problem(){return y(this.#n)}set problem(e){N(this.#n,e,!0)}#r=w(null);get outage(){return y(this.#r)}set outage(e){N(this.#r,e)}#i=w(null);get link(){return y(this.#i)}set link(e){N(this.#i,e)}#a=w(!1);get invited(){return y(this.#a)}set invited(e){N(this.#a,e,!0)}#o=null;constructor(){jn(e=>this.#p(e)),addEventListener(`hashchange`,()=>{this.#s(),this.#c()});let e=null;addEventListener(`pagehide`,()=>e=q()),addEventListener(`pageshow`,({persisted:t})=>t&&e!==q()&&location.reload()),addEventListener(`storage`,({key:e,newValue:t})=>{e===`footnote:token`&&(t!==null||this.state!==`out`)&&(t===``&&(this.viewer=null,kn()),Yn(),this.#d())})}async start(){this.#s(),await this.retry()}isViewer(e){return e!==void 0&&e.id===this.viewer?.id}async retry(){(q()||!this.link)&&await this.#d(),await this.#c()}#s(){let e=_n();e&&(e.token===null||e.token!==q())&&(this.link=e)}async#c(){if(this.link&&!q())try{await this.followLink(this.link)}catch(e){await this.#l(K(e))}}async#l(e){e.kind===`unreachable`?(this.outage=e,this.state=`unreachable`):(this.link=null,await this.#d()),this.state===`in`?Q.fail(e):this.problem=e.message}ignoreLink(){this.link=null}async followLink({setup:e,token:t}){if(e===null)return this.useToken(t??``);let n=await Z(Ge,{token:e},Y(null));this.invited=!0,await this.#u(n.token)}async signIn(e,t){await this.#u((await Z(We,{email:e,password:t},Y(null))).token)}async changePassword(e,t){let{user:n}=await Z(Be,{input:{currentPassword:e,newPassword:t}});await this.signIn(n.email,t),this.invited=!1}async useToken(e){let t=e.trim().replace(/^Bearer\s+/i,``);if(!yn(t))throw new U(B(`signIn.notToken`),`unauthenticated`);await Ln(Ue,{},`network-only`,Y(t)),await this.#u(t)}async#u(e){this.link=null,vn(e),Yn(),await this.#d()}async signOut(){try{await Z(Ke,{},Y(q()))}catch(e){if(e instanceof U&&e.kind===`unreachable`)throw e}vn(``),this.viewer=null,this.state=`out`,location.assign(`/`)}async#d(){let e=q();try{let{user:t}=(await Ln(Ue,{},`network-only`,Y(e))).viewer;if(e!==q())return;this.#f(t),this.state=`in`,this.problem=``,An()}catch(t){if(t instanceof U&&t.kind===`unauthenticated`){e===q()&&this.#p(t);return}this.outage=K(t),this.problem=this.outage.message,this.state=`unreachable`}}#f(e){this.#o!==null&&this.#o!==e.id&&(kn(),ir.forget(),wr.forget(),cr.clear()),this.#o=e.id,this.viewer=e}#p(e){this.state===`in`?this.problem=q()?B(`signIn.ended`):``:q()&&(this.problem=e.message),vn(null),Yn(),this.state=`out`}},Er=g(`<span><!></span>`);function Dr(e,t){let i=M(t,`tone`,3,`neutral`);var a=Er(),o=x(a);u(o,()=>t.children),n(a),T(()=>{r(a,1,f([`badge`,i()]),`svelte-dtbgkf`),F(a,`title`,t.title)}),_(e,a)}var Or=new Set([`$$slots`,`$$events`,`$$legacy`,`look`,`icon`,`small`,`label`,`busy`,`disabled`,`href`,`type`,`children`,`element`,`onclick`]),kr=g(`<a><!></a>`),Ar=g(`<button><!></button>`);function jr(e,t){I(t,!0);let r=M(t,`look`,3,`secondary`),i=M(t,`icon`,3,!1),a=M(t,`small`,3,!1),c=M(t,`busy`,3,!1),l=M(t,`disabled`,3,!1),d=M(t,`type`,3,`button`),f=M(t,`element`,15),p=C(t,Or);function m(e){c()?e.preventDefault():t.onclick?.(e)}var h=o(),g=D(h),v=e=>{var o=kr();ue(o,()=>({class:[`button`,r(),{icon:i(),small:a()}],href:t.href,"aria-label":t.label,title:t.label,onclick:t.onclick,...p}),void 0,void 0,void 0,`svelte-18sv61c`);var s=x(o);u(s,()=>t.children),n(o),O(o,e=>f(e),()=>f()),_(e,o)},ee=e=>{var o=Ar();ue(o,()=>({class:[`button`,r(),{icon:i(),small:a()}],type:d(),"aria-label":t.label,title:t.label,"aria-busy":c()||void 0,"aria-disabled":c()||void 0,disabled:l(),onclick:m,...p}),void 0,void 0,void 0,`svelte-18sv61c`);var s=x(o);u(s,()=>t.children),n(o),O(o,e=>f(e),()=>f()),_(e,o)};s(g,e=>{t.href===void 0?e(ee,-1):e(v)}),_(e,h),P()}var Mr=new class{#e=w([]);get top(){return y(this.#e).at(-1)??null}enter(e){return N(this.#e,[...y(this.#e),e]),()=>N(this.#e,y(this.#e).filter(t=>t!==e))}};function Nr(e){return history.state?.[e]}function Pr(e,t){history.replaceState({...history.state,[e]:t},``)}function Fr(e,t){history.pushState({...history.state,[e]:t},``)}var Ir=`top`,Lr=100,Rr=[`wheel`,`touchmove`,`keydown`,`pointerdown`],$=null,zr;function Br(e){let t=new AbortController;return $=e,e.addEventListener(`scroll`,qr,{signal:t.signal,passive:!0}),()=>{t.abort(),clearTimeout(zr),$=null}}function Vr(){clearTimeout(zr),$&&Pr(Ir,$.scrollTop)}function Hr(){clearTimeout(zr)}function Ur(){return Nr(Ir)}function Wr(){let e=Ur();e!==void 0&&$?.scrollTo(0,e)}function Gr(e,t){let n=new AbortController,r=t===void 0?Kr():null,i=new ResizeObserver(()=>{r?r.scrollIntoView():$?.scrollTo(0,t??0),(!$||r||Math.abs($.scrollTop-(t??0))<=1)&&a()}),a=()=>{i.disconnect(),n.abort()};for(let e of Rr)addEventListener(e,a,{signal:n.signal,passive:!0});return i.observe(e),a}function Kr(){try{return document.getElementById(decodeURIComponent(location.hash.slice(1)))}catch{return null}}function qr(){clearTimeout(zr),zr=setTimeout(Vr,Lr)}var Jr=new class{#e=0;constructor(){addEventListener(`beforeunload`,e=>{this.#e&&e.preventDefault()})}watch(e){j(()=>{if(e())return this.#e+=1,()=>--this.#e})}mayLeave(){return this.#e===0||this.confirmLoss()}confirmLoss(){return confirm(B(`unsaved`))}},Yr=[`documents`,`search`,`model`],Xr=[`settings`,`members`];function Zr(e){let[t,n,r,i]=Qr(e);if(t===void 0)return{view:`home`};if(t===`account`||t===`status`)return{view:t};if(t===`handbook`&&r===void 0)return{view:`handbook`,page:n??null};if(t===`c`&&n)return{view:`chat`,sessionId:n,messageId:r??null};if(t===`p`&&n){let e=i===void 0?Yr[0]:Yr.find(e=>e===i);if(r===`knowledge`&&e)return{view:`project`,projectId:n,tab:r,section:e};let t=r===void 0?`chat`:Xr.find(e=>e===r);if(t)return{view:`project`,projectId:n,tab:t}}return{view:`missing`}}function Qr(e){try{return e.split(`/`).filter(Boolean).map(decodeURIComponent)}catch{return[`\0`]}}var $r=new class{#e=w(E(location.pathname));#t=k(()=>Zr(y(this.#e)));get route(){return y(this.#t)}set route(e){N(this.#t,e)}#n=w(0);get returns(){return y(this.#n)}set returns(e){N(this.#n,e,!0)}constructor(){addEventListener(`popstate`,()=>{Hr(),location.pathname===y(this.#e)?Wr():Jr.mayLeave()?(e=>{var t=h(e,2);N(this.#e,t[0],!0),this.returns=t[1]})([location.pathname,this.returns+1]):history.pushState(null,``,y(this.#e))}),addEventListener(`click`,e=>this.#r(e))}go(e,t=!1,n=``){e!==location.pathname&&(t||Jr.mayLeave())&&(Vr(),t?history.replaceState(null,``,e+n):history.pushState(null,``,e+n),N(this.#e,location.pathname,!0))}#r(e){if(e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey)return;let t=e.target instanceof Element?e.target.closest(`a`):null;if(!(!t||t.target||t.hasAttribute(`download`)||t.origin!==location.origin)&&Zr(t.pathname).view!==`missing`){if(t.hash&&t.pathname===location.pathname)return Vr();e.preventDefault(),this.go(t.pathname,!1,t.hash)}}},ei={project:e=>`/p/${encodeURIComponent(e)}`,knowledge:(e,t=Yr[0])=>`/p/${encodeURIComponent(e)}/knowledge${t===Yr[0]?``:`/${t}`}`,settings:e=>`/p/${encodeURIComponent(e)}/settings`,members:e=>`/p/${encodeURIComponent(e)}/members`,chat:e=>`/c/${encodeURIComponent(e)}`,message:(e,t)=>`/c/${encodeURIComponent(e)}/${encodeURIComponent(t)}`,account:`/account`,status:`/status`,playground:`/graphql`,handbook:`/handbook`,handbookPage:e=>`/handbook/${encodeURIComponent(e)}`},ti=g(`<div><p dir="auto" class="svelte-r9p0hk"> </p> <!></div>`),ni=g(`<div class="toasts screen-only svelte-r9p0hk" role="region"></div>`);function ri(e,t){I(t,!0);var i=ni();d(i,21,()=>Q.list,e=>e.id,(e,t)=>{var i=ti(),a=x(i),o=A(a,!0),s=S(a,2);{let e=k(()=>B(`dismiss`));jr(s,{look:`ghost`,icon:!0,small:!0,get label(){return y(e)},onclick:()=>Q.dismiss(y(t).id),children:(e,t)=>{ae(e,{})},$$slots:{default:!0}})}n(i),T(()=>{r(i,1,f([`toast`,y(t).kind]),`svelte-r9p0hk`),F(i,`role`,y(t).kind===`error`?`alert`:`status`),L(o,y(t).text),a.dir=a.dir}),_(e,i)}),n(i),T(e=>F(i,`aria-label`,e),[()=>B(`notifications`)]),_(e,i),P()}var ii=g(`<footer class="svelte-jby388"><!></footer>`),ai=g(`<div class="sheet svelte-jby388"><header class="svelte-jby388"><h2 dir="auto" class="svelte-jby388"> </h2> <!></header> <div class="content svelte-jby388"><!></div> <!></div> <!>`,1),oi=g(`<dialog><!></dialog>`);function si(t,i){let o=a();I(i,!0);let l=M(i,`place`,3,`center`),d=M(i,`wide`,3,!1),p=M(i,`unsaved`,3,!1),m=w(void 0),h=!1;Jr.watch(()=>i.open&&p()),j(()=>i.open?e(()=>Mr.enter(o)):void 0);let g=k(()=>i.open?e(()=>$r.returns):0);j(()=>{i.open&&$r.returns!==y(g)&&e(i.onclose)});let v=null;j(()=>{i.open&&y(m)&&!y(m).open?(v=document.activeElement,Tr.state===`in`&&y(m).showModal()):!i.open&&y(m)?.open&&y(m).close()}),j(()=>()=>{(document.activeElement===document.body||document.activeElement===null)&&v instanceof HTMLElement&&v.focus({preventScroll:!0})});function b(){(!p()||Jr.confirmLoss())&&i.onclose()}function te(e){e.target===y(m)&&h&&b()}var C=oi(),ne=x(C),re=e=>{var t=ai(),r=D(t),a=x(r),c=x(a),l=A(c,!0),d=S(c,2);{let e=k(()=>B(`close`));jr(d,{look:`ghost`,icon:!0,small:!0,get label(){return y(e)},onclick:b,children:(e,t)=>{ae(e,{})},$$slots:{default:!0}})}n(a);var f=S(a,2),p=x(f);u(p,()=>i.children),n(f);var m=S(f,2),h=e=>{var t=ii(),r=x(t);u(r,()=>i.footer),n(t),_(e,t)};s(m,e=>{i.footer&&e(h)}),n(r);var g=S(r,2),v=e=>{ri(e,{})};s(g,e=>{Mr.top===o&&e(v)}),T(()=>{F(c,`id`,o),L(l,i.title),c.dir=c.dir}),_(e,t)};s(ne,e=>{i.open&&e(re)}),n(C),O(C,e=>N(m,e),()=>y(m)),T(()=>{r(C,1,f([l(),{wide:d()}]),`svelte-jby388`),F(C,`aria-labelledby`,o)}),ee(`cancel`,C,e=>{e.preventDefault(),b()}),c(`pointerdown`,C,e=>h=e.target===y(m)),c(`click`,C,te),_(t,C),P()}se([`pointerdown`,`click`]);var ci=g(`<span class="icon svelte-1m5lo4h"><!></span>`),li=g(`<p dir="auto" class="svelte-1m5lo4h"> </p>`),ui=g(`<div class="actions svelte-1m5lo4h"><!></div>`),di=g(`<div><!> <!> <!> <!></div>`);function fi(e,i){let a=M(i,`whole`,3,!1);var o=di(),c=x(o),d=e=>{var t=ci(),r=x(t);re(r,()=>i.icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),n(t),_(e,t)};s(c,e=>{i.icon&&e(d)});var p=S(c,2);t(p,()=>a()?`h1`:`h2`,!1,(e,t)=>{r(e,0,`title svelte-1m5lo4h`);var n=l();T(()=>L(n,i.title)),_(t,n)});var m=S(p,2),h=e=>{var t=li(),n=A(t,!0);T(()=>{L(n,i.text),t.dir=t.dir}),_(e,t)};s(m,e=>{i.text&&e(h)});var g=S(m,2),v=e=>{var t=ui(),r=x(t);u(r,()=>i.children),n(t),_(e,t)};s(g,e=>{i.children&&e(v)}),n(o),T(()=>r(o,1,f([`empty`,{whole:a()}]),`svelte-1m5lo4h`)),_(e,o)}var pi=g(`<p class="problem svelte-175sa6o" role="alert"> </p>`),mi=g(`<p class="help svelte-175sa6o"> </p>`),hi=g(`<div class="field svelte-175sa6o"><label class="svelte-175sa6o"> </label> <!> <!> <!></div>`);function gi(e,t){let r=a();I(t,!0);let i=M(t,`problem`,3,null),o=k(()=>[t.help&&`${r}-help`,i()&&`${r}-problem`].filter(Boolean).join(` `)||void 0);var c=hi(),l=x(c),d=A(l,!0),f=S(l,2);u(f,()=>t.children,()=>({id:r,"aria-describedby":y(o),"aria-invalid":i()?!0:void 0}));var p=S(f,2),m=e=>{var t=pi(),n=A(t,!0);T(()=>{F(t,`id`,`${r}-problem`),L(n,i())}),_(e,t)};s(p,e=>{i()&&e(m)});var h=S(p,2),g=e=>{var n=mi(),i=A(n,!0);T(()=>{F(n,`id`,`${r}-help`),L(i,t.help)}),_(e,n)};s(h,e=>{t.help&&e(g)}),n(c),T(()=>{F(l,`for`,r),L(d,t.label)}),_(e,c),P()}var _i=v(`<svg viewBox="0 0 32 32" aria-hidden="true" class="svelte-1mi20zr"><rect width="32" height="32" rx="7" class="svelte-1mi20zr"></rect><path d="M7 10h11M7 16h18M7 22h14" class="svelte-1mi20zr"></path><circle cx="25" cy="9" r="3" class="svelte-1mi20zr"></circle></svg>`);function vi(e,t){var n=_i();let r;T(()=>r=i(n,``,r,{width:t.size,height:t.size})),_(e,n)}var yi=g(`<button type="button" tabindex="-1"><!> <span dir="auto" class="svelte-15gydnd"> </span> <!></button>`),bi=g(`<!> <div class="menu svelte-15gydnd" role="menu" tabindex="-1" popover="auto"></div>`,1);function xi(e,t){let i=a();I(t,!0);let l=M(t,`align`,3,`end`),f=w(void 0),m=w(!1),h={text:``,at:-1/0};function g(){let e=document.getElementById(`${i}-trigger`);if(!y(f)||!e)return;let t=e.getBoundingClientRect(),{width:n,height:r}=y(f).getBoundingClientRect(),a=t.bottom+r+8<innerHeight||t.top<r,o=l()===`end`==(getComputedStyle(y(f)).direction===`ltr`)?t.right-n:t.left;y(f).style.setProperty(`left`,`${Math.max(8,Math.min(o,innerWidth-n-8))}px`);let s=a?t.bottom+4:t.top-r-4;y(f).style.setProperty(`top`,`${Math.max(8,Math.min(s,innerHeight-r-8))}px`),y(f).style.setProperty(`visibility`,`visible`),h.text=``;let c=v();(c.find(e=>e.ariaChecked===`true`)??c[0])?.focus()}function v(){return[...y(f)?.querySelectorAll(`[role^=menuitem]:not(:disabled)`)??[]]}function b(e){let t=performance.now();h={text:(t-h.at<700?h.text:``)+e.toLowerCase(),at:t};let n=v(),r=n.indexOf(document.activeElement),i=h.text.length>1?r:r+1;[...n.slice(i),...n.slice(0,i)].find(e=>e.textContent.trim().toLowerCase().startsWith(h.text))?.focus()}function te(e){let t=v(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:-1}[e.key];e.key===`Tab`&&y(f)?.hidePopover();let i=h.text!==``&&performance.now()-h.at<700;e.key.length!==1||e.key===` `&&!i||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),b(e.key)),r!==void 0&&(e.preventDefault(),t.at(r%t.length)?.focus())}function C(e){y(f)?.hidePopover(),document.getElementById(`${i}-trigger`)?.focus(),e.onselect()}var ne=bi(),ie=D(ne);u(ie,()=>t.trigger,()=>({id:`${i}-trigger`,popovertarget:i,"aria-haspopup":`menu`,"aria-expanded":y(m)}));var E=S(ie,2);d(E,21,()=>t.items,p,(e,t)=>{var i=yi();let a;var l=x(i),u=e=>{var n=o(),r=D(n);re(r,()=>y(t).icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),_(e,n)};s(l,e=>{y(t).icon&&e(u)});var d=S(l,2),f=A(d,!0),p=S(d,2),m=e=>{le(e,{"aria-hidden":`true`,class:`check`})};s(p,e=>{y(t).checked&&e(m)}),n(i),T(()=>{F(i,`role`,y(t).checked===void 0?`menuitem`:`menuitemradio`),F(i,`aria-checked`,y(t).checked),i.disabled=y(t).disabled,a=r(i,1,`svelte-15gydnd`,null,a,{danger:y(t).danger}),L(f,y(t).label),d.dir=d.dir}),c(`click`,i,()=>C(y(t))),_(e,i)}),n(E),O(E,e=>N(f,e),()=>y(f)),T(()=>{F(E,`id`,i),F(E,`aria-labelledby`,`${i}-trigger`)}),ee(`toggle`,E,e=>{N(m,e.newState===`open`),y(m)?g():y(f)?.style.removeProperty(`visibility`)}),c(`keydown`,E,te),_(e,ne),P()}se([`keydown`,`click`]);function Si(t,n){I(n,!0),j(()=>e(()=>void ir.refresh()));{let e=k(()=>B(`missing.title`)),n=k(()=>B(`missing.text`));fi(t,{whole:!0,get title(){return y(e)},get text(){return y(n)},children:(e,t)=>{jr(e,{href:`/`,children:(e,t)=>{m();var n=l();T(e=>L(n,e),[()=>B(`missing.home`)]),_(e,n)},$$slots:{default:!0}})},$$slots:{default:!0}})}P()}function Ci(e,t){I(t,!0),j(()=>{Q.fail(t.error),t.ontold()}),P()}function wi(e,t){I(t,!0);let n=`Footnote`;j(()=>(document.title=t.name?`${t.name} · ${n}`:n,()=>document.title=n)),P()}function Ti(e,t){I(t,!0);let n=M(t,`whole`,3,!1),r=k(()=>t.problem.kind===`unreachable`),i=k(()=>y(r)?3e3:t.problem.retryAfterMs??null);j(()=>{if(y(i)===null)return;let e=setInterval(()=>document.hidden||t.onretry(),y(i));return()=>clearInterval(e)});{let i=k(()=>B(y(r)?`unreachable.title`:`problem.title`)),a=k(()=>y(r)?B(`unreachable.again`):t.problem.message);fi(e,{get whole(){return n()},get title(){return y(i)},get text(){return y(a)},children:(e,n)=>{{let n=k(()=>y(r)?`primary`:`secondary`);jr(e,{get look(){return y(n)},get onclick(){return t.onretry},children:(e,t)=>{m();var n=l();T(e=>L(n,e),[()=>B(`retry`)]),_(e,n)},$$slots:{default:!0}})}},$$slots:{default:!0}})}P()}var Ei=g(`<span class="spinner svelte-f4erjd" role="status"><span class="visually-hidden"> </span></span>`);function Di(e,t){I(t,!0);let r=M(t,`label`,19,()=>B(`loading`));var i=Ei(),a=x(i),o=A(a,!0);n(i),T(()=>L(o,r())),_(e,i),P()}var Oi=g(`<span class="count svelte-126ak3w"> </span>`),ki=g(`<button type="button" role="tab" class="svelte-126ak3w"> <!></button>`),Ai=g(`<div class="tabs svelte-126ak3w" role="tablist" tabindex="-1"></div> <div class="panel svelte-126ak3w" role="tabpanel"><!></div>`,1);function ji(e,t){let r=a();I(t,!0);function i(e){let n=t.tabs.findIndex(({name:e})=>e===t.selected),i=getComputedStyle(e.currentTarget).direction===`rtl`?-1:1,a={ArrowRight:n+i,ArrowLeft:n-i,Home:0,End:-1}[e.key],o=a===void 0?void 0:t.tabs.at(a%t.tabs.length);o&&(e.preventDefault(),t.onselect(o.name),document.getElementById(`${r}-${o.name}`)?.focus())}var o=Ai(),l=D(o);d(l,21,()=>t.tabs,e=>e.name,(e,i)=>{var a=ki(),o=x(a,!0),l=S(o),u=e=>{var t=Oi(),n=A(t,!0);T(()=>L(n,y(i).count)),_(e,t)};s(l,e=>{y(i).count!==void 0&&e(u)}),n(a),T(()=>{F(a,`id`,`${r}-${y(i).name??``}`),F(a,`aria-selected`,y(i).name===t.selected),F(a,`aria-controls`,`${r}-panel`),F(a,`tabindex`,y(i).name===t.selected?0:-1),L(o,y(i).label)}),c(`click`,a,()=>t.onselect(y(i).name)),_(e,a)}),n(l);var f=S(l,2),p=x(f);u(p,()=>t.children,()=>t.selected),n(f),T(()=>{F(l,`aria-label`,t.label),F(f,`id`,`${r}-panel`),F(f,`aria-labelledby`,`${r}-${t.selected??``}`)}),c(`keydown`,l,i),_(e,o),P()}se([`keydown`,`click`]),se([`focusin`,`focusout`,`keydown`]);function Mi(e){j(()=>{let t=Mn(e),n=()=>void(document.hidden||e());return document.addEventListener(`visibilitychange`,n),()=>{t(),document.removeEventListener(`visibilitychange`,n)}})}var Ni=g(`<p class="svelte-1cjg1wn"> </p>`),Pi=g(`<header class="svelte-1cjg1wn"><h1 dir="auto" class="svelte-1cjg1wn"> </h1> <!></header>`),Fi=g(`<!> <section><!> <!></section>`,1);function Ii(e,t){I(t,!0);let i=M(t,`wide`,3,!1),a=w(void 0),c=Ur();Mi(()=>t.found.reload());let l=k(()=>t.value!==null);j(()=>y(l)&&y(a)?Gr(y(a),c):void 0);var d=Fi(),f=D(d);wi(f,{get name(){return t.title}});var p=S(f,2);let m;var h=x(p),g=e=>{var r=Pi(),i=x(r),a=A(i,!0),o=S(i,2),c=e=>{var n=Ni(),r=A(n,!0);T(()=>L(r,t.summary)),_(e,n)};s(o,e=>{t.summary&&e(c)}),n(r),T(()=>{L(a,t.title),i.dir=i.dir}),_(e,r)};s(h,e=>{t.title!==null&&e(g)});var v=S(h,2),ee=e=>{var n=o(),r=D(n);u(r,()=>t.children,()=>t.value),_(e,n)},b=e=>{Ti(e,{get problem(){return t.found.problem},onretry:()=>t.found.reload()})},te=e=>{Di(e,{})},C=e=>{Si(e,{})};s(v,e=>{t.value===null?t.found.problem?e(b,1):t.found.loading?e(te,2):e(C,-1):e(ee)}),n(p),O(p,e=>N(a,e),()=>y(a)),T(()=>m=r(p,1,`svelte-1cjg1wn`,null,m,{wide:i()})),_(e,d),P()}var Li=g(`<div class="svelte-162rnmr"><!></div>`);function Ri(e){var t=Li();Di(x(t),{}),n(t),_(e,t)}export{$t as $,dt as $t,wr as A,Dt as At,Ln as B,ze as Bt,Nr as C,at as Ct,Tr as D,Pe as Dt,Dr as E,ft as Et,tr as F,Vt as Ft,K as G,It as Gt,Pn as H,Mt as Ht,Xn as I,Ie as It,hn as J,He as Jt,W as K,Fe as Kt,X as L,xt as Lt,Q as M,ut as Mt,ir as N,lt as Nt,mr as O,Ft as Ot,rr as P,Qe as Pt,Zt as Q,Bt as Qt,On as R,Ve as Rt,Fr as S,it as St,jr as T,St as Tt,q as U,$e as Ut,Nn as V,_t as Vt,U as W,Xe as Wt,Qt as X,Le as Xt,G as Y,wt as Yt,Yt as Z,Rt as Zt,ei as _,et as _t,Di as a,we as an,Lt as at,Br as b,Je as bt,Ci as c,Te as cn,Re as ct,vi as d,pe as dn,yt as dt,be as en,nt as et,gi as f,R as fn,zt as ft,Yr as g,Ct as gt,ri as h,ot as ht,ji as i,z as in,Tt as it,cr as j,st as jt,br as k,kt,Si as l,Ee as ln,Ye as lt,si as m,mt,Ii as n,Me as nn,tt as nt,Ti as o,V as on,qe as ot,fi as p,gt as pt,mn as q,Et as qt,Mi as r,B as rn,Ze as rt,wi as s,De as sn,ct as st,Ri as t,je as tn,rt as tt,xi as u,ye as un,Ot as ut,$r as v,jt as vt,Mr as w,pt as wt,Pr as x,ht as xt,Jr as y,Ht as yt,Z as z,bt as zt};