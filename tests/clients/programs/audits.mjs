// In: the server's address. Out: every audit of GraphQL over HTTP with what it found.
import { auditServer } from "graphql-http";

const { url } = JSON.parse(process.argv[2]);
const results = await auditServer({ url: `${url}/graphql` });
console.log(JSON.stringify(results.map(({ id, name, status, reason }) => ({ id, name, status, reason }))));
