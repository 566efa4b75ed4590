// Apollo Client: requests and uploads by HTTP; subscriptions over a socket, or (`multipart`) as parts of one response.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from "@apollo/client/core";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import UploadHttpLink from "apollo-upload-client/UploadHttpLink.mjs";

import { errorsOf, given, http, play } from "./scenario.mjs";
import { socket } from "./sockets.mjs";

const headers = { "Apollo-Require-Preflight": "true" };
const client = apollo(new UploadHttpLink({ uri: http, headers }));

function apollo(link) {
  const defaults = { fetchPolicy: "no-cache", errorPolicy: "all" };
  return new ApolloClient({
    link,
    cache: new InMemoryCache(),
    defaultOptions: { query: defaults, mutate: defaults },
  });
}

const plain = ({ data, error }) => ({ data, errors: error && errorsOf(error) });
const request = async (query, variables) => {
  const document = gql(query);
  const mutates = document.definitions[0].operation === "mutation";
  return plain(
    await (mutates ? client.mutate({ mutation: document, variables }) : client.query({ query: document, variables })),
  );
};

play({
  request,
  upload: request,
  subscribe: (query, variables, sink) => {
    const sockets = given.over === "sockets" ? socket() : undefined;
    const link = sockets ? new GraphQLWsLink(sockets) : new HttpLink({ uri: http, headers });
    const subscribed = apollo(ApolloLink.from([link]))
      .subscribe({ query: gql(query), variables, fetchPolicy: "no-cache", errorPolicy: "all" })
      .subscribe({ next: (result) => sink.next(plain(result)), error: sink.error, complete: sink.complete });
    return () => {
      subscribed.unsubscribe();
      sockets?.terminate();
    };
  },
});
