import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{d as t,f as n,h as r,l as i,m as a,n as o,o as s,p as c,r as l,s as u,t as d,u as f}from"./packages-index-HodRjRy0.js";(function(){let e=document.createElement(`link`).relList;if(e&&e.supports&&e.supports(`modulepreload`))return;for(let e of document.querySelectorAll(`link[rel="modulepreload"]`))n(e);new MutationObserver(e=>{for(let t of e)if(t.type===`childList`)for(let e of t.addedNodes)e.tagName===`LINK`&&e.rel===`modulepreload`&&n(e)}).observe(document,{childList:!0,subtree:!0});function t(e){let t={};return e.integrity&&(t.integrity=e.integrity),e.referrerPolicy&&(t.referrerPolicy=e.referrerPolicy),t.credentials=e.crossOrigin===`use-credentials`?`include`:e.crossOrigin===`anonymous`?`omit`:`same-origin`,t}function n(e){if(e.ep)return;e.ep=!0;let n=t(e);fetch(e.href,n)}})();var p={json:a,graphql:c};globalThis.MonacoEnvironment={getWorker:(e,t)=>new(p[t]??r)};var m=e(n(),1),h=l(),g=i({namespace:`footnote-playground`}),_=`ids`,v={PROJECT_ID:e=>e.createProject?.project?.id??e.createProject?.conflicting?.id,CHAT_SESSION_ID:e=>e.createChatSession?.chatSession?.id,ANSWER_ID:e=>e.sendMessage?.answer?.id??e.regenerateAnswer?.answer?.id};function y(e){if(!e)return;let{newest:t,filled:n}=x();for(let[n,r]of Object.entries(v))t[n]=r(e)??t[n];S({newest:t,filled:n})}function b(e,t){let{newest:n,filled:r}=x(),i=r[e]??{},a={...i};for(let[e,r]of Object.entries(n))for(let n of[e,i[e]])n&&t.includes(`"${n}"`)&&(t=t.replaceAll(`"${n}"`,`"${r}"`),a[e]=r);return S({newest:n,filled:{...r,[e]:a}}),t}function x(){return JSON.parse(g.getItem(_)??`{"newest": {}, "filled": {}}`)}function S(e){g.setItem(_,JSON.stringify(e))}var C=`footnote-playground:token`;function w(){let e=new URL(location.href);for(let t of[`hash`,`search`]){let n=new URLSearchParams(e[t].slice(1).replaceAll(`+`,`%2B`)),r=n.get(`token`);r!==null&&(r?sessionStorage.setItem(C,r):sessionStorage.removeItem(C),n.delete(`token`),e[t]=n.toString())}e.href!==location.href&&history.replaceState(null,``,e)}function T(){let e=sessionStorage.getItem(C);return e&&`Bearer ${e}`}var E=`/graphql`;function D(e,{headers:t,documentAST:n}={}){let r=n&&f(n,e.operationName),i=O(t);return r?.operation===`subscription`?A(e,i):k(e,i)}function O(e={}){let t=new Headers({Accept:`application/graphql-response+json, application/json;q=0.9`,"Content-Type":`application/json`,"GraphQL-Require-Preflight":`1`}),n=T();n&&t.set(`Authorization`,n);for(let[n,r]of Object.entries(e))t.set(n,r);return t}async function k(e,t){let n;try{n=await fetch(E,{method:`POST`,headers:t,body:JSON.stringify(e)})}catch(e){return M(`The server cannot be reached: ${e.message}`)}let r=await n.text();try{let e=JSON.parse(r);return y(e.data),e}catch{return M(`The server answered ${n.status} ${n.statusText}: ${r}`)}}function A(e,t){let n=t.get(`Authorization`);return{subscribe(t){return{unsubscribe:d({url:new URL(E,location.href.replace(/^http/,`ws`)).href,connectionParams:n?{authorization:n}:void 0,retryAttempts:0}).subscribe(e,{next:e=>t.next(e),error:e=>t.error(j(e)),complete:()=>t.complete()})}}}}function j(e){return Array.isArray(e)?e:e instanceof CloseEvent?{message:`The server closed the connection: ${e.code} ${e.reason}`.trim()}:{message:e instanceof Error?e.message:`The connection could not be opened.`}}function M(e){return{errors:[{message:e}]}}var N=`# 1. Run the tabs from left to right: Ctrl-Enter, or
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
`,P=`# 2. Add a document to the project.
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
`,F=`# 3. Open a chat session in the project.
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
`,I=`# 4. Ask. The answer exists at once and is still empty;
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
`,L=`# 5. Follow the answer: a subscription over a WebSocket.
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
`,R=`# 6. Search without asking: what an answer would be
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
`,z=`# 7. What is running, and which models there are.
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
`,B=`{
  "name": "Bicycle library"
}
`,V=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID"
}
`,H=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID",
  "title": "Questions about the handbook"
}
`,U=`{
  // chatSession.id from tab 3, put here once you run it
  "sessionId": "CHAT_SESSION_ID",
  "question": "How long may I keep a cargo bicycle, and what is the deposit?"
}
`,W=`{
  // answer.id from tab 4, put here once you run it
  "messageId": "ANSWER_ID"
}
`,G=`{
  // project.id from tab 1, put here once you run it
  "projectId": "PROJECT_ID",
  "query": "who pays for a flat tyre?"
}
`,K=Object.assign({"../operations/1-create-project.graphql":N,"../operations/2-add-document.graphql":P,"../operations/3-create-chat-session.graphql":F,"../operations/4-ask.graphql":I,"../operations/5-follow.graphql":L,"../operations/6-search.graphql":R,"../operations/7-health-and-models.graphql":z}),q=Object.assign({"../operations/1-create-project.jsonc":B,"../operations/2-add-document.jsonc":V,"../operations/3-create-chat-session.jsonc":H,"../operations/4-ask.jsonc":U,"../operations/5-follow.jsonc":W,"../operations/6-search.jsonc":G}),J=Object.keys(K).sort().map(e=>({query:K[e].trimEnd(),variables:q[e.replace(/\.graphql$/,`.jsonc`)]?.trimEnd()??``})),Y=u();w(),addEventListener(`hashchange`,w),g.getItem(`graphiql:tabState`)===null&&(g.setItem(`graphiql:query`,J[0].query),g.setItem(`graphiql:variables`,J[0].variables));function X(){let{tabs:e,activeTabIndex:n,variableEditor:r}=s(t(`tabs`,`activeTabIndex`,`variableEditor`)),i=e[n].id;return(0,m.useEffect)(()=>{if(!r)return;let e=r.getValue(),t=b(i,e);t!==e&&r.setValue(t)},[i,r]),null}(0,h.createRoot)(document.getElementById(`playground`)).render((0,Y.jsxs)(o,{fetcher:D,storage:g,defaultTabs:J,defaultEditorToolsVisibility:`variables`,shouldPersistHeaders:!1,children:[(0,Y.jsx)(o.Logo,{children:(0,Y.jsxs)(`span`,{className:`footnote-logo`,children:[`Footnote`,(0,Y.jsx)(`sup`,{children:`1`})]})}),(0,Y.jsx)(X,{})]}));