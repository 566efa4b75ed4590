// Arguments as JSON in; what the AI SDK makes of Footnote's answer, as JSON, out.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, streamText, tool } from "ai";

globalThis.AI_SDK_LOG_WARNINGS = false;
const { baseURL, model, prompt, fields = {}, streams, withTool, settings = {} } = JSON.parse(process.argv[2]);

const ours = ({ source_nodes, citations }) => ({ footnote: { source_nodes, citations } });
const provider = createOpenAICompatible({
  name: "footnote",
  baseURL,
  apiKey: "none",
  includeUsage: true,
  metadataExtractor: {
    extractMetadata: async ({ parsedBody }) => ours(parsedBody),
    createStreamExtractor: () => {
      let last = {};
      return {
        processChunk: (chunk) => {
          if (chunk?.source_nodes) last = chunk;
        },
        buildMetadata: () => ours(last),
      };
    },
  },
});

const request = {
  model: provider(model),
  prompt,
  maxRetries: 0,
  providerOptions: { footnote: fields },
  ...settings,
  ...(withTool && {
    tools: {
      get_weather: tool({
        description: "The weather in a city",
        inputSchema: jsonSchema({ type: "object", properties: { city: { type: "string" } }, required: ["city"] }),
      }),
    },
  }),
};

const told = async (result) => ({
  text: await result.text,
  toolCalls: (await result.toolCalls).map(({ toolName, input }) => ({ toolName, input })),
  finishReason: await result.finishReason,
  inputTokens: (await result.usage).inputTokens,
  outputTokens: (await result.usage).outputTokens,
  footnote: (await result.providerMetadata)?.footnote ?? null,
  route: (await result.response).headers["x-footnote-route"],
});

const failed = (error) => ({
  error: { name: error.name, status: error.statusCode ?? null, message: error.message, data: error.data ?? null },
});

async function streamed() {
  const parts = [];
  const result = streamText({ ...request, onError: () => {} });
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") parts.push(part.text);
    if (part.type === "error") return { parts, ...failed(part.error) };
  }
  return { parts, ...(await told(result)) };
}

const answer = streams ? streamed() : generateText(request).then(told);
console.log(JSON.stringify(await answer.catch(failed)));
