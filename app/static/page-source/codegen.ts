// Types and documents of the operations in src/lib/api/operations, from the schema that the server exports.
import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "../../../schema.graphql",
  documents: "src/lib/api/operations/*.graphql",
  generates: {
    "src/lib/api/generated/operations.ts": {
      plugins: ["typescript-operations", "typed-document-node"],
      config: {
        documentMode: "string",
        enumsAsTypes: true,
        useTypeImports: true,
        scalars: {
          ID: "string",
          DateTime: "string",
          JSON: "Record<string, unknown>",
          Upload: "File",
        },
        strictScalars: true,
        nonOptionalTypename: true,
        skipTypeNameForRoot: true,
        dedupeFragments: true,
        defaultScalarType: "never",
      },
    },
    // Which types an interface stands for: the cache cannot know, and would leave out fields of `... on Error`.
    "src/lib/api/generated/possible-types.ts": { plugins: ["fragment-matcher"] },
  },
};

export default config;
