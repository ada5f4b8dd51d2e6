import type { CallToolResult, TextContent } from '@modelcontextprotocol/sdk/types.js';

/** Where a failed result says of which kind the failure is, for programs; the text is for models. */
const ERROR_KIND_KEY = 'exec-sessions/errorKind';

/**
 * The result of a call that could not be done. Without structured content: hosts check that against the output schema even
 * here, and some show it to the model in place of the text.
 */
export function errorResult(kind: string, message: string): CallToolResult {
  return { content: [textBlock(message)], isError: true, _meta: { [ERROR_KIND_KEY]: kind } };
}

/** Blocks without text are left out: several model APIs refuse a whole conversation that contains one. */
export function textBlocks(...texts: readonly string[]): TextContent[] {
  return texts.filter((text) => text !== '').map(textBlock);
}

function textBlock(text: string): TextContent {
  return { type: 'text', text };
}
