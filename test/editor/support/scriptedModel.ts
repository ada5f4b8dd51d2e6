import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Frame the tool result in the answer, so that a test finds it whatever the chat draws around it. */
export const RESULT_START = 'TOOL RESULT >>>';
export const RESULT_END = '<<<';

/** `CALL <end of a tool name> <JSON object>` on the last lines of a message; the object ends the message. */
const CALL_PATTERN = /\bCALL (\S+) (\{[^]*\})/;
/** Answers are streamed in pieces of this many characters, as models do it. */
const PIECE_CHARS = 40;

/** What a model was asked, reduced to what tests look at. */
export interface ModelRequest {
  /** Names of the tools that were offered. */
  readonly tools: readonly string[];
  /** The text of the last message: the user's words or a tool result. */
  readonly lastText: string;
  /** The text of all messages. */
  readonly wholeText: string;
}

/** A text to say, or a tool to call, by the end of its name. */
export type PlannedStep = { readonly text: string } | { readonly tool: string; readonly input: object };

export interface ScriptedModel {
  /** All requests so far, in order. The exact result of a tool is here; the chat draws it as Markdown. */
  readonly requests: readonly ModelRequest[];
  /** The entry of `chatLanguageModels.json` that makes it a model of the chat. */
  readonly chatModel: object;
  readonly name: string;
  /** What the model does next, in this order and whatever it is told, before it goes back to its rules. */
  plan(...steps: readonly PlannedStep[]): void;
  close(): Promise<void>;
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

interface CompletionRequest {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

type Answer = { readonly text: string } | { readonly toolName: string; readonly argumentsJson: string };

/**
 * A model without intelligence behind the OpenAI chat completions protocol, on loopback. A user message with
 * `CALL write_stdin {"session_id": 1}` makes it call the tool whose name ends so; the result of a tool is its next answer,
 * between `RESULT_START` and `RESULT_END`; anything else gets a fixed sentence.
 */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const name = 'Scripted Model';
  const requests: ModelRequest[] = [];
  const planned: PlannedStep[] = [];
  const server = http.createServer((request, response) => {
    void readJson(request).then(
      (body: CompletionRequest) => {
        const texts = (body.messages ?? []).map(({ content }) => textOf(content));
        requests.push({ tools: toolNames(body), lastText: texts.at(-1) ?? '', wholeText: texts.join('\n') });
        const id = `scripted-${requests.length}`;
        const answer = answerTo(body, planned);
        if (body.stream === true) streamAnswer(response, id, answer);
        else sendAnswer(response, id, answer);
      },
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const model = {
    id: 'scripted',
    name,
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    toolCalling: true,
    vision: false,
    maxInputTokens: 100_000,
    maxOutputTokens: 8_000,
  };
  return {
    name,
    requests,
    plan: (...steps) => planned.push(...steps),
    chatModel: { vendor: 'customendpoint', name: 'Scripted', apiKey: 'none', apiType: 'chat-completions', models: [model] },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerTo(body: CompletionRequest, planned: PlannedStep[]): Answer {
  const names = toolNames(body);
  // Requests without tools are the chat's own, such as the one for a title of the conversation.
  const step = names.length === 0 ? undefined : planned.shift();
  if (step !== undefined) return 'text' in step ? step : callOf(step.tool, JSON.stringify(step.input), names);
  const messages = body.messages ?? [];
  const last = messages.at(-1);
  if (last?.role === 'tool') return { text: `${RESULT_START}${textOf(last.content)}${RESULT_END}` };
  const call = CALL_PATTERN.exec(textOf(messages.findLast((message) => message.role === 'user')?.content));
  if (call === null || names.length === 0) return { text: 'Scripted answer.' };
  return callOf(call[1]!, firstJsonObject(call[2]!), names);
}

function callOf(wanted: string, argumentsJson: string, names: readonly string[]): Answer {
  const toolName = names.find((name) => name === wanted) ?? names.find((name) => name.endsWith(wanted));
  if (toolName === undefined) return { text: `No tool is named ${wanted}. There are: ${names.join(', ')}` };
  return { toolName, argumentsJson };
}

function toolNames(body: CompletionRequest): string[] {
  return (body.tools ?? []).map((tool) => tool.function.name);
}

/** The chat may append its own words to the user's: the object ends where it first parses. */
function firstJsonObject(text: string): string {
  for (let end = text.indexOf('}') + 1; end > 0; end = text.indexOf('}', end) + 1) {
    const candidate = text.slice(0, end);
    try {
      JSON.parse(candidate);
      return candidate;
    } catch {
      // This brace belongs to an inner object or a string: go on to the next.
    }
  }
  return text;
}

/** A message's content is a string or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}

function toolCallOf(id: string, answer: { toolName: string; argumentsJson: string }): object {
  return {
    index: 0,
    id: `call-${id}`,
    type: 'function',
    function: { name: answer.toolName, arguments: answer.argumentsJson },
  };
}

function sendAnswer(response: http.ServerResponse, id: string, answer: Answer): void {
  const isCall = 'toolName' in answer;
  const message = isCall ? { content: null, tool_calls: [toolCallOf(id, answer)] } : { content: answer.text };
  const choice = { index: 0, finish_reason: isCall ? 'tool_calls' : 'stop', message: { role: 'assistant', ...message } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id, object: 'chat.completion', model: 'scripted', choices: [choice], usage: USAGE }));
}

function streamAnswer(response: http.ServerResponse, id: string, answer: Answer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (body: object): void => {
    response.write(`data: ${JSON.stringify({ id, object: 'chat.completion.chunk', model: 'scripted', ...body })}\n\n`);
  };
  const sendDelta = (delta: object, finishReason: string | null = null): void => {
    send({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
  };
  sendDelta({ role: 'assistant', content: '' });
  if ('toolName' in answer) {
    sendDelta({ tool_calls: [toolCallOf(id, answer)] });
    sendDelta({}, 'tool_calls');
  } else {
    for (let start = 0; start < answer.text.length; start += PIECE_CHARS) {
      sendDelta({ content: answer.text.slice(start, start + PIECE_CHARS) });
    }
    sendDelta({}, 'stop');
  }
  send({ choices: [], usage: USAGE });
  response.end('data: [DONE]\n\n');
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

async function readJson(request: http.IncomingMessage): Promise<CompletionRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as CompletionRequest;
}
