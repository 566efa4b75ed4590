import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{_ as t,c as n,d as r,f as i,g as a,h as o,m as s,n as c,o as l,p as u,r as ee,s as te,t as ne,u as re}from"./packages-index-Bhvh2-9F.js";(function(){let e=document.createElement(`link`).relList;if(e&&e.supports&&e.supports(`modulepreload`))return;for(let e of document.querySelectorAll(`link[rel="modulepreload"]`))n(e);new MutationObserver(e=>{for(let t of e)if(t.type===`childList`)for(let e of t.addedNodes)e.tagName===`LINK`&&e.rel===`modulepreload`&&n(e)}).observe(document,{childList:!0,subtree:!0});function t(e){let t={};return e.integrity&&(t.integrity=e.integrity),e.referrerPolicy&&(t.referrerPolicy=e.referrerPolicy),t.credentials=e.crossOrigin===`use-credentials`?`include`:e.crossOrigin===`anonymous`?`omit`:`same-origin`,t}function n(e){if(e.ep)return;e.ep=!0;let n=t(e);fetch(e.href,n)}})();var ie={json:a,graphql:o};globalThis.MonacoEnvironment={getWorker:(e,n)=>new(ie[n]??t)};var d=e(s(),1),f=ee(),p=`/graphql`;function m(){return new Headers({Accept:`application/graphql-response+json, application/json;q=0.9`,"Content-Type":`application/json`,"GraphQL-Require-Preflight":`1`})}async function h(e,t){let n,r;try{n=await fetch(p,{method:`POST`,headers:t,body:JSON.stringify(e)}),r=await n.text()}catch(e){return{status:0,result:g(`The server cannot be reached: ${e.message}`)}}try{return{status:n.status,result:JSON.parse(r)}}catch{let{status:e,statusText:t}=n;return{status:e,result:g(`The server answered ${e} ${t}: ${r}`)}}}function g(e){return{errors:[{message:e}]}}var _=`footnote-playground:token`,v=`footnote-playground:email`;function ae(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`),n=e.get(`setup`);if(t===null&&n===null)return{changed:!1,setup:n};e.delete(`token`),e.delete(`setup`);let r=e.toString();return history.replaceState(history.state,``,location.pathname+location.search+(r&&`#${r}`)),t?y(t):t===``&&b(),{changed:t!==null,setup:n}}function y(e,t=``){sessionStorage.setItem(_,e),sessionStorage.setItem(v,t)}function b(){sessionStorage.removeItem(_),sessionStorage.removeItem(v)}function x(){return S()&&sessionStorage.getItem(v)}function S(){let e=sessionStorage.getItem(_);return e&&`Bearer ${e}`}var C=`mutation RedeemSetupToken($token: String!) { redeemSetupToken(input: { token: $token }) {
  ... on RedeemSetupTokenPayload { token user { email } } ... on Error { message } } }`,w=`mutation SignIn($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) {
  ... on SignInPayload { token user { email } } ... on Error { message } } }`,oe=`mutation SetPassword($password: String!) { changePassword(input: { newPassword: $password }) {
  ... on ChangePasswordPayload { user { email } } ... on ValidationError { message issues { path } }
  ... on Error { message } } }`,se=`mutation SignOut { signOut }`,T=`query Viewer { viewer { user { email } } }`,E={form:null,problem:``,required:!1,changes:0,email:x()},D=new Set;function O(){return(0,d.useSyncExternalStore)(k,()=>E)}function k(e){return D.add(e),()=>D.delete(e)}function A(e){E={...E,...e,email:x()};for(let e of D)e()}async function j(){let{changed:e,setup:t}=ae();if(t!==null){let{problem:e}=await I(C,{token:t},`password`);e&&A({form:`sign-in`,problem:`The link did not let you in. ${e}`})}else e&&A({form:null,problem:``,changes:E.changes+1})}async function M(e,t){let{problem:n}=await I(w,{email:e,password:t});return n}async function ce(e){let t=e.trim().replace(/^Bearer\s+/i,``);if(!/^[\x21-\x7e]+$/.test(t))return`This is no token: one has no spaces and only plain letters, digits and signs.`;let{problem:n,field:r}=await R(T,{},`Bearer ${t}`);if(n)return n;L(t,r.user.email)}async function le(e){let t=E.email,{problem:n,field:r}=await R(oe,{password:e},S());if(r?.issues?.some(({path:e})=>e.includes(`currentPassword`)))return`You have a password already. \`footnote user password ${t}\` sets another, or \`changePassword\` for who knows it.`;if(n)return n;let i=await M(t,e);i&&(b(),A({form:`sign-in`,problem:i}))}async function ue(){await R(se,{},S()),b(),location.reload()}function N(e,t){e===S()&&(b(),A({form:`sign-in`,problem:e?`You are not signed in. ${t}`:E.problem,required:!0}))}async function P(e){await R(T,{},e,N)}function de(){A({form:`sign-in`,problem:``})}function F(){A({form:null,problem:``})}async function I(e,t,n=null){let{problem:r,field:i}=await R(e,t,null);return r||L(i.token,i.user.email,n),{problem:r}}function L(e,t,n=null){y(e,t),A({form:n,problem:``,changes:E.changes+1})}async function R(e,t,n,r){let i=m();n&&i.set(`Authorization`,n);let{status:a,result:o}=await h({query:e,variables:t},i),[s]=Object.values(o.data??{}),c=o.errors?.[0]?.message??s?.message;return a===401&&r?.(n,c),{problem:c,field:s}}var z=re({namespace:`footnote-playground`}),B=`ids`,V={PROJECT_ID:e=>e.createProject?.project?.id??e.createProject?.conflicting?.id,CHAT_SESSION_ID:e=>e.createChatSession?.chatSession?.id,ANSWER_ID:e=>e.sendMessage?.answer?.id??e.regenerateAnswer?.answer?.id};function H(e){if(!e)return;let{newest:t,filled:n}=U();for(let[n,r]of Object.entries(V))t[n]=r(e)??t[n];W({newest:t,filled:n})}function fe(e,t){let{newest:n,filled:r}=U(),i=r[e]??{},a={...i};for(let[e,r]of Object.entries(n))for(let n of[e,i[e]])n&&t.includes(`"${n}"`)&&(t=t.replaceAll(`"${n}"`,`"${r}"`),a[e]=r);return W({newest:n,filled:{...r,[e]:a}}),t}function U(){return JSON.parse(z.getItem(B)??`{"newest": {}, "filled": {}}`)}function W(e){z.setItem(B,JSON.stringify(e))}var pe=4403;function me(e,{headers:t}={}){let{request:n,subscribes:r}=he(e),i=_e(t);return r?ye(n,i):ve(n,i)}function he(e){let t=ge(e.query),n=t.length===1?t[0]:void 0,r=n??t.find(({name:t})=>t?.value===e.operationName);return{request:n?{...e,operationName:n.name?.value}:e,subscribes:r?.operation===`subscription`}}function ge(e){try{return r(e).definitions.filter(({kind:e})=>e===i.OPERATION_DEFINITION)}catch{return[]}}function _e(e={}){let t=m(),n=S();n&&t.set(`Authorization`,n);for(let[n,r]of Object.entries(e))t.set(n,r);return t}async function ve(e,t){let{status:n,result:r}=await h(e,t);return n===401&&N(t.get(`Authorization`),r.errors?.[0]?.message??``),H(r.data),r}function ye(e,t){let n=t.get(`Authorization`);return{subscribe(t){return{unsubscribe:ne({url:new URL(p,location.href.replace(/^http/,`ws`)).href,connectionParams:n?{authorization:n}:void 0,retryAttempts:0}).subscribe(e,{next:e=>{G(e.errors)&&P(n),t.next(e)},error:e=>{(G(e)||e.code===pe)&&P(n),t.error(be(e))},complete:()=>t.complete()})}}}}function be(e){return Array.isArray(e)?e:e instanceof CloseEvent?{message:`The server closed the connection: ${e.code} ${e.reason}`.trim()}:{message:e instanceof Error?e.message:`The connection could not be opened.`}}function G(e){return Array.isArray(e)&&e.some(({extensions:e})=>e?.code===`UNAUTHENTICATED`)}var K=n();function xe(){let{email:e,required:t}=O();return e===null?t?(0,K.jsx)(`span`,{className:`footnote-account`,children:(0,K.jsx)(`button`,{type:`button`,className:`graphiql-button`,onClick:de,children:`Sign in`})}):null:(0,K.jsxs)(`span`,{className:`footnote-account`,children:[(0,K.jsx)(`span`,{title:e,children:e}),(0,K.jsx)(`button`,{type:`button`,className:`graphiql-button`,onClick:ue,children:`Sign out`})]})}function q(){let{changes:e}=O(),{introspect:t}=te(),{schema:n,responseEditor:r}=l(u(`schema`,`responseEditor`)),i=(0,d.useRef)(e);return(0,d.useEffect)(()=>{e!==i.current&&(i.current=e,n||r?.setValue(``),t())},[e,n,r,t]),null}function Se(){let{form:e,problem:t,email:n}=O();return e===`sign-in`?(0,K.jsx)(Ce,{problem:t}):e===`password`?(0,K.jsx)(we,{email:n}):null}function Ce({problem:e}){let t=J(({email:e,password:t})=>M(e,t)),n=J(({token:e})=>ce(e)),r=t.problem||n.problem||e,i=(e,t)=>n=>{t.clear(),e.submit(n)};return(0,K.jsxs)(Y,{title:`Sign in`,problem:r,children:[(0,K.jsxs)(`form`,{onSubmit:i(t,n),children:[(0,K.jsx)(X,{label:`E-mail address`,name:`email`,autoComplete:`username`,inputMode:`email`}),(0,K.jsx)(X,{label:`Password`,name:`password`,type:`password`,autoComplete:`current-password`}),(0,K.jsx)(Z,{busy:t.busy,action:`Sign in`})]}),(0,K.jsx)(`p`,{className:`footnote-or`,children:`or`}),(0,K.jsxs)(`form`,{onSubmit:i(n,t),children:[(0,K.jsxs)(X,{label:`Access token`,name:`token`,type:`password`,autoComplete:`off`,children:[`The operator makes one with `,(0,K.jsx)(`code`,{children:`footnote token create EMAIL --label LABEL`}),`, and with`,` `,(0,K.jsx)(`code`,{children:`footnote user link EMAIL`}),` a link that lets you in once.`]}),(0,K.jsx)(Z,{busy:n.busy,action:`Use token`,second:!0,later:`Not now`})]})]})}function we({email:e}){let{problem:t,busy:n,submit:r}=J(({password:e})=>le(e));return(0,K.jsxs)(Y,{title:`Set a password`,problem:t,children:[(0,K.jsxs)(`p`,{children:[`You are signed in as `,(0,K.jsx)(`strong`,{children:e}),`. The link is used up now: with a password you can come again.`]}),(0,K.jsxs)(`form`,{onSubmit:r,children:[(0,K.jsx)(`input`,{hidden:!0,readOnly:!0,name:`email`,autoComplete:`username`,value:e}),(0,K.jsx)(X,{label:`New password`,name:`password`,type:`password`,autoComplete:`new-password`,minLength:8,children:`At least 8 characters, no other rule.`}),(0,K.jsx)(Z,{busy:n,action:`Set password`,later:`Later`})]})]})}function J(e){let[t,n]=(0,d.useState)(``),[r,i]=(0,d.useState)(!1);return{problem:t,busy:r,submit:async t=>{t.preventDefault(),r||(i(!0),n(``),n(await e(Object.fromEntries(new FormData(t.currentTarget)))??``),i(!1))},clear:()=>n(``)}}function Y({title:e,problem:t,children:n}){let r=(0,d.useRef)(null),i=(0,d.useId)();return(0,d.useEffect)(()=>{let e=document.activeElement;return r.current.showModal(),()=>e?.focus()},[]),(0,K.jsxs)(`dialog`,{ref:r,className:`graphiql-dialog footnote-dialog`,"aria-labelledby":i,onClose:F,children:[(0,K.jsx)(`h1`,{id:i,children:e}),t&&(0,K.jsx)(`p`,{role:`alert`,children:Te(t)}),n]})}function X({label:e,children:t,...n}){let r=(0,d.useId)(),i=t&&`${r}-hint`;return(0,K.jsxs)(`div`,{className:`footnote-field`,children:[(0,K.jsx)(`label`,{htmlFor:r,children:e}),(0,K.jsx)(`input`,{id:r,type:`text`,required:!0,spellCheck:!1,autoCapitalize:`none`,"aria-describedby":i,...n}),t&&(0,K.jsx)(`small`,{id:i,children:t})]})}function Z({busy:e,action:t,second:n,later:r}){return(0,K.jsxs)(`div`,{className:`footnote-buttons`,children:[(0,K.jsx)(`button`,{type:`submit`,className:`graphiql-button ${n?``:`footnote-first`}`,"aria-busy":e,children:t}),r&&(0,K.jsx)(`button`,{type:`button`,className:`graphiql-button`,onClick:F,children:r})]})}function Te(e){return e.split("`").map((e,t)=>t%2?(0,K.jsx)(`code`,{children:e},t):e)}var Ee=`# 1. Run the tabs from left to right: Ctrl-Enter, or
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
`,De=`# 2. Add a document to the project.
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
`,Oe=`# 3. Open a chat session in the project.
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
`,ke=`# 4. Ask. The answer exists at once and is still empty;
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
`,Ae=`# 5. Follow the answer: a subscription over a WebSocket.
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
`,je=`# 6. Preview: what would go to the model, and what was
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
`,Me=`# 7. Search without asking: what an answer would be
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
`,Ne=`# 8. What is running, and which models there are.
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
`,Pe=`{
  "name": "Bicycle library"
}
`,Fe=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID"
}
`,Ie=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID",
  "title": "Questions about the handbook"
}
`,Le=`{
  // chatSession.id from tab 3, put here once you run it
  "sessionId": "CHAT_SESSION_ID",
  "question": "How long may I keep a cargo bicycle, and what is the deposit?"
}
`,Re=`{
  // answer.id from tab 4, put here once you run it
  "messageId": "ANSWER_ID"
}
`,ze=`{
  // chatSession.id from tab 3, put here once you run it
  "sessionId": "CHAT_SESSION_ID",
  "question": "What does a damaged bicycle cost me?"
}
`,Be=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID",
  "query": "who pays for a flat tyre?"
}
`,Q=Object.assign({"../operations/1-create-project.graphql":Ee,"../operations/2-add-document.graphql":De,"../operations/3-create-chat-session.graphql":Oe,"../operations/4-ask.graphql":ke,"../operations/5-follow.graphql":Ae,"../operations/6-preview.graphql":je,"../operations/7-search.graphql":Me,"../operations/8-health-and-models.graphql":Ne}),Ve=Object.assign({"../operations/1-create-project.jsonc":Pe,"../operations/2-add-document.jsonc":Fe,"../operations/3-create-chat-session.jsonc":Ie,"../operations/4-ask.jsonc":Le,"../operations/5-follow.jsonc":Re,"../operations/6-preview.jsonc":ze,"../operations/7-search.jsonc":Be}),$=Object.keys(Q).sort().map(e=>({query:Q[e].trimEnd(),variables:Ve[e.replace(/\.graphql$/,`.jsonc`)]?.trimEnd()??``}));z.getItem(`graphiql:tabState`)===null&&(z.setItem(`graphiql:query`,$[0].query),z.setItem(`graphiql:variables`,$[0].variables));function He(){let{tabs:e,activeTabIndex:t,variableEditor:n}=l(u(`tabs`,`activeTabIndex`,`variableEditor`)),r=e[t].id;return(0,d.useEffect)(()=>{if(!n)return;let e=n.getValue(),t=fe(r,e);t!==e&&n.setValue(t)},[r,n]),null}function Ue(){return(0,K.jsxs)(K.Fragment,{children:[(0,K.jsxs)(c,{fetcher:me,storage:z,defaultTabs:$,defaultEditorToolsVisibility:`variables`,shouldPersistHeaders:!1,children:[(0,K.jsxs)(c.Logo,{children:[(0,K.jsx)(xe,{}),(0,K.jsxs)(`span`,{className:`footnote-logo`,children:[`Footnote`,(0,K.jsx)(`sup`,{children:`1`})]})]}),(0,K.jsx)(He,{}),(0,K.jsx)(q,{})]}),(0,K.jsx)(Se,{})]})}addEventListener(`hashchange`,j),j().then(()=>(0,f.createRoot)(document.getElementById(`playground`)).render((0,K.jsx)(Ue,{})));