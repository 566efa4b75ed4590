import{$ as e,A as t,Ct as n,D as r,E as i,G as a,H as o,I as s,J as c,K as l,M as u,N as d,O as f,P as p,Q as m,St as h,Tt as g,U as _,V as v,W as y,Y as ee,Z as b,a as te,at as x,c as S,ct as C,d as ne,dt as w,et as T,i as re,j as ie,l as E,lt as ae,n as oe,o as se,ot as D,p as O,pt as k,q as ce,s as le,st as A,t as ue,tt as j,u as M,ut as N,vt as P,x as F,y as de,yt as I,z as L}from"./packages-index-B6T566fl.js";var fe={close:`Close`,unsaved:`What you have written is not saved. Discard it?`,dismiss:`Dismiss`,loading:`Loading`,retry:`Try again`,skip:`Skip to the content`,notifications:`Notifications`,"unreachable.title":`The server cannot be reached`,"unreachable.text":`The server cannot be reached. Check the connection, and try again.`,"unreachable.again":`This page tries again every few seconds.`,"problem.title":`Something went wrong`,"problem.status":`The server responded with status {status}. Try again.`,"problem.tooMany":`The server, or a proxy in front of it, has received too many requests. Try again in a moment.`,"problem.detail":`{detail}`,"problem.empty":`The server sent an empty response. Try again.`,"missing.title":`There is nothing here`,"missing.text":`It was deleted, or you have no access to it.`,"missing.home":`Go to the start page`,"side.label":`Projects and chats`,"side.open":`Open the sidebar`,"side.appearance":`Appearance and language`,"theme.system":`Same as system`,"theme.light":`Light`,"theme.dark":`Dark`,"signIn.title":`Sign in to Footnote`,"signIn.ended":`Your sign-in has ended. Sign in again to continue where you left off.`,"signIn.email":`Email address`,"signIn.password":`Password`,"signIn.token":`Access token`,"signIn.tokenHelp":`A token that you created here, or that the operator gave you.`,"signIn.enter":`Sign in`,"signIn.useToken":`Use an access token`,"signIn.usePassword":`Use a password`,"signIn.notToken":`That is not a token. Copy all of it, and nothing else.`,"composer.label":`Your question`,"composer.placeholder":`Ask your documents`,"composer.placeholderAlone":`Ask the model`,"composer.send":`Send`,"composer.keys":`Enter sends, Shift + Enter starts a new line`,"composer.stop":`Stop the answer`,"composer.noFiles":`A question can only contain text. Add files under “Knowledge”.`,"composer.tooLong":`A question can have at most {count} characters. Anything beyond that is cut off.`,"message.question":`Your question`,"message.answer":`Answer`,cancel:`Cancel`,save:`Save`,delete:`Delete`,copy:`Copy`,copied:`Copied`,copyFailed:`The browser did not allow copying. Select the text and copy it yourself.`,tokens_one:`{count} token`,tokens_other:`{count} tokens`,"side.newChat":`New chat`,"side.search":`Search`,"side.searchKeys":`Ctrl K`,"side.status":`Server status`,"side.playground":`Playground for developers`,"side.handbook":`Handbook`,"handbook.title":`Handbook`,"handbook.about":`How to use and operate Footnote. These pages are on this server.`,"handbook.previous":`Previous`,"handbook.next":`Next`,"handbook.start":`Go to the start page`,"side.signOut":`Sign out`,"side.noChats":`Chats you start appear here.`,"side.more":`Show older chats`,"age.today":`Today`,"age.yesterday":`Yesterday`,"age.week":`Last 7 days`,"age.month":`Last 30 days`,"age.older":`Older`,"project.choose":`Project: {name}`,"project.new":`New project`,"project.name":`Name`,"project.description":`What it is about (optional)`,"project.local":`Use only models on this machine`,"project.localHelp":`Documents and questions never leave it then.`,"project.create":`Create project`,"session.rename":`Rename`,"session.share":`Share with the project`,"session.unshare":`Stop sharing`,"session.shared":`Shared`,"session.theirs":`{who} shares this chat. You can read it but not write in it.`,"session.delete":`Delete`,"session.deleteTitle":`Delete this chat?`,"session.deleteText":`“{title}” and all its answers will be gone.`,"session.title":`Title`,"session.titleHelp":`Without a title, the beginning of the first question is shown.`,"session.menu":`More options for this chat`,"session.menuOf":`More options for {title}`,"rag.on":`Documents on`,"rag.onHelp":`Answers come from the documents of {project}.`,"rag.off":`Documents off`,"rag.offHelp":`The model answers alone; no documents are searched.`,"message.writing":`The answer is being written.`,"message.finished_one":`The answer is complete, with one source.`,"message.finished_other":`The answer is complete, with {count} sources.`,"message.reasoning":`How the model reached this answer`,"message.cancelled":`This answer was stopped.`,"message.interrupted":`The server stopped while writing this answer.`,"message.empty":`The model returned an empty answer.`,"message.copy":`Copy the text`,"regenerate.earlier":`The earlier answer is shown again.`,"message.regenerate":`Answer again`,"message.helpful":`Helpful`,"message.notHelpful":`Not helpful`,"message.evidence":`Everything that was found`,"message.confidence":`{percent} confident`,"message.confidenceHelp":`How likely the answer is to be right, judging by its sources.`,"messages.label":`Messages`,"messages.toEnd":`Go to the newest message`,"message.edit":`Edit and ask again`,"message.menu":`More options for this answer`,"message.copyWithSources":`Copy with its sources`,"edit.label":`The edited question`,"edit.help":`The messages that followed are kept as another version.`,"versions.label":`Versions`,"versions.previous":`Previous version`,"versions.next":`Next version`,"versions.number":`{number} / {all}`,"versions.which":`Version {number} of {all}`,"branch.shown":`The message is in another version of this chat, which is now shown.`,"branch.elsewhere":`Another version of this chat, created or selected elsewhere, is now shown.`,"print.older":`Earlier messages of this chat are not printed. To print them too, scroll up to the first message before printing, or save the chat as Markdown.`,"message.replay":`Ask again with the same settings`,"compare.open":`Ask again with one change`,"compare.title":`Ask again with one change`,"compare.knob":`What to change`,"compare.knobHelp":`Everything else stays as the chat is set.`,"compare.on":`on`,"compare.off":`off`,"compare.changes":`What would be sent differently`,"compare.tokens":`{before} → {after} tokens in the prompt`,"compare.kept_one":`{count} passage stays`,"compare.kept_other":`{count} passages stay`,"compare.come":`Added`,"compare.gone":`Removed`,"compare.ask":`Ask`,"compare.shown":`Shown in the chat`,"compare.usage":`Prompt {input}, answer {output}, {time}`,"compare.keep":`Keep this one`,"compare.help":`The second answer is kept as another version, whichever one you choose.`,"export.markdown":`Save as Markdown`,"export.json":`Save as JSON`,"export.untitled":`Chat`,"outcome.NO_SOURCES":`Nothing found`,"outcome.NO_SOURCESHelp":`No document contains anything relevant.`,"outcome.REJECTED":`Withdrawn`,"outcome.REJECTEDHelp":`The sources do not support what the model wrote.`,"outcome.INSUFFICIENT":`Not in the documents`,"outcome.INSUFFICIENTHelp":`The model says that the sources do not contain the answer.`,"rating.title":`What was not helpful?`,"rating.comment":`Anything else (optional)`,"rating.send":`Send`,"reason.INCORRECT":`It is wrong`,"reason.INCOMPLETE":`Something is missing`,"reason.IRRELEVANT":`It answers another question`,"reason.UNSUPPORTED":`The sources do not say that`,"reason.OUTDATED":`The sources are out of date`,"reason.UNCLEAR":`It is hard to understand`,"reason.REFUSED":`The documents do contain the answer`,"reason.OTHER":`Something else`,"stage.searching":`Searching the documents`,"stage.reading_one":`Reading one passage`,"stage.reading_other":`Reading {count} passages`,"stage.reconnecting":`The connection was lost. The answer continues where it stopped as soon as the server can be reached.`,"marker.name":`Source {index}: {title}`,"sources.title":`Sources`,"source.page":`page {page}`,"source.changed":`Changed`,"source.changedHelp":`The document has changed since this answer. The quote shows what it said then.`,"source.deleted":`Deleted`,"source.deletedHelp":`The document was deleted. The quote is kept.`,"source.notFound":`These words are no longer in the passage.`,"source.placedByServer":`Source matched by Footnote`,"source.placedByModel":`Source named by the model`,"source.placedByServerHelp":`The model named no source for this sentence. Footnote found the passage that says the same.`,"source.placedByModelHelp":`The model named this source for the sentence, and Footnote found these words in it.`,"source.uses":`Where the answer cites it`,"source.use":`Quote {number}`,"source.open":`Read in the document`,"source.visit":`Open the web page`,"source.gone":`This passage no longer exists.`,"source.passage":`The cited passage`,"source.readOn":`Read on`,"source.readBefore":`Read what comes before`,"support.strong":`Strong support`,"support.fair":`Fair support`,"support.weak":`Weak support`,"support.help":`How well the quote supports the sentence that cites it.`,"evidence.label":`Where this answer comes from`,"evidence.close":`Close the panel`,"evidence.sources":`Sources`,"evidence.all":`All sources`,"found.cited":`Cited`,"found.nothingCited":`The answer cites nothing.`,"found.read":`Read, but not cited`,"found.left":`Found, but not given to the model`,"found.score":`Relevance {score}`,"decision.INCLUDED":`In the prompt`,"decision.SHORTENED":`Only its beginning is in the prompt`,"decision.BELOW_THRESHOLD":`Below the threshold`,"decision.OVER_BUDGET":`Did not fit`,"decision.DUPLICATE":`Says the same as another`,"decision.BEYOND_TOP_K":`Enough better ones were found`,"window.title":`Context window`,"window.label":`Context window: {used} of {all} tokens used`,"window.free":`Free`,"window.all":`Whole window`,"window.none":`The model was not called for this answer.`,"window.reduced":`{requested} were requested`,"window.reported":`Counted: {counted}. Reported by the provider: {reported}.`,"window.passages_one":`{count} passage`,"window.passages_other":`{count} passages`,"window.turns_one":`{count} message`,"window.turns_other":`{count} messages`,"window.memories_one":`{count} fact`,"window.memories_other":`{count} facts`,"window.dropped_one":`{count} left out`,"window.dropped_other":`{count} left out`,"window.wouldSend":`Would send {used} of {all} tokens`,"counting.EXACT":`Counted with the model's own tokenizer.`,"counting.CALIBRATED":`Estimated, then corrected using what the provider reported earlier.`,"counting.ESTIMATED":`Estimated; the real number is probably lower.`,"part.SYSTEM":`Instructions`,"part.TOOLS":`Tools`,"part.MEMORIES":`Facts about you`,"part.CONTEXT":`Passages`,"part.HISTORY":`Conversation`,"part.QUESTION":`Question`,"part.MARGIN":`Safety margin`,"part.COMPLETION":`Room for the answer`,"prompt.title":`What would be sent to the model`,"prompt.read":`Read the prompt`,"prompt.none":`The model would not be called.`,"role.system":`Instructions`,"role.user":`User`,"role.assistant":`Assistant`,"markdown.table":`Table`,"markdown.code":`Code`,"search.title":`Search chats`,"search.placeholder":`Part of a title, or words from a message`,"search.results":`Found`,"search.nothing":`No title or message contains these words.`,"search.chats":`Chats`,"search.messages":`In questions and answers`,"newChat.documents_one":`Ask about {count} document`,"newChat.documents_other":`Ask about {count} documents`,"newChat.empty":`There are no documents to ask about yet.`,"newChat.emptyViewer":`There are no documents to ask about yet. An editor of this project can add some.`,"home.title":`Start with a project`,"home.text":`A project holds the documents that answers come from, and the chats about them.`,"tour.title":`How it works`,"tour.questions":`Questions to start with`,"tour.question1":`Which document formats can Footnote read?`,"tour.question2":`How can I resume an answer after the connection breaks?`,"tour.question3":`What happens if the documents do not contain the answer?`,"tour.step1":`Ask`,"tour.text1":`Type a question, or pick one above. While you type, a bar shows what would be sent.`,"tour.step2":`Check`,"tour.text2":`Each number in the answer is a footnote. Point at it to see the source's own words.`,"tour.step3":`Look inside`,"tour.text3":`Click a footnote for the passage and its document, and for what was found but not used.`,"tour.dismiss":`Got it`,"knowledge.title":`Knowledge · {project}`,"knowledge.views":`Knowledge views`,"knowledge.documents":`Documents`,"knowledge.search":`Search`,"knowledge.model":`Embedding model`,"knowledge.documentCount_one":`{count} document`,"knowledge.documentCount_other":`{count} documents`,"knowledge.passageCount_one":`{count} passage`,"knowledge.passageCount_other":`{count} passages`,"knowledge.add":`Add documents`,"knowledge.drop":`Drop files or folders here.`,"knowledge.otherText":`any other text`,"knowledge.formatsTitle":`Supported formats`,"knowledge.chooseFiles":`Choose files`,"knowledge.chooseFolder":`Choose a folder`,"knowledge.tooManyFiles":`Only the first {count} files are added.`,"knowledge.noFiles":`Nothing was added: no files were found.`,"knowledge.uploads":`Files being uploaded`,"knowledge.uploading":`Uploading {name}`,"knowledge.removeUpload":`Remove {name}`,"knowledge.fileChanged":`This file was changed or moved after it was chosen. Choose it again.`,"knowledge.unreadable":`This could not be read. It may have been moved, or you may not have permission.`,"knowledge.moreUploads":`and {count} more`,"knowledge.left_one":`{count} file left to upload`,"knowledge.left_other":`{count} files left to upload`,"knowledge.cancelAll":`Cancel all`,"knowledge.paused":`Uploading resumes automatically.`,"knowledge.notAdded_one":`{count} file was not added.`,"knowledge.notAdded_other":`{count} files were not added.`,"knowledge.skipped_one":`{count} file was skipped.`,"knowledge.skipped_other":`{count} files were skipped.`,"knowledge.secret":`It may hold passwords or private keys. To add it anyway, choose it alone.`,"knowledge.retryAll":`Retry all`,"knowledge.clear":`Remove from the list`,"knowledge.filter":`Filter by title`,"knowledge.status":`Status`,"knowledge.allStatuses":`Any status`,"knowledge.more":`Show more`,"knowledge.noMatch":`No documents match`,"knowledge.empty":`No documents yet`,"knowledge.emptyHelp":`Drop some above. A minute later you can ask about them.`,"knowledge.emptyViewer":`An editor of this project can add some.`,"status.QUEUED":`Waiting`,"status.PROCESSING":`Being read`,"status.READY":`Ready`,"status.FAILED":`Failed`,"stage.PARSING":`Being read`,"stage.CHUNKING":`Being split`,"stage.EMBEDDING":`Being embedded`,"stage.INDEXING":`Being indexed`,"document.menu":`More options for {title}`,"document.preview":`Preview`,"document.previewHelp":`The text as it was read, passage by passage: this is what answers are made from.`,"document.openOriginal":`Open the original`,"document.download":`Download the original`,"document.rename":`Rename`,"document.replace":`Replace with a new file`,"document.delete":`Delete`,"document.version":`version {version}`,"document.progress":`Progress of {title}`,"document.title":`Title`,"document.titleHelp":`Titles are searched, too. Leave it empty to use the title in the file.`,"document.noSource":`This document was added without a source name, so Footnote cannot tell which file replaces it. Delete it and add the new file.`,"document.newFile":`New file`,"document.replaceHelp":`The old version is searched until the new one is ready.`,"document.deleteTitle":`Delete “{title}”?`,"document.deleteHelp":`It will no longer be found. Answers that cite it keep their quotes and say that it was deleted.`,"search.label":`Words or a question`,"search.help":`Shows the passages that a question would find, best first.`,"search.mode":`Match by`,"search.HYBRID":`Words and meaning`,"search.LEXICAL":`Words only`,"search.VECTOR":`Meaning only`,"search.go":`Search`,"search.none":`Nothing was found`,"search.scoreHelp":`Words {words}, meaning {meaning}`,"space.model":`Model`,"space.dimensions":`{count} dimensions`,"space.weight":`Weight of meaning`,"space.weightHelp":`How much meaning counts in a score; words make up the rest.`,"space.threshold":`Threshold`,"space.thresholdHelp":`Passages with a lower score are not used for answers.`,"space.measured":`Measured`,"space.measuredAt":`on this project's own texts, when it had {count} passages`,"space.notMeasured":`not yet: there are too few passages`,"space.building":`Switching to {model}: {done} of {total} passages`,"space.progress":`Progress of the switch to {model}`,"space.cancel":`Keep the current model`,"space.switch":`Switch the model`,"space.switchHelp":`All passages are embedded again in the background. Until that is done, the current model answers.`,"space.go":`Switch`,"space.paused":`{detail}`,"space.failed":`The switch to {model} failed. {detail}`,saved:`Saved`,"session.settings":`Settings of this chat`,"option.reset":`Use the defaults`,"option.enableRag":`Answer from the documents`,"option.enableRagHelp":`Passages of the project's documents are found for each question and given to the model.`,"option.ragTopK":`Passages`,"option.ragTopKHelp":`How many passages an answer may use. More passages take up more of the window and distract small models.`,"option.ragThreshold":`Threshold`,"option.ragThresholdHelp":`Passages with a lower score are left out. The default is measured on the project's own texts.`,"option.includeCitations":`Show sources`,"option.includeCitationsHelp":`Answers contain footnotes such as [1], each checked against its passage.`,"option.grounding":`Grounding`,"option.grounding.GROUNDED":`Only from the sources`,"option.grounding.OPEN":`Sources and general knowledge`,"option.grounding.GROUNDEDHelp":`Questions that the sources do not answer are refused.`,"option.grounding.OPENHelp":`The model may also use general knowledge, which has no footnotes.`,"option.contextTokenRatio":`Share of the window for passages`,"option.contextTokenRatioHelp":`The rest is for the conversation so far and the answer.`,"option.reformulate":`Rewrite questions for the search`,"option.reformulateHelp":`A model first turns “and when?” into a complete question. This takes one more request.`,"option.model":`Model`,"option.modelHelp":`As provider/model. The list shows what this server can reach.`,"option.temperature":`Temperature`,"option.temperatureHelp":`0 picks the most likely words; higher values give more variety and more mistakes.`,"option.promptProfile":`Prompt style`,"option.promptProfileHelp":`Small models do better with a short prompt that has an example.`,"option.promptProfile.AUTO":`By the model's size`,"option.promptProfile.SMALL":`For small models`,"option.promptProfile.LARGE":`For large models`,"option.maxTokens":`Maximum answer length, in tokens`,"option.maxTokensHelp":`If empty, the default applies.`,"option.systemPrompt":`Instructions for the model`,"option.systemPromptHelp":`Placed at the start of every prompt.`,"project.settings":`Settings · {project}`,"project.readOnly":`Only owners of the project can change these settings.`,"project.about":`About the project`,"project.localOnly":`Only models on this machine`,"project.localOnlyHelp":`Documents and questions never leave it.`,"project.noSources":`Answer when nothing relevant is found`,"project.noSourcesHelp":`Shown when answers must come from the sources.`,"project.rejected":`Answer shown instead of one without sources`,"project.rejectedHelp":`Shown when nothing the model cites supports its answer.`,"project.ownText":`If empty, the default applies, in the language of the question.`,"project.defaults":`Defaults for its chats`,"project.defaultsHelp":`Every chat of the project uses these unless it sets its own.`,"project.delete":`Delete this project`,"project.deleteHelp":`This also deletes its documents, chats and remembered facts. This cannot be undone.`,"project.deleteTitle":`Delete {project}?`,"project.typeName":`Type “{project}” to confirm`,"memories.title":`What Footnote remembers about you`,"memories.help":`Facts that are given to the model with your questions in this project. Nobody else sees them.`,"memories.new":`A new fact`,"memories.remember":`Remember`,"memories.forget":`Forget “{content}”`,"members.title":`Members · {project}`,"members.email":`Email address`,"members.help":`The person must already share a project with you, unless the operator allows adding anybody on this server.`,"members.role":`Role`,"members.roleOf":`Role of {who}`,"members.add":`Add`,"members.remove":`Remove`,"members.removeWho":`Remove {who}`,"members.soleOwner":`The only owner. To leave or to change this role, first make someone else an owner.`,"members.leaveSure":`Remove yourself? You will no longer have access to this project.`,"members.ownRoleSure":`Change your own role? Only another owner can give it back to you.`,"members.removeSure":`Remove {who}? They will no longer have access to this project.`,"members.roles":`Viewers search and chat. Editors also add, change and delete documents. Owners also change settings and members.`,"role.VIEWER":`Viewer`,"role.EDITOR":`Editor`,"role.OWNER":`Owner`,"invited.title":`Welcome to Footnote`,"invited.help":`You are signed in as {email} through a link that works only once. Set a password so that you can come back.`,"invited.set":`Set the password`,"invited.later":`Not now`,"link.title":`Sign in with this link?`,"link.text":`You are signed in as {who}. The link signs you in as the person it was made for.`,"link.stay":`Stay signed in`,"link.follow":`Use the link`,"account.title":`Your account`,"account.name":`Name`,"account.password":`Password`,"account.current":`Current password`,"account.currentHelp":`Leave it empty if you have none yet.`,"account.new":`New password`,"account.newHelp":`At least 8 characters; there are no other rules.`,"account.change":`Change the password`,"account.passwordChanged":`Password changed`,"tokens.title":`Access tokens`,"tokens.help":`For programs that use the API in your name. Each can be revoked separately.`,"tokens.created":`Copy it now: it is shown only once.`,"tokens.copy":`Copy`,"tokens.copied":`Copied`,"tokens.label":`What it is for`,"tokens.life":`Expiration`,"tokens.days":`{days} days`,"tokens.forever":`Does not expire`,"tokens.until":`until {date}`,"tokens.used":`last used {date}`,"tokens.unused":`never used`,"tokens.create":`Create`,"tokens.revoke":`Revoke`,"tokens.revokeSure":`Revoke “{label}”? Programs that use it lose access at once. This cannot be undone.`,"tokens.revokeWhich":`Revoke {label}`,"health.title":`Status`,"health.OK":`OK`,"health.DEGRADED":`Limited`,"health.DOWN":`Down`,"health.version":`Footnote {version}`,"health.database":`Database`,"health.work":`Documents and answers being processed`,"health.embedded":`Built-in models`,"health.detail":`{detail}`,"project.purpose":`Description`,"side.knowledge":`Knowledge`,"side.settings":`Settings`,"side.members":`Members`,"side.account":`Account`,"session.pin":`Pin`,"session.unpin":`Unpin`,"session.archive":`Archive`,"session.unarchive":`Unarchive`,"age.pinned":`Pinned`,"side.archived":`Archived chats`,"side.noArchived":`No chats are archived.`,"side.back":`Back to all chats`,"newChat.waiting":`{ready} of {all} documents are ready`,"pdf.tools":`Page and zoom`,"pdf.previous":`Previous page`,"pdf.next":`Next page`,"pdf.page":`Page`,"pdf.smaller":`Zoom out`,"pdf.larger":`Zoom in`,"original.views":`How to view the document`,"original.pages":`Pages`,"original.text":`Text`,"original.none":`This document has no original.`},pe=class{open;#e=new Map;constructor(e){this.open=e}read(e){return this.#e.get(e)??this.#t(t=>t.getItem(e))??null}readJson(e){try{return JSON.parse(this.read(e)??`null`)}catch{return null}}write(e,t){this.#e.delete(e),this.#t(n=>(t===null?n.removeItem(e):n.setItem(e,t),!0))||t===null||(this.#e.set(e,t),this.#t(t=>t.removeItem(e)))}names(){return this.#t(e=>Object.keys(e))??[]}#t(e){try{return e(this.open())}catch{return}}},R=new pe(()=>localStorage),me=new pe(()=>sessionStorage),he=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),ge=function(e){return`/static/page/`+e},_e={},ve=function(e){return e.pathname.endsWith(`.css`)},ye=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},be=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=ge(t,n);let r=s(t),i=ve(r);return ye(_e,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:he,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},xe={en:`English`,de:`Deutsch`},Se=`footnote:language`,Ce={en:async()=>fe,de:async()=>(await be(async()=>{let{default:e}=await import(`./de-CvgWQSVn.js`);return{default:e}},[])).default},we={en:async()=>({}),de:async()=>(await be(async()=>{let{default:e}=await import(`./de-CyH8N-75.js`);return{default:e}},[])).default},z=new class{#e=w(`en`);get language(){return b(this.#e)}set language(e){N(this.#e,e,!0)}#t=w(fe);get catalog(){return b(this.#t)}set catalog(e){N(this.#t,e)}#n=w({});get serverCatalog(){return b(this.#n)}set serverCatalog(e){N(this.#n,e)}#r=k(()=>Ae(this.serverCatalog,`refusal.`));get refusals(){return b(this.#r)}set refusals(e){N(this.#r,e)}#i=k(()=>Ae(this.serverCatalog,`remark.`));get remarks(){return b(this.#i)}set remarks(e){N(this.#i,e)}#a=k(()=>Ae(this.serverCatalog,`health.`));get details(){return b(this.#a)}set details(e){N(this.#a,e)}#o=k(()=>new Intl.PluralRules(this.language));get plural(){return b(this.#o)}set plural(e){N(this.#o,e)}#s=k(()=>new Intl.NumberFormat(this.language));get number(){return b(this.#s)}set number(e){N(this.#s,e)}#c=k(()=>new Intl.NumberFormat(this.language,{style:`percent`,maximumFractionDigits:0}));get percent(){return b(this.#c)}set percent(e){N(this.#c,e)}#l=k(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`,timeStyle:`short`}));get date(){return b(this.#l)}set date(e){N(this.#l,e)}#u=k(()=>new Intl.DateTimeFormat(this.language,{dateStyle:`medium`}));get day(){return b(this.#u)}set day(e){N(this.#u,e)}};function B(e,t){return je(z.catalog[e],t)}function Te(e,t,n){let r=z.plural.select(t)===`one`?`one`:`other`;return je(z.catalog[`${e}_${r}`],{...n,count:z.number.format(t)})}function V(e,t,n){let r=z.serverCatalog[e];return r===void 0?t:je(r,{detail:t,...n})}function Ee(e,t){return ke(z.remarks,t)??V(`notice.${e}`,t)}function De(e){return ke(z.refusals,e)}function Oe(e){return ke(z.details,e)??B(`health.detail`,{detail:e})}function ke(e,t){for(let{pattern:n,text:r}of e){let e=n.exec(t);if(e===null)continue;let i=e.groups??{},a=Number(i.count?.replaceAll(`,`,``));return je(r,Number.isNaN(a)?i:{...i,count:z.number.format(a)})}return null}function Ae(e,t){return Object.entries(e).filter(([e])=>e.startsWith(t)).map(([e,n])=>{let r=e.slice(t.length).replace(/[.*+?^$()|[\]\\]/g,`\\$&`);return{pattern:RegExp(`^${r.replace(/\{(\w+)\}/g,`(?<$1>.*)`)}$`,`s`),text:n}})}function je(e,t){return t?e.replace(/\{(\w+)\}/g,(e,n)=>String(t[n]??e)):e}async function Me(e){R.write(Se,e),await Fe(e)}async function Ne(){await Fe([R.read(Se),...navigator.languages.map(e=>e.slice(0,2))].find(e=>e!==null&&Object.hasOwn(xe,e))??`en`).catch(()=>void 0)}var Pe=`en`;async function Fe(e){Pe=e;let t=await Promise.all([Ce[e](),we[e]()]);e===Pe&&([z.catalog,z.serverCatalog]=t,z.language=e,document.documentElement.lang=e)}var H=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new H(`
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
}`,{fragmentName:`ProjectDetails`});var Ie=new H(`
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
}`),Le=new H(`
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
}`),Re=new H(`
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
}`),ze=new H(`
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
}`),Be=new H(`
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
}`),Ve=new H(`
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
}`),He=new H(`
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
}`),Ue=new H(`
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
}`),We=new H(`
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
    `),Ge=new H(`
    query Viewer {
  viewer {
    user {
      id
      email
      name
    }
  }
}
    `),Ke=new H(`
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
}`),qe=new H(`
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
}`),Je=new H(`
    mutation SignOut {
  signOut
}
    `),Ye=new H(`
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
}`),Xe=new H(`
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
}`),Ze=new H(`
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
}`),Qe=new H(`
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
}`),$e=new H(`
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
}`),et=new H(`
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
}`),tt=new H(`
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
}`),nt=new H(`
    query ExportChatSession($id: ID!, $format: ExportFormat!) {
  exportChatSession(id: $id, format: $format)
}
    `),rt=new H(`
    query AnswerWithSources($id: ID!) {
  message(id: $id) {
    id
    contentWithSources
  }
}
    `),it=new H(`
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
}`),at=new H(`
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
}`);var ot=new H(`
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
}`),st=new H(`
    query PreviewPrompt($input: PreviewAnswerInput!) {
  previewAnswer(input: $input) {
    messages {
      role
      content
      tokens
    }
  }
}
    `),ct=new H(`
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
    `),lt=new H(`
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
}`),ut=new H(`
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
    `),dt=new H(`
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
}`),ft=new H(`
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
}`),pt=new H(`
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
}`),mt=new H(`
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
}`),ht=new H(`
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
}`),gt=new H(`
    query DocumentFormats {
  documentFormats {
    name
    mediaType
    extensions
    available
    unavailableReason
  }
}
    `),_t=new H(`
    query OriginalLink($id: ID!) {
  document(id: $id) {
    id
    signedUrl {
      href
      validUntil
    }
  }
}
    `),vt=new H(`
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
    `),yt=new H(`
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
    `),bt=new H(`
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
}`),xt=new H(`
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
}`),St=new H(`
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
}`),Ct=new H(`
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
}`),wt=new H(`
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
}`),Tt=new H(`
    query EmbeddingModels {
  models {
    name
    kind
    available
  }
}
    `),Et=new H(`
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
}`),Dt=new H(`
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
}`),Ot=new H(`
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
}`),kt=new H(`
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
}`),At=new H(`
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
}`),jt=new H(`
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
}`),Mt=new H(`
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
}`),Nt=new H(`
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
}`),Pt=new H(`
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
    `),Ft=new H(`
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
}`),It=new H(`
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
}`),Lt=new H(`
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
}`),Rt=new H(`
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
}`),zt=new H(`
    query ChatModels {
  models {
    name
    kind
    available
    contextWindow
  }
}
    `),Bt=new H(`
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
}`),Vt=new H(`
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
}`),Ht=new H(`
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
}`),Ut=new H(`
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
}`),Wt=new H(`
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
}`),Gt={possibleTypes:{AddTextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],AddTextDocumentsResult:[`AddTextDocumentsPayload`,`ForbiddenError`,`NotFoundError`,`UnavailableError`,`ValidationError`],AnswerEvent:[`AnswerCancelled`,`AnswerCompleted`,`AnswerDelta`,`AnswerFailed`,`AnswerReplaced`,`BudgetNegotiated`,`CitationAdded`,`NoticeGiven`,`QueryReformulated`,`ReasoningDelta`,`RetrievalCompleted`],CancelAnswerResult:[`CancelAnswerPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],CancelEmbeddingSwitchResult:[`CancelEmbeddingSwitchPayload`,`ConflictError`,`ForbiddenError`,`NotFoundError`],ChangePasswordResult:[`ChangePasswordPayload`,`RateLimitedError`,`ValidationError`],CreateAccessTokenResult:[`CreateAccessTokenPayload`,`ValidationError`],CreateChatSessionResult:[`CreateChatSessionPayload`,`NotFoundError`,`ValidationError`],CreateProjectResult:[`ConflictError`,`CreateProjectPayload`,`ValidationError`],DeleteChatSessionResult:[`DeleteChatSessionPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteDocumentResult:[`DeleteDocumentPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],DeleteProjectResult:[`DeleteProjectPayload`,`ForbiddenError`,`NotFoundError`,`ValidationError`],Error:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],ForgetResult:[`ForgetPayload`,`NotFoundError`,`ValidationError`],IngestionEvent:[`IngestionCompleted`,`IngestionFailed`,`IngestionProgressed`],Node:[`AccessToken`,`ChatSession`,`Chunk`,`Document`,`EmbeddingSpace`,`Memory`,`Message`,`Project`,`User`],RateAnswerResult:[`NotFoundError`,`RateAnswerPayload`,`ValidationError`],RecordCitationOpenedResult:[`NotFoundError`,`RecordCitationOpenedPayload`,`ValidationError`],RedeemSetupTokenResult:[`RedeemSetupTokenPayload`,`ValidationError`],RegenerateAnswerResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`RegenerateAnswerPayload`,`UnavailableError`,`ValidationError`],RememberResult:[`NotFoundError`,`RememberPayload`,`ValidationError`],RemoveProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RemoveProjectMemberPayload`,`ValidationError`],RereadDocumentsResult:[`ForbiddenError`,`NotFoundError`,`RereadDocumentsPayload`,`UnavailableError`,`ValidationError`],RetryDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RetryDocumentPayload`,`UnavailableError`,`ValidationError`],RevokeAccessTokenResult:[`NotFoundError`,`RevokeAccessTokenPayload`,`ValidationError`],SelectBranchResult:[`ForbiddenError`,`NotFoundError`,`SelectBranchPayload`,`ValidationError`],SendMessageResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`SendMessagePayload`,`UnavailableError`,`ValidationError`],SetProjectMemberResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SetProjectMemberPayload`,`ValidationError`],SignInResult:[`RateLimitedError`,`SignInPayload`,`ValidationError`],SwitchEmbeddingModelResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`SwitchEmbeddingModelPayload`,`UnavailableError`,`ValidationError`],TextDocumentResult:[`AddTextDocumentPayload`,`ConflictError`,`RateLimitedError`,`UnavailableError`,`ValidationError`],UpdateChatSessionResult:[`ForbiddenError`,`NotFoundError`,`UpdateChatSessionPayload`,`ValidationError`],UpdateDocumentResult:[`ForbiddenError`,`NotFoundError`,`UnavailableError`,`UpdateDocumentPayload`,`ValidationError`],UpdateProjectResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`UpdateProjectPayload`,`ValidationError`],UpdateViewerResult:[`UpdateViewerPayload`,`ValidationError`],UploadDocumentResult:[`ConflictError`,`ForbiddenError`,`NotFoundError`,`RateLimitedError`,`UnavailableError`,`UploadDocumentPayload`,`ValidationError`],WithdrawRatingResult:[`NotFoundError`,`ValidationError`,`WithdrawRatingPayload`]}};function Kt(){return te({globalIDs:!0,possibleTypes:Gt.possibleTypes,logger:()=>void 0,updates:{Mutation:{createProject:(e,t,n)=>qt(n,`Query`,`projects`),deleteProject:(e,t,n)=>qt(n,`Query`,`projects`)}}})}function qt(e,t,n){for(let{fieldName:r,fieldKey:i}of e.inspectFields(t))r===n&&e.invalidate(t,i)}var Jt=/[\u202a-\u202e\u2066-\u2069]/g,Yt=864e5,Xt=[/^((?:row|line|record|cell)s?|Slide) (\d+(?:\u2013\d+)?)(?=:|$)/,/^(Sheet|Attachment) “(.+)”$/,/^(Other attachments|Other files)$/];function Zt(e,t){let n=t.filter(Boolean).map(e=>Xt.reduce(Qt,e));return[e===null?``:B(`source.page`,{page:e}),...n].filter(Boolean).join(` › `)}function Qt(e,t){return e.replace(t,(e,t,n)=>V(`place.${t}`,e,{name:n}))}function $t(e){return e.replace(Jt,``)}function en(e){let t=[`byte`,`kilobyte`,`megabyte`,`gigabyte`],n=Math.min(Math.floor(Math.log10(Math.max(e,1))/3),t.length-1);return new Intl.NumberFormat(z.language,{style:`unit`,unit:t[n],unitDisplay:n?`short`:`long`,maximumFractionDigits:+!!n}).format(e/1e3**n)}function tn(e){return new Intl.NumberFormat(z.language,{style:`unit`,unit:`second`,unitDisplay:`short`,maximumFractionDigits:1}).format(e/1e3)}function nn(e){let[t,n]=e<9e4?[`second`,1e3]:e<54e5?[`minute`,6e4]:[`hour`,36e5];return new Intl.NumberFormat(z.language,{style:`unit`,unit:t,unitDisplay:`long`,maximumFractionDigits:0}).format(Math.ceil(e/n))}function rn(e,t=new Date){let n=new Date(t.getFullYear(),t.getMonth(),t.getDate()).getTime(),r=new Date(e).getTime();return r>=n?`today`:r>=n-Yt?`yesterday`:r>=n-7*Yt?`week`:r>=n-30*Yt?`month`:`older`}var an=new Set([502,503,504]),on=new Set([`RATE_LIMITED`,`UNAVAILABLE`]),sn=5e3,cn=429,ln=`Retry-After`,un=36e5,dn={NOT_FOUND:`NotFoundError`,FORBIDDEN:`ForbiddenError`},fn=/Failed to fetch|NetworkError when attempting to fetch|Load failed|Importing a module|dynamically imported module|Unable to preload/,pn=new Set([`ValidationError`,`ForbiddenError`,`NotFoundError`,`TooLarge`,`FileChanged`]),U=class extends Error{kind;issues;retryAfterMs;name=`Problem`;constructor(e,t=`other`,n=[],r=null){super(e),this.kind=t,this.issues=n,this.retryAfterMs=r}get isPermanent(){return pn.has(this.kind)&&!this.issues.some(({code:e})=>e===`STORAGE_FULL`)}get isTemporary(){return this.kind===`unreachable`||this.kind===`unauthenticated`||this.retryAfterMs!==null}issueOf(e){return this.issues.find(({path:t})=>t.includes(e))?.message??null}};function mn(e){let t=`retryAfterMs`in e?e.retryAfterMs:null,n=`issues`in e?e.issues.map(hn):[];return new U(n.map(({message:e})=>e).join(` `)||gn(`error.${e.__typename}`,e.message,{wait:nn(t??0)}),e.__typename,n,t)}function hn({path:e,code:t,message:n}){return{path:e,code:t,message:gn(`issue.${t}`,n)}}function gn(e,t,n){return De(t)??V(e,t,{...n,detail:t})}function W({message:e,extensions:t},n){if(n===401||t?.code===`UNAUTHENTICATED`)return new U(gn(`error.UNAUTHENTICATED`,e),`unauthenticated`);let[r,i]=[t?.code,t?.retryAfterMs],a=on.has(r)?typeof i==`number`?i:sn:null;return new U(gn(`error.${a===null?`OTHER`:String(r)}`,e),dn[String(r)]??`other`,[],a)}function _n(e){let[t]=e.graphQLErrors,n=e.response;return t?W(t,n?.status):n===void 0?G():n.status===401?new U(V(`error.UNAUTHENTICATED`,e.message),`unauthenticated`):vn(n.status,n.headers.get(ln))}function vn(e,t=null){return xn(e)||bn(e)?G():e===cn?new U(B(`problem.tooMany`),`other`,[],yn(t)??sn):new U(B(`problem.status`,{status:e}))}function yn(e){if(!e)return null;let t=/^\d+$/.test(e)?Number(e)*1e3:Date.parse(e)-Date.now();return Number.isNaN(t)?null:Math.min(Math.max(t,1e3),un)}function bn(e){return e>=200&&e<300}function G(){return new U(B(`unreachable.text`),`unreachable`)}function xn(e){return an.has(e)}function K(e){return e instanceof U?e:e instanceof Error&&fn.test(e.message)?G():new U(B(`problem.detail`,{detail:e instanceof Error?e.message:String(e)}))}var Sn=`footnote:token`;function Cn(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);return t===null&&n===null?null:(history.replaceState(history.state,``,location.pathname+location.search),{token:t,setup:n})}function q(){let e=R.read(Sn);return e&&Tn(e)?e:null}function wn(e){R.write(Sn,e)}function Tn(e){return/^[!-~]+$/.test(e)}function J(){let e=q();return e&&`Bearer ${e}`}var En=`/graphql`,Y=Mn(),Dn=new Set,On=new Set,kn=new Set([`NotFoundError`,`ForbiddenError`]),An=[],jn=0;function Mn(e=Nn){return new se({url:En,preferGetMethod:!1,exchanges:[Kt(),le],fetchOptions:()=>({headers:e()})})}function X(e){return Mn(()=>Nn(e))}function Nn(e=q()){return{"GraphQL-Require-Preflight":`1`,...e?{Authorization:`Bearer ${e}`}:{}}}async function Pn(){try{let e=JSON.stringify({query:`{ __typename }`}),{status:t}=await fetch(En,{method:`POST`,headers:{...Nn(),"Content-Type":`application/json`},body:e});return!xn(t)}catch{return!1}}function Fn(){Y=Mn(),An=[]}function In(){jn+=1;for(let e of An.splice(0))e()}function Ln(e){return Dn.add(e),()=>Dn.delete(e)}function Rn(e){return On.add(e),()=>On.delete(e)}function zn({kind:e}){kn.has(e)&&Bn()}function Bn(){for(let e of On)e()}function Vn(e){for(let t of Dn)t(e)}function Hn(){let[e,t,n]=[Y,q(),jn];return r=>{let i=e===Y;return i&&t===q()&&Vn(r),i&&n!==jn?Promise.resolve():new Promise(e=>i&&An.push(e))}}async function Un(e,t,n=`cache-first`,r=Y){return Kn(r,()=>r.query(e.toString(),t,{requestPolicy:n}).toPromise())}function Wn(e,t,n,r=`cache-and-network`){let i=Y,a=null,o=()=>{let s=Hn(),{unsubscribe:c}=S(i.query(e.toString(),t,{requestPolicy:r}),E(e=>{let t=e.error?_n(e.error):null;t?.kind===`unauthenticated`?s(t).then(()=>a&&(a(),o())):n(e.data??null,t,e.stale)}));a=c};return o(),()=>{a?.(),a=null}}async function Z(e,t,n=Y){let r=await Kn(n,()=>n.mutation(e.toString(),t).toPromise()),[i]=Object.entries(r).flatMap(([e,t])=>e===`__typename`?[]:[t]);if(Gn(i)){let e=mn(i);throw zn(e),e}return i}function Gn(e){return typeof e==`object`&&!!e&&String(e.__typename).endsWith(`Error`)}async function Kn(e,t){let n=e===Y;for(;;){let e=Hn(),r=await t(),i=r.error&&_n(r.error);if(i?.kind===`unauthenticated`&&n)await e(i);else{if(i)throw i;if(r.data===void 0||r.data===null)throw new U(B(`problem.empty`));return r.data}}}var qn=300,Jn=1e4,Yn=12e3,Xn=5e3,Zn=1e3,Qn=new Set([4400,4401,4403]),$n=er();function er(){let e,t=!1,n=re({url:new URL(En,location.href.replace(/^http/,`ws`)).href,connectionParams:()=>{let e=J();return e?{authorization:e}:{}},retryAttempts:0,lazyCloseTimeout:5e3,keepAlive:Yn,on:{ping:t=>{t||(e=setTimeout(()=>n.terminate(),Xn))},pong:t=>t&&clearTimeout(e),connected:()=>{t&&Bn(),t=!1},closed:n=>{clearTimeout(e),t||=n.code!==Zn}}});return n}function tr(){$n.dispose(),$n=er()}function nr(e,t,n){let r=new AbortController;return rr(e,t,n,r.signal),()=>r.abort()}async function rr(e,t,n,r){let i=qn;for(;!r.aborted;){let a=Hn(),o=await ir(e,t(),r,e=>{i=qn,n.connected?.(!0),n.next(e)});if(r.aborted)return;if(o===`done`)return n.done();if(o instanceof U&&o.kind===`unauthenticated`)n.connected?.(!1),await a(o);else{if(o instanceof U&&o.retryAfterMs===null)return zn(o),n.failed(o);o instanceof U&&(i=Math.max(i,o.retryAfterMs)),n.connected?.(!1),await or(i,r),i=Math.min(i*2,Jn)}}}function ir(e,t,n,r){let i=$n;return new Promise(a=>{let o=i.subscribe({query:e.toString(),variables:t},{next:({data:e,errors:t})=>{let[n]=t??[];n?a(W(n)):e&&r(e)},error:e=>a(ar(e)),complete:()=>a(i===$n?`done`:`broken`)});n.addEventListener(`abort`,()=>{o(),a(`done`)})})}function ar(e){return Array.isArray(e)?W(e[0]):e instanceof CloseEvent?Qn.has(e.code)?W({message:e.reason,extensions:{code:`UNAUTHENTICATED`}}):`broken`:e instanceof Event||e instanceof Error?`broken`:K(e)}function or(e,t){return new Promise(n=>{let r=new AbortController,i=()=>{r.abort(),clearTimeout(a),n()},a=setTimeout(i,e);addEventListener(`online`,i,{signal:r.signal}),document.addEventListener(`visibilitychange`,()=>document.hidden||i(),{signal:r.signal}),t.addEventListener(`abort`,i,{signal:r.signal})})}var sr=class{#e=w(null);get data(){return b(this.#e)}set data(e){N(this.#e,e)}#t=w(null);get problem(){return b(this.#t)}set problem(e){N(this.#t,e)}#n=w(!0);get loading(){return b(this.#n)}set loading(e){N(this.#n,e,!0)}#r=w(0);constructor(e,t,n=`cache-and-network`){j(()=>{let r=t(),i=b(this.#r)>0;if(this.loading=r!==null,r===null)this.data=null,this.problem=null;else return Wn(e,r,(e,t,n)=>this.#i(e,t,n),i?`network-only`:n)})}#i(e,t,n){(e!==null||t===null)&&(this.data=e),this.problem=t,this.loading=n}reload(){e(()=>N(this.#r,b(this.#r)+1))}},cr=`footnote:project`,lr=new class{#e=w(ae(R.read(cr)));#t=w(0);get missingCount(){return b(this.#t)}set missingCount(e){N(this.#t,e,!0)}get projectId(){return b(this.#e)}reportMissing(){this.projectId=null,this.missingCount+=1}set projectId(e){N(this.#e,e,!0),R.write(cr,e)}},ur=new class{#e=w([]);#t=w(!1);get loading(){return b(this.#t)}set loading(e){N(this.#t,e,!0)}#n=w(null);get problem(){return b(this.#n)}set problem(e){N(this.#n,e)}#r=w(!1);get hasMore(){return b(this.#r)}set hasMore(e){N(this.#r,e,!0)}#i=w(!1);get archived(){return b(this.#i)}set archived(e){N(this.#i,e,!0)}#a=null;#o=null;#s=0;#c=new Map;#l=k(()=>{let e=b(this.#e).filter(({archived:e})=>e===this.archived).toSorted((e,t)=>e.lastActivityAt<t.lastActivityAt?1:-1);return[...Map.groupBy(e,e=>e.pinned?`pinned`:rn(e.lastActivityAt))].sort(([e],[t])=>Number(t===`pinned`)-Number(e===`pinned`))});get groups(){return b(this.#l)}set groups(e){N(this.#l,e)}find(e){return b(this.#e).find(t=>t.id===e)}forget(){this.#s+=1,N(this.#e,[]),this.#a=null,this.#o=null,this.hasMore=!1,this.loading=!1,this.problem=null}async read(e,t=!1){(e!==this.#a||t!==this.archived)&&(N(this.#e,[]),this.hasMore=!1,this.problem=null,this.#o=null),this.#a=e,this.archived=t,await this.#u(null)}async readMore(){this.hasMore&&!this.loading&&await this.#u(this.#o)}async retry(){this.loading||await this.#u(this.#o)}async refresh(){await this.#u(null,Math.max(1,b(this.#e).length))}async update(e){let{chatSession:t}=await Z(Ft,{input:e});this.#c.set(t.id,t),N(this.#e,[...b(this.#e).filter(({id:e})=>e!==t.id),t])}async remove(e){await Z(It,{id:e}),this.#c.set(e,null),N(this.#e,b(this.#e).filter(t=>t.id!==e))}async#u(e,t=1){let[n,r,i]=[this.#a,this.archived,++this.#s];if(this.#c.clear(),n){this.loading=!0;try{let a=[],o={hasNextPage:!0,endCursor:e};for(;o.hasNextPage&&a.length<t;){let{project:e}=await Un(Mt,{id:n,archived:r,after:o.endCursor},`network-only`);if(i!==this.#s)return;if(e===null){lr.reportMissing();return}a.push(...e.chatSessions.nodes),o=e.chatSessions.pageInfo}let s=a.flatMap(e=>this.#c.get(e.id)??(this.#c.has(e.id)?[]:e)),c=new Set(s.map(e=>e.id));N(this.#e,[...e===null?[]:b(this.#e).filter(e=>!c.has(e.id)),...s]),this.#o=o.endCursor,this.hasMore=o.hasNextPage,this.problem=null}catch(t){i!==this.#s||e===null&&b(this.#e).length||(this.problem=K(t))}finally{i===this.#s&&(this.loading=!1)}}}},dr=6e3,fr=3e3,pr=0,mr=new class{#e=w(ae([]));get list(){return b(this.#e)}set list(e){N(this.#e,e,!0)}#t;get saysUnreachable(){return this.list.some(({unreachable:e})=>e)}show(e,t=`info`,n=!1){let r=++pr;this.list.push({id:r,kind:t,text:e,unreachable:n}),t===`info`&&setTimeout(()=>this.dismiss(r),dr)}fail=e=>{let{message:t,kind:n}=K(e),r=n===`unreachable`;this.list.some(({text:e})=>e===t)||this.show(t,`error`,r),r&&this.#n()};failUnlessGone(e){e.kind!==`NotFoundError`&&this.fail(e)}dismiss(e){this.list=this.list.filter(t=>t.id!==e)}#n(){this.#t??=setTimeout(()=>void this.#r(),fr)}async#r(){let e=!document.hidden&&await Pn();this.#t=void 0,e?this.list=this.list.filter(({unreachable:e})=>!e):this.saysUnreachable&&this.#n()}},hr=new Map,Q=new class{#e=0;constructor(){addEventListener(`beforeunload`,e=>{this.#e&&e.preventDefault()})}watch(e){j(()=>{if(e())return this.#e+=1,()=>--this.#e})}mayLeave(){return this.#e===0||this.confirmLoss()}confirmLoss(){return confirm(B(`unsaved`))}},gr=3,_r=3e3,vr=100,yr=413,br=408,xr={sending:0,failed:1,refused:1,skipped:1,waiting:2,sent:3},Sr=/^(.*\.env|[._]?netrc|id_(rsa|dsa|ecdsa|ed25519)|(credentials?|secrets?)(\.(json|ya?ml|toml|ini|cfg|conf))?)$/i,Cr=/^\s*(-----BEGIN [A-Z0-9 ]*PRIVATE KEY|PuTTY-User-Key-File-)/,wr=200,Tr=2e3,Er=0,Dr=class{#e=w(ae([]));get list(){return b(this.#e)}set list(e){N(this.#e,e,!0)}#t=w(null);get pause(){return b(this.#t)}set pause(e){N(this.#t,e)}#n=gr;#r=0;#i=-1/0;#a;#o=new Map;#s=new Set;constructor(){addEventListener(`beforeunload`,e=>{this.list.some(({state:e})=>e===`sending`||e===`waiting`)&&e.preventDefault()})}of(e){return this.list.filter(t=>t.projectId===e&&t.state!==`sent`).toSorted((e,t)=>xr[e.state]-xr[t.state]||e.id-t.id)}onArrival(e){return this.#s.add(e),()=>this.#s.delete(e)}add(e,t,n){for(let{file:r,source:i,problem:a,skipped:o=n(r.name)}of t){let t=a?`refused`:o?`skipped`:`waiting`;this.list.push({id:++Er,projectId:e,file:r,source:i,state:t,sent:0,problem:a??o??``})}this.#c()}retry(e){Object.assign(e,{state:`waiting`,sent:0,problem:``}),this.#c()}retryAll(e){for(let t of this.of(e))t.state===`failed`&&Object.assign(t,{state:`waiting`,sent:0,problem:``});this.#c()}clear(e){let t=new Set(this.of(e).flatMap(({id:e,problem:t})=>t?[e]:[]));this.list=this.list.filter(({id:e})=>!t.has(e))}remove(e){this.list=this.list.filter(({id:t})=>t!==e.id),this.#o.get(e.id)?.abort()}cancel(e){let t=new Set(this.of(e).flatMap(({id:e,problem:t})=>t?[]:[e]));this.list=this.list.filter(({id:e})=>!t.has(e));for(let e of t)this.#o.get(e)?.abort()}#c(){for(;this.#r<this.#n&&!this.pause;){let e=this.list.find(({state:e})=>e===`waiting`);if(!e)return;let t=J()===null?0:this.#i+vr-performance.now();if(t>0)return this.#l(t);this.#i=performance.now(),this.#u(e)}}#l(e){this.#a??=setTimeout(()=>{this.#a=void 0,this.#c()},e)}async#u(e){this.#r+=1,e.state=`sending`;let t=J(),n=this.#n===1;try{let t=await this.#m(e);e.state=`sent`,this.list=this.list.filter(({id:t})=>t!==e.id);for(let e of this.#s)e(t)}catch(r){let i=K(r);if(i.kind===`unauthenticated`&&t===J()&&Vn(i),i.isTemporary)Object.assign(e,{state:`waiting`,sent:0}),this.#f(i);else if(i.kind===`TooSlow`&&!n)Object.assign(e,{state:`waiting`,sent:0}),this.#n=1;else{let t={state:i.isPermanent?`refused`:`failed`,problem:i.message};Object.assign(e,t),Or(i)&&this.#d(e.projectId,t),zn(i)}}finally{this.#o.delete(e.id),--this.#r,this.#c()}}#d(e,t){for(let n of this.of(e))n.state===`waiting`&&Object.assign(n,t)}#f(e){this.pause||(this.pause=e,setTimeout(()=>void this.#p(e),e.retryAfterMs??_r))}async#p(e){let t=e.kind===`unauthenticated`&&J()===null,n=this.list.some(({state:e})=>e===`waiting`)&&(t||e.kind===`unreachable`&&!await Pn());this.pause=null,n?this.#f(e):this.#c()}forget(){for(let e of this.list)this.remove(e)}#m(e){let{projectId:t,source:n,file:r}=e,i=new FormData,a=bt.toString();i.append(`operations`,JSON.stringify({query:a,variables:{input:{projectId:t,source:n,file:null}}})),i.append(`map`,JSON.stringify({0:[`variables.input.file`]})),i.append(`0`,r,r.name);let o=new XMLHttpRequest;return this.#o.set(e.id,o),new Promise((t,n)=>{o.upload.onprogress=({loaded:t,total:n})=>e.sent=n?t/n:0,o.onerror=()=>void kr(r).then(n),o.onabort=()=>n(new U(``)),o.onload=()=>{try{t(Ar(o))}catch(e){n(K(e))}},o.open(`POST`,En);for(let[e,t]of Object.entries(Nn()))o.setRequestHeader(e,t);o.send(i)})}};function Or({kind:e}){return e===`NotFoundError`||e===`ForbiddenError`}async function kr(e){try{let t=e.stream().getReader();return await t.read(),t.cancel(),G()}catch{return new U(B(`knowledge.fileChanged`),`FileChanged`)}}function Ar(e){let t;try{t=JSON.parse(e.responseText)}catch{throw vn(e.status,e.getResponseHeader(ln))}let[n]=t.errors??[];if(n&&e.status===yr)throw new U(W(n).message,`TooLarge`);if(n&&e.status===br)throw new U(W(n).message,`TooSlow`);if(n)throw W(n,e.status);if(!t.data)throw vn(e.status);let r=t.data.uploadDocument;if(`document`in r)return r.document;throw mn(r)}async function jr(e,t){let n=[...e??[]].map(e=>e.webkitGetAsEntry()).filter(e=>e!==null);if(!n.length){let e=[...t??[]].map(e=>({file:e,source:e.webkitRelativePath||e.name}));return Promise.all(e.filter(({source:e})=>!/\/\./.test(e)).slice(0,2001).map(Mr))}let r=[];for(let e of n)await Nr(e,r);return Promise.all(r.map(Mr))}async function Mr(e){let{file:t,source:n,problem:r}=e;return r||!n.includes(`/`)?e:Sr.test(t.name)||Cr.test(await t.slice(0,wr).text().catch(()=>``))?{...e,skipped:B(`knowledge.secret`)}:e}async function Nr(e,t){if(t.length>2e3||e.name.startsWith(`.`))return;let n=e.fullPath.replace(/^\//,``);try{e.isFile?t.push({file:await Pr(e),source:n}):await Fr(e,t)}catch{t.push({file:new File([],e.name),source:n,problem:B(`knowledge.unreadable`)})}}function Pr(e){return new Promise((t,n)=>e.file(t,n))}async function Fr(e,t){let n=e.createReader();for(;;){let e=await new Promise((e,t)=>n.readEntries(e,t));if(!e.length)return;for(let n of e)await Nr(n,t)}}var Ir=new Dr,Lr=new class{#e=w(`asking`);get state(){return b(this.#e)}set state(e){N(this.#e,e,!0)}#t=w(null);get viewer(){return b(this.#t)}set viewer(e){N(this.#t,e)}#n=w(``);get problem(){return b(this.#n)}set problem(e){N(this.#n,e,!0)}#r=w(null);get outage(){return b(this.#r)}set outage(e){N(this.#r,e)}#i=w(null);get link(){return b(this.#i)}set link(e){N(this.#i,e)}#a=w(!1);get invited(){return b(this.#a)}set invited(e){N(this.#a,e,!0)}#o=null;constructor(){Ln(e=>this.#p(e)),addEventListener(`hashchange`,()=>{this.#s(),this.#c()});let e=null;addEventListener(`pagehide`,()=>e=q()),addEventListener(`pageshow`,({persisted:t})=>t&&e!==q()&&location.reload()),addEventListener(`storage`,({key:e,newValue:t})=>{e===`footnote:token`&&(t!==null||this.state!==`out`)&&(t===``&&(this.viewer=null,Fn()),tr(),this.#d())})}async start(){this.#s(),await this.retry()}isViewer(e){return e!==void 0&&e.id===this.viewer?.id}async retry(){(q()||!this.link)&&await this.#d(),await this.#c()}#s(){let e=Cn();e&&(e.token===null||e.token!==q())&&(this.link=e)}async#c(){if(this.link&&!q())try{await this.followLink(this.link)}catch(e){await this.#l(K(e))}}async#l(e){e.kind===`unreachable`?(this.outage=e,this.state=`unreachable`):(this.link=null,await this.#d()),this.state===`in`?mr.fail(e):this.problem=e.message}ignoreLink(){this.link=null}async followLink({setup:e,token:t}){if(e===null)return this.useToken(t??``);let n=await Z(qe,{token:e},X(null));this.invited=!0,await this.#u(n.token)}async signIn(e,t){await this.#u((await Z(Ke,{email:e,password:t},X(null))).token)}async changePassword(e,t){let{user:n}=await Z(He,{input:{currentPassword:e,newPassword:t}});await this.signIn(n.email,t),this.invited=!1}async useToken(e){let t=e.trim().replace(/^Bearer\s+/i,``);if(!Tn(t))throw new U(B(`signIn.notToken`),`unauthenticated`);await Un(Ge,{},`network-only`,X(t)),await this.#u(t)}async#u(e){this.link=null,wn(e),tr(),await this.#d()}async signOut(){if(Q.mayLeave()){try{await Z(Je,{},X(q()))}catch(e){if(e instanceof U&&e.kind===`unreachable`)throw e}wn(``),this.viewer=null,this.state=`out`,await m(),location.assign(`/`)}}async#d(){let e=q();try{let{user:t}=(await Un(Ge,{},`network-only`,X(e))).viewer;if(e!==q())return;this.#f(t),this.state=`in`,this.problem=``,In()}catch(t){if(t instanceof U&&t.kind===`unauthenticated`){e===q()&&this.#p(t);return}this.outage=K(t),this.problem=this.outage.message,this.state=`unreachable`}}#f(e){this.#o!==null&&this.#o!==e.id&&(Fn(),ur.forget(),Ir.forget(),hr.clear()),this.#o=e.id,this.viewer=e}#p(e){this.state===`in`?this.problem=q()?B(`signIn.ended`):``:q()&&(this.problem=e.message),wn(null),tr(),this.state=`out`}},Rr=_(`<span><!></span>`);function zr(e,t){let i=M(t,`tone`,3,`neutral`);var a=Rr(),o=x(a);u(o,()=>t.children),n(a),T(()=>{r(a,1,f([`badge`,i()]),`svelte-dtbgkf`),F(a,`title`,t.title)}),v(e,a)}var Br=new Set([`$$slots`,`$$events`,`$$legacy`,`look`,`icon`,`small`,`label`,`busy`,`disabled`,`href`,`type`,`children`,`element`,`onclick`]),Vr=_(`<a><!></a>`),Hr=_(`<button><!></button>`);function Ur(e,t){I(t,!0);let r=M(t,`look`,3,`secondary`),i=M(t,`icon`,3,!1),a=M(t,`small`,3,!1),c=M(t,`busy`,3,!1),l=M(t,`disabled`,3,!1),d=M(t,`type`,3,`button`),f=M(t,`element`,15),p=ne(t,Br);function m(e){c()?e.preventDefault():t.onclick?.(e)}var h=o(),g=D(h),_=e=>{var o=Vr();de(o,()=>({class:[`button`,r(),{icon:i(),small:a()}],href:t.href,"aria-label":t.label,title:t.label,onclick:t.onclick,...p}),void 0,void 0,void 0,`svelte-18sv61c`);var s=x(o);u(s,()=>t.children),n(o),O(o,e=>f(e),()=>f()),v(e,o)},y=e=>{var o=Hr();de(o,()=>({class:[`button`,r(),{icon:i(),small:a()}],type:d(),"aria-label":t.label,title:t.label,"aria-busy":c()||void 0,"aria-disabled":c()||void 0,disabled:l(),onclick:m,...p}),void 0,void 0,void 0,`svelte-18sv61c`);var s=x(o);u(s,()=>t.children),n(o),O(o,e=>f(e),()=>f()),v(e,o)};s(g,e=>{t.href===void 0?e(y,-1):e(_)}),v(e,h),P()}var Wr=new class{#e=w([]);get top(){return b(this.#e).at(-1)??null}enter(e){return N(this.#e,[...b(this.#e),e]),()=>N(this.#e,b(this.#e).filter(t=>t!==e))}};function Gr(e){return history.state?.[e]}function Kr(e,t){try{history.replaceState({...history.state,[e]:t},``)}catch{}}function qr(e,t){history.pushState({...history.state,[e]:t},``)}var Jr=`top`,Yr=100,Xr=[`wheel`,`touchmove`,`keydown`,`pointerdown`],$=null,Zr;function Qr(e){let t=new AbortController;return $=e,e.addEventListener(`scroll`,ai,{signal:t.signal,passive:!0}),()=>{t.abort(),clearTimeout(Zr),$=null}}function $r(){clearTimeout(Zr),$&&Kr(Jr,$.scrollTop)}function ei(){clearTimeout(Zr)}function ti(){return Gr(Jr)}function ni(){let e=ti();e!==void 0&&$?.scrollTo(0,e)}function ri(e,t){let n=new AbortController,r=t===void 0?ii():null,i=new ResizeObserver(()=>{r?r.scrollIntoView():$?.scrollTo(0,t??0),(!$||r||Math.abs($.scrollTop-(t??0))<=1)&&a()}),a=()=>{i.disconnect(),n.abort()};for(let e of Xr)addEventListener(e,a,{signal:n.signal,passive:!0});return i.observe(e),a}function ii(){try{return document.getElementById(decodeURIComponent(location.hash.slice(1)))}catch{return null}}function ai(){clearTimeout(Zr),Zr=setTimeout($r,Yr)}var oi=[`documents`,`search`,`model`],si=[`settings`,`members`];function ci(e){let[t,n,r,i]=li(e);if(t===void 0)return{view:`home`};if(t===`account`||t===`status`)return{view:t};if(t===`handbook`&&r===void 0)return{view:`handbook`,page:n??null};if(t===`c`&&n)return{view:`chat`,sessionId:n,messageId:r??null};if(t===`p`&&n){let e=i===void 0?oi[0]:oi.find(e=>e===i);if(r===`knowledge`&&e)return{view:`project`,projectId:n,tab:r,section:e};let t=r===void 0?`chat`:si.find(e=>e===r);if(t)return{view:`project`,projectId:n,tab:t}}return{view:`missing`}}function li(e){try{return e.split(`/`).filter(Boolean).map(decodeURIComponent)}catch{return[`\0`]}}var ui=new class{#e=w(ae(location.pathname));#t=k(()=>ci(b(this.#e)));get route(){return b(this.#t)}set route(e){N(this.#t,e)}#n=w(0);get returns(){return b(this.#n)}set returns(e){N(this.#n,e,!0)}constructor(){addEventListener(`popstate`,()=>{ei(),location.pathname===b(this.#e)?ni():Q.mayLeave()?(e=>{var t=g(e,2);N(this.#e,t[0],!0),this.returns=t[1]})([location.pathname,this.returns+1]):history.pushState(null,``,b(this.#e))}),addEventListener(`click`,e=>this.#r(e))}go(e,t=!1,n=``){e!==location.pathname&&(t||Q.mayLeave())&&($r(),t?history.replaceState(null,``,e+n):history.pushState(null,``,e+n),N(this.#e,location.pathname,!0))}#r(e){if(e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey)return;let t=e.target instanceof Element?e.target.closest(`a`):null;if(!(!t||t.target||t.hasAttribute(`download`)||t.origin!==location.origin)&&ci(t.pathname).view!==`missing`){if(t.hash&&t.pathname===location.pathname)return $r();e.preventDefault(),this.go(t.pathname,!1,t.hash)}}},di={project:e=>`/p/${encodeURIComponent(e)}`,knowledge:(e,t=oi[0])=>`/p/${encodeURIComponent(e)}/knowledge${t===oi[0]?``:`/${t}`}`,settings:e=>`/p/${encodeURIComponent(e)}/settings`,members:e=>`/p/${encodeURIComponent(e)}/members`,chat:e=>`/c/${encodeURIComponent(e)}`,message:(e,t)=>`/c/${encodeURIComponent(e)}/${encodeURIComponent(t)}`,account:`/account`,status:`/status`,playground:`/graphql`,handbook:`/handbook`,handbookPage:e=>`/handbook/${encodeURIComponent(e)}`},fi=_(`<div><p dir="auto" class="svelte-r9p0hk"> </p> <!></div>`),pi=_(`<div class="toasts screen-only svelte-r9p0hk" role="region"></div>`);function mi(e,t){I(t,!0);var i=pi();d(i,21,()=>mr.list,e=>e.id,(e,t)=>{var i=fi(),a=x(i),o=A(a,!0),s=C(a,2);{let e=k(()=>B(`dismiss`));Ur(s,{look:`ghost`,icon:!0,small:!0,get label(){return b(e)},onclick:()=>mr.dismiss(b(t).id),children:(e,t)=>{oe(e,{})},$$slots:{default:!0}})}n(i),T(()=>{r(i,1,f([`toast`,b(t).kind]),`svelte-r9p0hk`),F(i,`role`,b(t).kind===`error`?`alert`:`status`),L(o,b(t).text),a.dir=a.dir}),v(e,i)}),n(i),T(e=>F(i,`aria-label`,e),[()=>B(`notifications`)]),v(e,i),P()}var hi=_(`<footer class="svelte-jby388"><!></footer>`),gi=_(`<div class="sheet svelte-jby388"><header class="svelte-jby388"><h2 dir="auto" class="svelte-jby388"> </h2> <!></header> <div class="content svelte-jby388"><!></div> <!></div> <!>`,1),_i=_(`<dialog><!></dialog>`);function vi(t,i){let o=a();I(i,!0);let l=M(i,`place`,3,`center`),d=M(i,`wide`,3,!1),p=M(i,`unsaved`,3,!1),m=w(void 0),h=!1;Q.watch(()=>i.open&&p()),j(()=>i.open?e(()=>Wr.enter(o)):void 0);let g=k(()=>i.open?e(()=>ui.returns):0);j(()=>{i.open&&ui.returns!==b(g)&&e(i.onclose)});let _=null;j(()=>{i.open&&b(m)&&!b(m).open?(_=document.activeElement,Lr.state===`in`&&b(m).showModal()):!i.open&&b(m)?.open&&b(m).close()}),j(()=>()=>{(document.activeElement===document.body||document.activeElement===null)&&_ instanceof HTMLElement&&_.focus({preventScroll:!0})});function y(){(!p()||Q.confirmLoss())&&i.onclose()}function te(e){e.target===b(m)&&h&&y()}var S=_i(),ne=x(S),re=e=>{var t=gi(),r=D(t),a=x(r),c=x(a),l=A(c,!0),d=C(c,2);{let e=k(()=>B(`close`));Ur(d,{look:`ghost`,icon:!0,small:!0,get label(){return b(e)},onclick:y,children:(e,t)=>{oe(e,{})},$$slots:{default:!0}})}n(a);var f=C(a,2),p=x(f);u(p,()=>i.children),n(f);var m=C(f,2),h=e=>{var t=hi(),r=x(t);u(r,()=>i.footer),n(t),v(e,t)};s(m,e=>{i.footer&&e(h)}),n(r);var g=C(r,2),_=e=>{mi(e,{})};s(g,e=>{Wr.top===o&&e(_)}),T(()=>{F(c,`id`,o),L(l,i.title),c.dir=c.dir}),v(e,t)};s(ne,e=>{i.open&&e(re)}),n(S),O(S,e=>N(m,e),()=>b(m)),T(()=>{r(S,1,f([l(),{wide:d()}]),`svelte-jby388`),F(S,`aria-labelledby`,o)}),ee(`cancel`,S,e=>{e.preventDefault(),y()}),c(`pointerdown`,S,e=>h=e.target===b(m)),c(`click`,S,te),v(t,S),P()}ce([`pointerdown`,`click`]);var yi=_(`<span class="icon svelte-1m5lo4h"><!></span>`),bi=_(`<p dir="auto" class="svelte-1m5lo4h"> </p>`),xi=_(`<div class="actions svelte-1m5lo4h"><!></div>`),Si=_(`<div><!> <!> <!> <!></div>`);function Ci(e,i){let a=M(i,`whole`,3,!1);var o=Si(),c=x(o),d=e=>{var t=yi(),r=x(t);ie(r,()=>i.icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),n(t),v(e,t)};s(c,e=>{i.icon&&e(d)});var p=C(c,2);t(p,()=>a()?`h1`:`h2`,!1,(e,t)=>{r(e,0,`title svelte-1m5lo4h`);var n=l();T(()=>L(n,i.title)),v(t,n)});var m=C(p,2),h=e=>{var t=bi(),n=A(t,!0);T(()=>{L(n,i.text),t.dir=t.dir}),v(e,t)};s(m,e=>{i.text&&e(h)});var g=C(m,2),_=e=>{var t=xi(),r=x(t);u(r,()=>i.children),n(t),v(e,t)};s(g,e=>{i.children&&e(_)}),n(o),T(()=>r(o,1,f([`empty`,{whole:a()}]),`svelte-1m5lo4h`)),v(e,o)}var wi=_(`<p class="problem svelte-175sa6o" role="alert"> </p>`),Ti=_(`<p class="help svelte-175sa6o"> </p>`),Ei=_(`<div class="field svelte-175sa6o"><label class="svelte-175sa6o"> </label> <!> <!> <!></div>`);function Di(e,t){let r=a();I(t,!0);let i=M(t,`problem`,3,null),o=k(()=>[t.help&&`${r}-help`,i()&&`${r}-problem`].filter(Boolean).join(` `)||void 0);var c=Ei(),l=x(c),d=A(l,!0),f=C(l,2);u(f,()=>t.children,()=>({id:r,"aria-describedby":b(o),"aria-invalid":i()?!0:void 0}));var p=C(f,2),m=e=>{var t=wi(),n=A(t,!0);T(()=>{F(t,`id`,`${r}-problem`),L(n,i())}),v(e,t)};s(p,e=>{i()&&e(m)});var h=C(p,2),g=e=>{var n=Ti(),i=A(n,!0);T(()=>{F(n,`id`,`${r}-help`),L(i,t.help)}),v(e,n)};s(h,e=>{t.help&&e(g)}),n(c),T(()=>{F(l,`for`,r),L(d,t.label)}),v(e,c),P()}var Oi=y(`<svg viewBox="0 0 32 32" aria-hidden="true" class="svelte-1mi20zr"><rect width="32" height="32" rx="7" class="svelte-1mi20zr"></rect><path d="M7 10h11M7 16h18M7 22h14" class="svelte-1mi20zr"></path><circle cx="25" cy="9" r="3" class="svelte-1mi20zr"></circle></svg>`);function ki(e,t){var n=Oi();let r;T(()=>r=i(n,``,r,{width:t.size,height:t.size})),v(e,n)}var Ai=_(`<button type="button" tabindex="-1"><!> <span dir="auto" class="svelte-15gydnd"> </span> <!></button>`),ji=_(`<!> <div class="menu svelte-15gydnd" role="menu" tabindex="-1" popover="auto"></div>`,1);function Mi(e,t){let i=a();I(t,!0);let l=M(t,`align`,3,`end`),f=w(void 0),m=w(!1),h={text:``,at:-1/0};function g(){let e=document.getElementById(`${i}-trigger`);if(!b(f)||!e)return;let t=e.getBoundingClientRect(),{width:n,height:r}=b(f).getBoundingClientRect(),a=t.bottom+r+8<innerHeight||t.top<r,o=l()===`end`==(getComputedStyle(b(f)).direction===`ltr`)?t.right-n:t.left;b(f).style.setProperty(`left`,`${Math.max(8,Math.min(o,innerWidth-n-8))}px`);let s=a?t.bottom+4:t.top-r-4;b(f).style.setProperty(`top`,`${Math.max(8,Math.min(s,innerHeight-r-8))}px`),b(f).style.setProperty(`visibility`,`visible`),h.text=``;let c=_();(c.find(e=>e.ariaChecked===`true`)??c[0])?.focus()}function _(){return[...b(f)?.querySelectorAll(`[role^=menuitem]:not(:disabled)`)??[]]}function y(e){let t=performance.now();h={text:(t-h.at<700?h.text:``)+e.toLowerCase(),at:t};let n=_(),r=n.indexOf(document.activeElement),i=h.text.length>1?r:r+1;[...n.slice(i),...n.slice(0,i)].find(e=>e.textContent.trim().toLowerCase().startsWith(h.text))?.focus()}function te(e){let t=_(),n=t.indexOf(document.activeElement),r={ArrowDown:n+1,ArrowUp:n-1,Home:0,End:-1}[e.key];e.key===`Tab`&&b(f)?.hidePopover();let i=h.text!==``&&performance.now()-h.at<700;e.key.length!==1||e.key===` `&&!i||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),y(e.key)),r!==void 0&&(e.preventDefault(),t.at(r%t.length)?.focus())}function S(e){b(f)?.hidePopover(),document.getElementById(`${i}-trigger`)?.focus(),e.onselect()}var ne=ji(),re=D(ne);u(re,()=>t.trigger,()=>({id:`${i}-trigger`,popovertarget:i,"aria-haspopup":`menu`,"aria-expanded":b(m)}));var E=C(re,2);d(E,21,()=>t.items,p,(e,t)=>{var i=Ai();let a;var l=x(i),u=e=>{var n=o(),r=D(n);ie(r,()=>b(t).icon,(e,t)=>{t(e,{"aria-hidden":`true`})}),v(e,n)};s(l,e=>{b(t).icon&&e(u)});var d=C(l,2),f=A(d,!0),p=C(d,2),m=e=>{ue(e,{"aria-hidden":`true`,class:`check`})};s(p,e=>{b(t).checked&&e(m)}),n(i),T(()=>{F(i,`role`,b(t).checked===void 0?`menuitem`:`menuitemradio`),F(i,`aria-checked`,b(t).checked),i.disabled=b(t).disabled,a=r(i,1,`svelte-15gydnd`,null,a,{danger:b(t).danger}),L(f,b(t).label),d.dir=d.dir}),c(`click`,i,()=>S(b(t))),v(e,i)}),n(E),O(E,e=>N(f,e),()=>b(f)),T(()=>{F(E,`id`,i),F(E,`aria-labelledby`,`${i}-trigger`)}),ee(`toggle`,E,e=>{N(m,e.newState===`open`),b(m)?g():b(f)?.style.removeProperty(`visibility`)}),c(`keydown`,E,te),v(e,ne),P()}ce([`keydown`,`click`]);function Ni(t,n){I(n,!0),j(()=>e(()=>void ur.refresh()));{let e=k(()=>B(`missing.title`)),n=k(()=>B(`missing.text`));Ci(t,{whole:!0,get title(){return b(e)},get text(){return b(n)},children:(e,t)=>{Ur(e,{href:`/`,children:(e,t)=>{h();var n=l();T(e=>L(n,e),[()=>B(`missing.home`)]),v(e,n)},$$slots:{default:!0}})},$$slots:{default:!0}})}P()}function Pi(e,t){I(t,!0),j(()=>{mr.fail(t.error),t.ontold()}),P()}function Fi(e,t){I(t,!0);let n=`Footnote`;j(()=>(document.title=t.name?`${t.name} · ${n}`:n,()=>document.title=n)),P()}function Ii(e,t){I(t,!0);let n=M(t,`whole`,3,!1),r=k(()=>t.problem.kind===`unreachable`),i=k(()=>b(r)?3e3:t.problem.retryAfterMs??null);j(()=>{if(b(i)===null)return;let e=setInterval(()=>document.hidden||t.onretry(),b(i));return()=>clearInterval(e)});{let i=k(()=>B(b(r)?`unreachable.title`:`problem.title`)),a=k(()=>b(r)?B(`unreachable.again`):t.problem.message);Ci(e,{get whole(){return n()},get title(){return b(i)},get text(){return b(a)},children:(e,n)=>{{let n=k(()=>b(r)?`primary`:`secondary`);Ur(e,{get look(){return b(n)},get onclick(){return t.onretry},children:(e,t)=>{h();var n=l();T(e=>L(n,e),[()=>B(`retry`)]),v(e,n)},$$slots:{default:!0}})}},$$slots:{default:!0}})}P()}var Li=_(`<span class="spinner svelte-f4erjd" role="status"><span class="visually-hidden"> </span></span>`);function Ri(e,t){I(t,!0);let r=M(t,`label`,19,()=>B(`loading`));var i=Li(),a=x(i),o=A(a,!0);n(i),T(()=>L(o,r())),v(e,i),P()}var zi=_(`<span class="count svelte-126ak3w"> </span>`),Bi=_(`<button type="button" role="tab" class="svelte-126ak3w"> <!></button>`),Vi=_(`<div class="tabs svelte-126ak3w" role="tablist" tabindex="-1"></div> <div class="panel svelte-126ak3w" role="tabpanel"><!></div>`,1);function Hi(e,t){let r=a();I(t,!0);function i(e){let n=t.tabs.findIndex(({name:e})=>e===t.selected),i=getComputedStyle(e.currentTarget).direction===`rtl`?-1:1,a={ArrowRight:n+i,ArrowLeft:n-i,Home:0,End:-1}[e.key],o=a===void 0?void 0:t.tabs.at(a%t.tabs.length);o&&(e.preventDefault(),t.onselect(o.name),document.getElementById(`${r}-${o.name}`)?.focus())}var o=Vi(),l=D(o);d(l,21,()=>t.tabs,e=>e.name,(e,i)=>{var a=Bi(),o=x(a,!0),l=C(o),u=e=>{var t=zi(),n=A(t,!0);T(()=>L(n,b(i).count)),v(e,t)};s(l,e=>{b(i).count!==void 0&&e(u)}),n(a),T(()=>{F(a,`id`,`${r}-${b(i).name??``}`),F(a,`aria-selected`,b(i).name===t.selected),F(a,`aria-controls`,`${r}-panel`),F(a,`tabindex`,b(i).name===t.selected?0:-1),L(o,b(i).label)}),c(`click`,a,()=>t.onselect(b(i).name)),v(e,a)}),n(l);var f=C(l,2),p=x(f);u(p,()=>t.children,()=>t.selected),n(f),T(()=>{F(l,`aria-label`,t.label),F(f,`id`,`${r}-panel`),F(f,`aria-labelledby`,`${r}-${t.selected??``}`)}),c(`keydown`,l,i),v(e,o),P()}ce([`keydown`,`click`]),ce([`focusin`,`focusout`,`keydown`]);function Ui(e){j(()=>{let t=Rn(e),n=()=>void(document.hidden||e());return document.addEventListener(`visibilitychange`,n),()=>{t(),document.removeEventListener(`visibilitychange`,n)}})}var Wi=_(`<p class="svelte-1cjg1wn"> </p>`),Gi=_(`<header class="svelte-1cjg1wn"><h1 dir="auto" class="svelte-1cjg1wn"> </h1> <!></header>`),Ki=_(`<!> <section><!> <!></section>`,1);function qi(e,t){I(t,!0);let i=M(t,`wide`,3,!1),a=w(void 0),c=ti();Ui(()=>t.found.reload());let l=k(()=>t.value!==null);j(()=>b(l)&&b(a)?ri(b(a),c):void 0);var d=Ki(),f=D(d);Fi(f,{get name(){return t.title}});var p=C(f,2);let m;var h=x(p),g=e=>{var r=Gi(),i=x(r),a=A(i,!0),o=C(i,2),c=e=>{var n=Wi(),r=A(n,!0);T(()=>L(r,t.summary)),v(e,n)};s(o,e=>{t.summary&&e(c)}),n(r),T(()=>{L(a,t.title),i.dir=i.dir}),v(e,r)};s(h,e=>{t.title!==null&&e(g)});var _=C(h,2),y=e=>{var n=o(),r=D(n);u(r,()=>t.children,()=>t.value),v(e,n)},ee=e=>{Ii(e,{get problem(){return t.found.problem},onretry:()=>t.found.reload()})},te=e=>{Ri(e,{})},S=e=>{Ni(e,{})};s(_,e=>{t.value===null?t.found.problem?e(ee,1):t.found.loading?e(te,2):e(S,-1):e(y)}),n(p),O(p,e=>N(a,e),()=>b(a)),T(()=>m=r(p,1,`svelte-1cjg1wn`,null,m,{wide:i()})),v(e,d),P()}var Ji=_(`<div class="svelte-162rnmr"><!></div>`);function Yi(e){var t=Ji();Ri(x(t),{}),n(t),v(e,t)}export{tn as $,pt as $t,Q as A,kt as At,Un as B,Ve as Bt,Wr as C,st as Ct,Tr as D,Ie as Dt,Lr as E,mt as Et,sr as F,Ut as Ft,ln as G,Rt as Gt,Bn as H,Pt as Ht,nr as I,Re as It,vn as J,We as Jt,K,Le as Kt,Nn as L,Ct as Lt,mr as M,ft as Mt,ur as N,dt as Nt,jr as O,Lt as Ot,lr as P,et as Pt,$t as Q,Ht as Qt,Pn as R,Ue as Rt,Gr as S,ot as St,zr as T,wt as Tt,q as U,tt as Ut,zn as V,yt as Vt,U as W,Qe as Wt,en as X,ze as Xt,G as Y,Et as Yt,Zt as Z,Bt as Zt,di as _,nt as _t,Ri as a,Te as an,zt as at,Kr as b,Xe as bt,Pi as c,Ee as cn,Be as ct,ki as d,me as dn,xt as dt,xe as en,it as et,Di as f,R as fn,Vt as ft,oi as g,Tt as gt,mi as h,ct as ht,Hi as i,z as in,Dt as it,hr as j,lt as jt,Ir as k,jt as kt,Ni as l,De as ln,Ze as lt,vi as m,gt as mt,qi as n,Ne as nn,rt as nt,Ii as o,V as on,Ye as ot,Ci as p,vt as pt,W as q,Ot as qt,Ui as r,B as rn,$e as rt,Fi as s,Oe as sn,ut as st,Yi as t,Me as tn,at as tt,Mi as u,be as un,At as ut,ui as v,Nt as vt,Ur as w,ht as wt,qr as x,_t as xt,Qr as y,Wt as yt,Z as z,St as zt};