// Generates types and documents for the operations in src/lib/api/operations from the server's exported schema.
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
    // The types behind each interface: without them, the cache would leave out fields of `... on Error`.
    "src/lib/api/generated/possible-types.ts": { plugins: ["fragment-matcher"] },
  },
};

export default config;
