/** The normalized cache: objects are stored by their global ids, values without an id inside their parent. */
import type { Exchange } from "@urql/core";
import { type Cache, cacheExchange } from "@urql/exchange-graphcache";

import interfaces from "./generated/possible-types";

export function cache(): Exchange {
  return cacheExchange({
    globalIDs: true,
    possibleTypes: interfaces.possibleTypes,
    logger: () => undefined, // otherwise it warns about every value without an id
    updates: {
      Mutation: {
        createProject: (_result, _args, store) => forgetField(store, "Query", "projects"),
        deleteProject: (_result, _args, store) => forgetField(store, "Query", "projects"),
      },
    },
  });
}

/** The next read of this field asks the server. */
function forgetField(store: Cache, entity: string, field: string): void {
  for (const { fieldName, fieldKey } of store.inspectFields(entity)) {
    if (fieldName === field) store.invalidate(entity, fieldKey);
  }
}
