import type { CallToolResult, Tool as ToolDefinition, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { SessionManager } from '../session/sessionManager';
import type { SessionRequest } from '../session/sessionRequest';
import { describeBadArguments } from './badArguments';
import type { ClientView } from './clientView';
import { jsonSchemaOf } from './jsonSchema';
import type { ProjectDocsOffer } from './projectDocs';
import type { Redaction } from './redaction';
import { errorResult } from './toolResult';

/** Where sessions of a client start, and with which shell, unless they say otherwise; asked anew each time. */
export interface SessionDefaults {
  /** Absolute. */
  readonly defaultCwd: string;
  readonly defaultShell: string;
}

/** What a tool works on: the sessions that all clients share, and what this client has seen of them. */
export interface ToolContext {
  readonly manager: SessionManager;
  readonly defaults: SessionDefaults;
  readonly view: ClientView;
  /** In milliseconds. */
  readonly maxYieldMs: number;
  readonly redaction: Redaction;
  readonly docs: Pick<ProjectDocsOffer, 'hint'>;
  /** Who this client is, for the sessions that it starts. */
  readonly origin: () => Pick<SessionRequest, 'startedBy' | 'client'>;
}

/** One call under way. */
export interface ToolCall {
  /** Aborted when the client takes the call back or goes away. Nothing that was started ends by it. */
  readonly signal: AbortSignal;
  /** `undefined` when the client did not ask to be told how far the call is. */
  readonly reportProgress: ((progress: number, message: string) => void) | undefined;
}

export interface Tool {
  readonly name: string;
  /** Other names under which calls are accepted. */
  readonly aliases: readonly string[];
  definition(context: ToolContext): ToolDefinition;
  call(rawArguments: unknown, call: ToolCall, context: ToolContext): Promise<CallToolResult>;
}

export interface ToolSpec<Input extends z.ZodObject> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly annotations: ToolAnnotations;
  readonly output: z.ZodObject;
  /** A strict object: a parameter that it does not name is refused. */
  readonly input: (context: ToolContext) => Input;
  /** Parameters that there is no use for now: accepted, but not listed. Asked anew each time. */
  readonly unlisted?: (context: ToolContext) => readonly string[];
  readonly description: (context: ToolContext) => string;
  readonly run: (input: z.output<Input>, call: ToolCall, context: ToolContext) => Promise<CallToolResult>;
}

export function createTool<Input extends z.ZodObject>(spec: ToolSpec<Input>): Tool {
  // Descriptions name the defaults of the moment, parsing does not: it need not build the schema for every call.
  const parsers = new WeakMap<ToolContext, Input>();
  const parserFor = (context: ToolContext): Input => {
    const parser = parsers.get(context) ?? spec.input(context);
    parsers.set(context, parser);
    return parser;
  };
  const listed = (schema: Input, context: ToolContext): z.ZodRawShape => {
    const unlisted = spec.unlisted?.(context) ?? [];
    return Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !unlisted.includes(name)));
  };
  return {
    name: spec.name,
    aliases: spec.aliases ?? [],
    definition: (context) => ({
      name: spec.name,
      title: spec.title,
      description: spec.description(context),
      inputSchema: jsonSchemaOf(z.strictObject(listed(spec.input(context), context)), 'input'),
      outputSchema: jsonSchemaOf(spec.output, 'output'),
      annotations: { title: spec.title, ...spec.annotations },
    }),
    call: async (rawArguments, call, context) => {
      const schema = parserFor(context);
      const parsed = schema.safeParse(rawArguments ?? {}, { reportInput: true });
      if (parsed.success) return spec.run(parsed.data, call, context);
      const parameters = Object.keys(listed(schema, context));
      return errorResult(
        'badArguments',
        describeBadArguments({ tool: spec.name, parameters, error: parsed.error, sessions: context }),
      );
    },
  };
}
