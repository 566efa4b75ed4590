import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{_ as t,c as n,d as r,f as i,g as a,h as o,m as s,n as c,o as l,p as u,r as d,s as f,t as ee,u as te}from"./packages-index-Bhvh2-9F.js";(function(){let e=document.createElement(`link`).relList;if(e&&e.supports&&e.supports(`modulepreload`))return;for(let e of document.querySelectorAll(`link[rel="modulepreload"]`))n(e);new MutationObserver(e=>{for(let t of e)if(t.type===`childList`)for(let e of t.addedNodes)e.tagName===`LINK`&&e.rel===`modulepreload`&&n(e)}).observe(document,{childList:!0,subtree:!0});function t(e){let t={};return e.integrity&&(t.integrity=e.integrity),e.referrerPolicy&&(t.referrerPolicy=e.referrerPolicy),t.credentials=e.crossOrigin===`use-credentials`?`include`:e.crossOrigin===`anonymous`?`omit`:`same-origin`,t}function n(e){if(e.ep)return;e.ep=!0;let n=t(e);fetch(e.href,n)}})();var ne={json:a,graphql:o};globalThis.MonacoEnvironment={getWorker:(e,n)=>new(ne[n]??t)};var p=e(s(),1),m=d(),h=`/graphql`;function g(){return new Headers({Accept:`application/graphql-response+json, application/json;q=0.9`,"Content-Type":`application/json`,"GraphQL-Require-Preflight":`1`})}async function _(e,t){let n,r;try{n=await fetch(h,{method:`POST`,headers:t,body:JSON.stringify(e)}),r=await n.text()}catch(e){return{status:0,result:v(`The server cannot be reached: ${e.message}`)}}try{return{status:n.status,result:JSON.parse(r)}}catch{let{status:e,statusText:t}=n;return{status:e,result:v(`The server answered ${e} ${t}: ${r}`)}}}function v(e){return{errors:[{message:e}]}}var y=`footnote-playground:token`,b=`footnote-playground:email`;function x(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);if(t===null&&n===null)return null;e.delete(`token`),e.delete(`setup`);let r=e.toString();return history.replaceState(history.state,``,location.pathname+location.search+(r&&`#${r}`)),{token:t,setup:n}}function S(e,t=``){sessionStorage.setItem(y,e),sessionStorage.setItem(b,t)}function C(){sessionStorage.removeItem(y),sessionStorage.removeItem(b)}function w(){return T()&&sessionStorage.getItem(b)}function T(){let e=sessionStorage.getItem(y);return e&&`Bearer ${e}`}var re=`mutation RedeemSetupToken($token: String!) { redeemSetupToken(input: { token: $token }) {
  ... on RedeemSetupTokenPayload { token user { email } } ... on Error { message } } }`,ie=`mutation SignIn($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) {
  ... on SignInPayload { token user { email } } ... on Error { message } } }`,ae=`mutation SetPassword($password: String!) { changePassword(input: { newPassword: $password }) {
  ... on ChangePasswordPayload { user { email } } ... on ValidationError { message issues { path } }
  ... on Error { message } } }`,oe=`mutation SignOut { signOut }`,E=`query Viewer { viewer { user { email } } }`,D={form:null,link:null,problem:``,required:!1,changes:0,email:w()},O=new Set;function k(){return(0,p.useSyncExternalStore)(A,()=>D)}function A(e){return O.add(e),()=>O.delete(e)}function j(e){D={...D,...e,email:w()};for(let e of O)e()}async function M(){let e=x();e===null||e.token&&`Bearer ${e.token}`===T()||(T()?j({form:`link`,problem:``,link:e}):await N(e))}async function se(){let{link:e}=D;L(),await N(e)}async function N({token:e,setup:t}){if(t!==null){let{problem:e}=await R(re,{token:t},`password`);e&&j({form:`sign-in`,problem:`The link did not let you in. ${e}`})}else e?S(e):C(),j({form:null,problem:``,changes:D.changes+1})}async function P(e,t){let{problem:n}=await R(ie,{email:e,password:t});return n}async function ce(e){let t=e.trim().replace(/^Bearer\s+/i,``);if(!/^[\x21-\x7e]+$/.test(t))return`This is no token: one has no spaces and only plain letters, digits and signs.`;let{problem:n,field:r}=await B(E,{},`Bearer ${t}`);if(n)return n;z(t,r.user.email)}async function le(e){let t=D.email,{problem:n,field:r}=await B(ae,{password:e},T());if(r?.issues?.some(({path:e})=>e.includes(`currentPassword`)))return`You have a password already. \`footnote user password ${t}\` sets another, or \`changePassword\` for who knows it.`;if(n)return n;let i=await P(t,e);i&&(C(),j({form:`sign-in`,problem:i}))}async function ue(){await B(oe,{},T()),C(),location.reload()}function F(e,t){e===T()&&(C(),j({form:`sign-in`,problem:e?`You are not signed in. ${t}`:D.problem,required:!0}))}async function I(e){await B(E,{},e,F)}function de(){j({form:`sign-in`,problem:``})}function L(){j({form:null,problem:``,link:null})}async function R(e,t,n=null){let{problem:r,field:i}=await B(e,t,null);return r||z(i.token,i.user.email,n),{problem:r}}function z(e,t,n=null){S(e,t),j({form:n,problem:``,changes:D.changes+1})}async function B(e,t,n,r){let i=g();n&&i.set(`Authorization`,n);let{status:a,result:o}=await _({query:e,variables:t},i),[s]=Object.values(o.data??{}),c=o.errors?.[0]?.message??s?.message;return a===401&&r?.(n,c),{problem:c,field:s}}var V=te({namespace:`footnote-playground`}),H=`ids`,fe={PROJECT_ID:e=>e.createProject?.project?.id??e.createProject?.conflicting?.id,CHAT_SESSION_ID:e=>e.createChatSession?.chatSession?.id,ANSWER_ID:e=>e.sendMessage?.answer?.id??e.regenerateAnswer?.answer?.id};function pe(e){if(!e)return;let{newest:t,filled:n}=U();for(let[n,r]of Object.entries(fe))t[n]=r(e)??t[n];W({newest:t,filled:n})}function me(e,t){let{newest:n,filled:r}=U(),i=r[e]??{},a={...i};for(let[e,r]of Object.entries(n))for(let n of[e,i[e]])n&&t.includes(`"${n}"`)&&(t=t.replaceAll(`"${n}"`,`"${r}"`),a[e]=r);return W({newest:n,filled:{...r,[e]:a}}),t}function U(){return JSON.parse(V.getItem(H)??`{"newest": {}, "filled": {}}`)}function W(e){V.setItem(H,JSON.stringify(e))}var he=4403;function ge(e,{headers:t}={}){let{request:n,subscribes:r}=_e(e),i=ye(t);return r?xe(n,i):be(n,i)}function _e(e){let t=ve(e.query),n=t.length===1?t[0]:void 0,r=n??t.find(({name:t})=>t?.value===e.operationName);return{request:n?{...e,operationName:n.name?.value}:e,subscribes:r?.operation===`subscription`}}function ve(e){try{return r(e).definitions.filter(({kind:e})=>e===i.OPERATION_DEFINITION)}catch{return[]}}function ye(e={}){let t=g(),n=T();n&&t.set(`Authorization`,n);for(let[n,r]of Object.entries(e))t.set(n,r);return t}async function be(e,t){let{status:n,result:r}=await _(e,t);return n===401&&F(t.get(`Authorization`),r.errors?.[0]?.message??``),pe(r.data),r}function xe(e,t){let n=t.get(`Authorization`);return{subscribe(t){return{unsubscribe:ee({url:new URL(h,location.href.replace(/^http/,`ws`)).href,connectionParams:n?{authorization:n}:void 0,retryAttempts:0}).subscribe(e,{next:e=>{G(e.errors)&&I(n),t.next(e)},error:e=>{(G(e)||e.code===he)&&I(n),t.error(Se(e))},complete:()=>t.complete()})}}}}function Se(e){return Array.isArray(e)?e:e instanceof CloseEvent?{message:`The server closed the connection: ${e.code} ${e.reason}`.trim()}:{message:e instanceof Error?e.message:`The connection could not be opened.`}}function G(e){return Array.isArray(e)&&e.some(({extensions:e})=>e?.code===`UNAUTHENTICATED`)}var K=n();function Ce(){let{email:e,required:t}=k();return e===null?t?(0,K.jsx)(`span`,{className:`footnote-account`,children:(0,K.jsx)(`button`,{type:`button`,className:`graphiql-button`,onClick:de,children:`Sign in`})}):null:(0,K.jsxs)(`span`,{className:`footnote-account`,children:[(0,K.jsx)(`span`,{title:e,children:e}),(0,K.jsx)(`button`,{type:`button`,className:`graphiql-button`,onClick:ue,children:`Sign out`})]})}function we(){let{changes:e}=k(),{introspect:t}=f(),{schema:n,responseEditor:r}=l(u(`schema`,`responseEditor`)),i=(0,p.useRef)(e);return(0,p.useEffect)(()=>{e!==i.current&&(i.current=e,n||r?.setValue(``),t())},[e,n,r,t]),null}function Te(){let{form:e,problem:t,email:n}=k();return e===`sign-in`?(0,K.jsx)(Ee,{problem:t}):e===`password`?(0,K.jsx)(De,{email:n}):e===`link`?(0,K.jsx)(Oe,{email:n}):null}function Ee({problem:e}){let t=q(({email:e,password:t})=>P(e,t)),n=q(({token:e})=>ce(e)),r=t.problem||n.problem||e,i=(e,t)=>n=>{t.clear(),e.submit(n)};return(0,K.jsxs)(J,{title:`Sign in`,problem:r,children:[(0,K.jsxs)(`form`,{onSubmit:i(t,n),children:[(0,K.jsx)(Y,{label:`E-mail address`,name:`email`,autoComplete:`username`,inputMode:`email`}),(0,K.jsx)(Y,{label:`Password`,name:`password`,type:`password`,autoComplete:`current-password`}),(0,K.jsx)(X,{busy:t.busy,action:`Sign in`})]}),(0,K.jsx)(`p`,{className:`footnote-or`,children:`or`}),(0,K.jsxs)(`form`,{onSubmit:i(n,t),children:[(0,K.jsxs)(Y,{label:`Access token`,name:`token`,type:`password`,autoComplete:`off`,children:[`The operator makes one with `,(0,K.jsx)(`code`,{children:`footnote token create EMAIL --label LABEL`}),`, and with`,` `,(0,K.jsx)(`code`,{children:`footnote user link EMAIL`}),` a link that lets you in once.`]}),(0,K.jsx)(X,{busy:n.busy,action:`Use token`,second:!0,later:`Not now`})]})]})}function De({email:e}){let{problem:t,busy:n,submit:r}=q(({password:e})=>le(e));return(0,K.jsxs)(J,{title:`Set a password`,problem:t,children:[(0,K.jsxs)(`p`,{children:[`You are signed in as `,(0,K.jsx)(`strong`,{children:e}),`. The link is used up now: with a password you can come again.`]}),(0,K.jsxs)(`form`,{onSubmit:r,children:[(0,K.jsx)(`input`,{hidden:!0,readOnly:!0,name:`email`,autoComplete:`username`,value:e}),(0,K.jsx)(Y,{label:`New password`,name:`password`,type:`password`,autoComplete:`new-password`,minLength:8,children:`At least 8 characters, no other rule.`}),(0,K.jsx)(X,{busy:n,action:`Set password`,later:`Later`})]})]})}function Oe({email:e}){let{busy:t,submit:n}=q(se);return(0,K.jsxs)(J,{title:`Follow the link?`,children:[(0,K.jsxs)(`p`,{children:[`You are signed in`,e&&(0,K.jsxs)(K.Fragment,{children:[` as `,(0,K.jsx)(`strong`,{children:e})]}),`. The link takes the place of that in this tab, and what you do next is done by whom it lets in.`]}),(0,K.jsx)(`form`,{onSubmit:n,children:(0,K.jsx)(X,{busy:t,action:`Follow the link`,later:`Stay as I am`})})]})}function q(e){let[t,n]=(0,p.useState)(``),[r,i]=(0,p.useState)(!1);return{problem:t,busy:r,submit:async t=>{t.preventDefault(),r||(i(!0),n(``),n(await e(Object.fromEntries(new FormData(t.currentTarget)))??``),i(!1))},clear:()=>n(``)}}function J({title:e,problem:t,children:n}){let r=(0,p.useRef)(null),i=(0,p.useId)();return(0,p.useEffect)(()=>{let e=document.activeElement;return r.current.showModal(),()=>e?.focus()},[]),(0,K.jsxs)(`dialog`,{ref:r,className:`graphiql-dialog footnote-dialog`,"aria-labelledby":i,onClose:L,children:[(0,K.jsx)(`h1`,{id:i,children:e}),t&&(0,K.jsx)(`p`,{role:`alert`,children:ke(t)}),n]})}function Y({label:e,children:t,...n}){let r=(0,p.useId)(),i=t&&`${r}-hint`;return(0,K.jsxs)(`div`,{className:`footnote-field`,children:[(0,K.jsx)(`label`,{htmlFor:r,children:e}),(0,K.jsx)(`input`,{id:r,type:`text`,required:!0,spellCheck:!1,autoCapitalize:`none`,"aria-describedby":i,...n}),t&&(0,K.jsx)(`small`,{id:i,children:t})]})}function X({busy:e,action:t,second:n,later:r}){return(0,K.jsxs)(`div`,{className:`footnote-buttons`,children:[(0,K.jsx)(`button`,{type:`submit`,className:`graphiql-button ${n?``:`footnote-first`}`,"aria-busy":e,children:t}),r&&(0,K.jsx)(`button`,{type:`button`,className:`graphiql-button`,onClick:L,children:r})]})}function ke(e){return e.split("`").map((e,t)=>t%2?(0,K.jsx)(`code`,{children:e},t):e)}var Ae=`# 1. Run the tabs from left to right: Ctrl-Enter, or
# the button on the right.
#
# Documents, chat sessions and members belong to a
# project. The ids that you get here are put into the
# variables of the later tabs for you.
mutation CreateProject($name: String!) {
  createProject(input: { name: $name }) {
    __typename
    ... on CreateProjectPayload {
      project {
        id
        name
        embeddingSpace {
          model
          dimensions
        }
      }
    }
    ... on ConflictError {
      conflicting {
        id
      }
    }
    ... on Error {
      message
    }
  }
}
`,je=`# 2. Add a document to the project.
#
# A moment later its status is READY: it can be found.
# Adding the same source again makes a new version, or
# nothing at all if the text is the same.
mutation AddDocument($projectId: ID!) {
  addTextDocument(
    input: {
      projectId: $projectId
      title: "Bicycle library handbook"
      source: "handbook.md"
      text: """
      # Bicycle library handbook

      ## Borrowing

      Anyone with a library card may borrow one bicycle, for up to 14 days.
      A loan can be extended once, by 7 days.
      Cargo bicycles are lent for 3 days and cannot be extended.

      ## Deposits

      The deposit is 40 euros for a city bicycle and 120 euros for a cargo bicycle.
      It is paid back when the bicycle comes back undamaged.

      ## Repairs

      Flat tyres and worn brake pads are repaired free of charge.
      Ask the workshop before you repair anything else.
      """
    }
  ) {
    __typename
    ... on AddTextDocumentPayload {
      unchanged
      document {
        id
        title
        version
        status
      }
    }
    ... on Error {
      message
    }
  }
}
`,Me=`# 3. Open a chat session in the project.
mutation CreateChatSession($projectId: ID!, $title: String) {
  createChatSession(input: { projectId: $projectId, title: $title }) {
    __typename
    ... on CreateChatSessionPayload {
      chatSession {
        id
        title
        model
        grounding
        searchMode
        ragTopK
      }
    }
    ... on Error {
      message
    }
  }
}
`,Ne=`# 4. Ask. The answer exists at once and is still empty;
# tab 5 shows how it is written.
mutation Ask($sessionId: ID!, $question: String!) {
  sendMessage(input: { sessionId: $sessionId, content: $question }) {
    __typename
    ... on SendMessagePayload {
      question {
        id
      }
      answer {
        id
        status
      }
    }
    ... on Error {
      message
    }
  }
}
`,Pe=`# 5. Follow the answer: a subscription over a WebSocket.
#
# This page shows the last event only. \`text\` is the new
# piece, \`content\` all of the text so far.
# Running it again is safe. To resume, give the last
# \`sequence\` you have seen as \`after\`.
subscription Follow($messageId: ID!, $after: Int = 0) {
  answerEvents(messageId: $messageId, after: $after) {
    __typename
    sequence
    ... on AnswerDelta {
      text
      content
    }
    ... on CitationAdded {
      citation {
        ...Source
      }
    }
    ... on NoticeGiven {
      notice {
        code
        message
      }
    }
    ... on AnswerReplaced {
      content
      outcome
    }
    ... on AnswerCompleted {
      message {
        content
        outcome
        citations {
          ...Source
        }
        usage {
          model
          inputTokens
          outputTokens
          firstTokenMs
          totalMs
        }
      }
    }
    ... on AnswerFailed {
      failure {
        code
        message
        retryable
      }
    }
  }
}

fragment Source on Citation {
  label
  documentTitle
  quote
  support
}
`,Fe=`# 6. Preview: what would go to the model, and what was
# left out for lack of room. Nothing is asked and
# nothing is kept.
query Preview($sessionId: ID!, $question: String!) {
  previewAnswer(input: { sessionId: $sessionId, content: $question }) {
    route
    routeReason
    searchQuery
    budget {
      contextWindow
      inputTokens
      adjustedMaxTokens
      segments {
        kind
        tokens
        itemsKept
        itemsDropped
      }
      candidates {
        documentTitle
        score
        tokens
        decision
      }
    }
    messages {
      role
      tokens
      content
    }
    notices {
      code
      message
    }
  }
}
`,Ie=`# 7. Search without asking: what an answer would be
# made from.
#
# The edge tells about the match, the node is the
# passage.
query Search($projectId: ID!, $query: String!) {
  search(input: { projectId: $projectId, query: $query }, first: 5) {
    tookMs
    edges {
      rank
      score
      vectorScore
      lexicalScore
      node {
        text
        locator {
          heading
          page
        }
        document {
          id
          title
        }
      }
    }
    notices {
      code
      message
    }
  }
}
`,Z=`# 8. What is running, and which models there are.
query HealthAndModels {
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
  models {
    name
    provider
    kind
    contextWindow
    dimensions
    available
  }
}
`,Le=`{
  "name": "Bicycle library"
}
`,Re=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID"
}
`,ze=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID",
  "title": "Questions about the handbook"
}
`,Be=`{
  // chatSession.id from tab 3, put here once you run it
  "sessionId": "CHAT_SESSION_ID",
  "question": "How long may I keep a cargo bicycle, and what is the deposit?"
}
`,Ve=`{
  // answer.id from tab 4, put here once you run it
  "messageId": "ANSWER_ID"
}
`,He=`{
  // chatSession.id from tab 3, put here once you run it
  "sessionId": "CHAT_SESSION_ID",
  "question": "What does a damaged bicycle cost me?"
}
`,Ue=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID",
  "query": "who pays for a flat tyre?"
}
`,Q=Object.assign({"../operations/1-create-project.graphql":Ae,"../operations/2-add-document.graphql":je,"../operations/3-create-chat-session.graphql":Me,"../operations/4-ask.graphql":Ne,"../operations/5-follow.graphql":Pe,"../operations/6-preview.graphql":Fe,"../operations/7-search.graphql":Ie,"../operations/8-health-and-models.graphql":Z}),We=Object.assign({"../operations/1-create-project.jsonc":Le,"../operations/2-add-document.jsonc":Re,"../operations/3-create-chat-session.jsonc":ze,"../operations/4-ask.jsonc":Be,"../operations/5-follow.jsonc":Ve,"../operations/6-preview.jsonc":He,"../operations/7-search.jsonc":Ue}),$=Object.keys(Q).sort().map(e=>({query:Q[e].trimEnd(),variables:We[e.replace(/\.graphql$/,`.jsonc`)]?.trimEnd()??``}));V.getItem(`graphiql:tabState`)===null&&(V.setItem(`graphiql:query`,$[0].query),V.setItem(`graphiql:variables`,$[0].variables));function Ge(){let{tabs:e,activeTabIndex:t,variableEditor:n}=l(u(`tabs`,`activeTabIndex`,`variableEditor`)),r=e[t].id;return(0,p.useEffect)(()=>{if(!n)return;let e=n.getValue(),t=me(r,e);t!==e&&n.setValue(t)},[r,n]),null}function Ke(){return(0,K.jsxs)(K.Fragment,{children:[(0,K.jsxs)(c,{fetcher:ge,storage:V,defaultTabs:$,defaultEditorToolsVisibility:`variables`,shouldPersistHeaders:!1,children:[(0,K.jsxs)(c.Logo,{children:[(0,K.jsx)(Ce,{}),(0,K.jsxs)(`span`,{className:`footnote-logo`,children:[`Footnote`,(0,K.jsx)(`sup`,{children:`1`})]})]}),(0,K.jsx)(Ge,{}),(0,K.jsx)(we,{})]}),(0,K.jsx)(Te,{})]})}addEventListener(`hashchange`,M),M().then(()=>(0,m.createRoot)(document.getElementById(`playground`)).render((0,K.jsx)(Ke,{})));