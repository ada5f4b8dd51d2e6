import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the model does in one turn. `'$session'` as an argument becomes the session id that the tools have named last. */
export type ModelStep = ToolStep | { readonly message: string };

interface ToolStep {
  readonly call: string;
  readonly args: Record<string, unknown>;
  /** Of a tool that is not codex's own. */
  readonly namespace?: string;
}

export interface ScriptedModel {
  readonly url: string;
  /** What the tools have replied, in order. */
  readonly toolReplies: () => readonly string[];
  /** All that it was last asked with, as text. */
  readonly lastPrompt: () => string;
}

interface InputItem {
  readonly type: string;
  readonly output?: unknown;
}

/** A model behind the Responses API on loopback that does one step of a script for each request. */
export async function startScriptedModel(
  steps: readonly ModelStep[],
  onReplies: (replies: readonly string[]) => unknown = () => undefined,
): Promise<ScriptedModel> {
  let turn = 0;
  let replies: readonly string[] = [];
  let prompt = '';
  const respond = async (body: string, response: ServerResponse): Promise<void> => {
    const { input } = JSON.parse(body) as { input: InputItem[] };
    prompt = textsOf(input).join('\n');
    replies = input
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output)));
    await onReplies(replies);
    const sessionId = [...replies.join('\n').matchAll(/session ID (\d+)/g)].at(-1)?.[1] ?? '0';
    const step = steps[Math.min(turn++, steps.length - 1)]!;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer(step, turn, sessionId));
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST' && request.url?.endsWith('/responses') === true) {
        void respond(Buffer.concat(chunks).toString('utf8'), response);
      } else {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"models":[],"data":[]}');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    toolReplies: () => replies,
    lastPrompt: () => prompt,
  };
}

/** Every string in it, wherever it stands. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function answer(step: ModelStep, turn: number, sessionId: string): string {
  const id = `resp_${String(turn)}`;
  const item =
    'call' in step
      ? {
          type: 'function_call',
          id: `fc_${String(turn)}`,
          call_id: `call_${String(turn)}`,
          name: step.call,
          ...(step.namespace !== undefined && { namespace: step.namespace }),
          arguments: JSON.stringify(step.args).replaceAll('"$session"', sessionId),
        }
      : {
          type: 'message',
          id: `msg_${String(turn)}`,
          role: 'assistant',
          content: [{ type: 'output_text', text: step.message }],
        };
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  };
  const events = [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, usage } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
