import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{d as t,f as n,g as r,h as i,l as a,m as o,n as s,o as c,p as l,r as u,s as d,t as f,u as p}from"./packages-index-BdkIEdKX.js";(function(){let e=document.createElement(`link`).relList;if(e&&e.supports&&e.supports(`modulepreload`))return;for(let e of document.querySelectorAll(`link[rel="modulepreload"]`))n(e);new MutationObserver(e=>{for(let t of e)if(t.type===`childList`)for(let e of t.addedNodes)e.tagName===`LINK`&&e.rel===`modulepreload`&&n(e)}).observe(document,{childList:!0,subtree:!0});function t(e){let t={};return e.integrity&&(t.integrity=e.integrity),e.referrerPolicy&&(t.referrerPolicy=e.referrerPolicy),t.credentials=e.crossOrigin===`use-credentials`?`include`:e.crossOrigin===`anonymous`?`omit`:`same-origin`,t}function n(e){if(e.ep)return;e.ep=!0;let n=t(e);fetch(e.href,n)}})();var ee={json:i,graphql:o};globalThis.MonacoEnvironment={getWorker:(e,t)=>new(ee[t]??r)};var m=e(l(),1),h=u(),g=a({namespace:`footnote-playground`}),_=`ids`,v={PROJECT_ID:e=>e.createProject?.project?.id??e.createProject?.conflicting?.id,CHAT_SESSION_ID:e=>e.createChatSession?.chatSession?.id,ANSWER_ID:e=>e.sendMessage?.answer?.id??e.regenerateAnswer?.answer?.id};function y(e){if(!e)return;let{newest:t,filled:n}=x();for(let[n,r]of Object.entries(v))t[n]=r(e)??t[n];S({newest:t,filled:n})}function b(e,t){let{newest:n,filled:r}=x(),i=r[e]??{},a={...i};for(let[e,r]of Object.entries(n))for(let n of[e,i[e]])n&&t.includes(`"${n}"`)&&(t=t.replaceAll(`"${n}"`,`"${r}"`),a[e]=r);return S({newest:n,filled:{...r,[e]:a}}),t}function x(){return JSON.parse(g.getItem(_)??`{"newest": {}, "filled": {}}`)}function S(e){g.setItem(_,JSON.stringify(e))}var C=`footnote-playground:token`;function w(){let e=new URLSearchParams(location.hash.slice(1).replaceAll(`+`,`%2B`)),t=e.get(`token`);if(t===null)return;t?sessionStorage.setItem(C,t):sessionStorage.removeItem(C),e.delete(`token`);let n=e.toString();history.replaceState(history.state,``,location.pathname+location.search+(n&&`#${n}`))}function T(){let e=sessionStorage.getItem(C);return e&&`Bearer ${e}`}var E=`/graphql`;function D(e,{headers:t}={}){let{request:n,subscribes:r}=O(e),i=A(t);return r?M(n,i):j(n,i)}function O(e){let t=k(e.query),n=t.length===1?t[0]:void 0,r=n??t.find(({name:t})=>t?.value===e.operationName);return{request:n?{...e,operationName:n.name?.value}:e,subscribes:r?.operation===`subscription`}}function k(e){try{return p(e).definitions.filter(({kind:e})=>e===t.OPERATION_DEFINITION)}catch{return[]}}function A(e={}){let t=new Headers({Accept:`application/graphql-response+json, application/json;q=0.9`,"Content-Type":`application/json`,"GraphQL-Require-Preflight":`1`}),n=T();n&&t.set(`Authorization`,n);for(let[n,r]of Object.entries(e))t.set(n,r);return t}async function j(e,t){let n;try{n=await fetch(E,{method:`POST`,headers:t,body:JSON.stringify(e)})}catch(e){return P(`The server cannot be reached: ${e.message}`)}let r=await n.text();try{let e=JSON.parse(r);return y(e.data),e}catch{return P(`The server answered ${n.status} ${n.statusText}: ${r}`)}}function M(e,t){let n=t.get(`Authorization`);return{subscribe(t){return{unsubscribe:f({url:new URL(E,location.href.replace(/^http/,`ws`)).href,connectionParams:n?{authorization:n}:void 0,retryAttempts:0}).subscribe(e,{next:e=>t.next(e),error:e=>t.error(N(e)),complete:()=>t.complete()})}}}}function N(e){return Array.isArray(e)?e:e instanceof CloseEvent?{message:`The server closed the connection: ${e.code} ${e.reason}`.trim()}:{message:e instanceof Error?e.message:`The connection could not be opened.`}}function P(e){return{errors:[{message:e}]}}var F=`# 1. Run the tabs from left to right: Ctrl-Enter, or
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
`,I=`# 2. Add a document to the project.
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
`,L=`# 3. Open a chat session in the project.
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
`,R=`# 4. Ask. The answer exists at once and is still empty;
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
`,z=`# 5. Follow the answer: a subscription over a WebSocket.
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
`,B=`# 6. Preview: what would go to the model, and what was
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
`,V=`# 7. Search without asking: what an answer would be
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
`,H=`# 8. What is running, and which models there are.
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
`,U=`{
  "name": "Bicycle library"
}
`,W=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID"
}
`,G=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID",
  "title": "Questions about the handbook"
}
`,K=`{
  // chatSession.id from tab 3, put here once you run it
  "sessionId": "CHAT_SESSION_ID",
  "question": "How long may I keep a cargo bicycle, and what is the deposit?"
}
`,q=`{
  // answer.id from tab 4, put here once you run it
  "messageId": "ANSWER_ID"
}
`,J=`{
  // chatSession.id from tab 3, put here once you run it
  "sessionId": "CHAT_SESSION_ID",
  "question": "What does a damaged bicycle cost me?"
}
`,Y=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID",
  "query": "who pays for a flat tyre?"
}
`,X=Object.assign({"../operations/1-create-project.graphql":F,"../operations/2-add-document.graphql":I,"../operations/3-create-chat-session.graphql":L,"../operations/4-ask.graphql":R,"../operations/5-follow.graphql":z,"../operations/6-preview.graphql":B,"../operations/7-search.graphql":V,"../operations/8-health-and-models.graphql":H}),Z=Object.assign({"../operations/1-create-project.jsonc":U,"../operations/2-add-document.jsonc":W,"../operations/3-create-chat-session.jsonc":G,"../operations/4-ask.jsonc":K,"../operations/5-follow.jsonc":q,"../operations/6-preview.jsonc":J,"../operations/7-search.jsonc":Y}),Q=Object.keys(X).sort().map(e=>({query:X[e].trimEnd(),variables:Z[e.replace(/\.graphql$/,`.jsonc`)]?.trimEnd()??``})),$=d();w(),addEventListener(`hashchange`,w),g.getItem(`graphiql:tabState`)===null&&(g.setItem(`graphiql:query`,Q[0].query),g.setItem(`graphiql:variables`,Q[0].variables));function te(){let{tabs:e,activeTabIndex:t,variableEditor:r}=c(n(`tabs`,`activeTabIndex`,`variableEditor`)),i=e[t].id;return(0,m.useEffect)(()=>{if(!r)return;let e=r.getValue(),t=b(i,e);t!==e&&r.setValue(t)},[i,r]),null}(0,h.createRoot)(document.getElementById(`playground`)).render((0,$.jsxs)(s,{fetcher:D,storage:g,defaultTabs:Q,defaultEditorToolsVisibility:`variables`,shouldPersistHeaders:!1,children:[(0,$.jsx)(s.Logo,{children:(0,$.jsxs)(`span`,{className:`footnote-logo`,children:[`Footnote`,(0,$.jsx)(`sup`,{children:`1`})]})}),(0,$.jsx)(te,{})]}));