import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { EXEC_YIELD_MS, DEFAULT_MAX_OUTPUT_TOKENS, MAX_YIELD_MS, POLL_YIELD_MS, WRITE_YIELD_MS } from '../../src/mcp/limits';
import { TERMINATE_GRACE_MS } from '../../src/session/session';
import { createManager } from '../support/startSession';
import { startClient } from '../support/startClient';
import manifest from '../../package.json';

interface Parameter {
  readonly type?: string;
  readonly default?: unknown;
  readonly description?: string;
}

function parametersOf(tool: Tool): Record<string, Parameter> {
  return tool.inputSchema.properties ?? {};
}

async function listTools(options = {}): Promise<Tool[]> {
  const { client } = await startClient(createManager(options));
  return (await client.listTools()).tools;
}

async function toolNamed(name: string, options = {}): Promise<Tool> {
  const tool = (await listTools(options)).find((other) => other.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

describe('the list of tools', () => {
  it('names the tools, each with a title, annotations and an output schema', async () => {
    const tools = await listTools();

    expect(tools.map(({ name, annotations }) => ({ name, ...annotations, title: undefined }))).toEqual([
      { name: 'exec_command', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      { name: 'write_stdin', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      { name: 'read_output', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { name: 'list_sessions', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { name: 'terminate_session', readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      { name: 'resize_session', readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ]);
    expect(tools.filter(({ title, outputSchema }) => title === undefined || outputSchema?.type !== 'object')).toEqual([]);
  });

  it('gives every parameter with its default, and no other parameter', async () => {
    const tools = await listTools();

    const parameters = tools.map((tool) => [
      tool.name,
      Object.entries(parametersOf(tool)).map(([name, parameter]) => [name, parameter.type, parameter.default]),
      tool.inputSchema.required,
      tool.inputSchema['additionalProperties'],
    ]);

    expect(parameters).toEqual([
      [
        'exec_command',
        [
          ['cmd', 'string', undefined],
          ['yield_time_ms', 'integer', 10_000],
          ['max_output_tokens', 'integer', 10_000],
          ['shell', 'string', undefined],
          ['login', 'boolean', true],
          ['workdir', 'string', undefined],
          ['env', 'object', undefined],
          ['tty', 'boolean', true],
          ['cols', 'integer', 80],
          ['rows', 'integer', 24],
          ['stdin', 'string', undefined],
          ['wait_for', 'string', undefined],
          ['title', 'string', undefined],
        ],
        ['cmd'],
        false,
      ],
      [
        'write_stdin',
        [
          ['session_id', 'integer', undefined],
          ['chars', 'string', undefined],
          ['yield_time_ms', 'integer', undefined],
          ['max_output_tokens', 'integer', 10_000],
          ['wait_for', 'string', undefined],
        ],
        ['session_id', 'chars'],
        false,
      ],
      [
        'read_output',
        [
          ['session_id', 'integer', undefined],
          ['start_line', 'integer', undefined],
          ['end_line', 'integer', undefined],
          ['tail', 'integer', undefined],
          ['search', 'string', undefined],
          ['ignore_case', 'boolean', false],
          ['context', 'integer', 0],
          ['max_matches', 'integer', 100],
          ['screen', 'boolean', undefined],
          ['start_byte', 'integer', undefined],
          ['byte_count', 'integer', 1_048_576],
          ['max_output_tokens', 'integer', 10_000],
        ],
        ['session_id'],
        false,
      ],
      ['list_sessions', [], undefined, false],
      ['terminate_session', [['session_id', 'integer', undefined]], ['session_id'], false],
      [
        'resize_session',
        [
          ['session_id', 'integer', undefined],
          ['cols', 'integer', undefined],
          ['rows', 'integer', undefined],
        ],
        ['session_id', 'cols', 'rows'],
        false,
      ],
    ]);
  });

  it('describes every parameter', async () => {
    const tools = await listTools();

    const silent = tools.flatMap((tool) =>
      Object.entries(parametersOf(tool))
        .filter(([, { description = '' }]) => description === '')
        .map(([name]) => `${tool.name}.${name}`),
    );

    expect(silent).toEqual([]);
  });

  it('names the shell and the folder that are used when none is given', async () => {
    const exec = await toolNamed('exec_command', {
      defaultShell: () => '/usr/bin/my-shell',
      defaultCwd: () => '/some/folder',
    });

    expect(exec.description).toContain('/usr/bin/my-shell');
    expect(parametersOf(exec)['shell']?.description).toContain('/usr/bin/my-shell');
    expect(parametersOf(exec)['workdir']?.description).toContain('/some/folder');
  });

  it('tells what becomes of background processes on a terminal', async () => {
    const exec = await toolNamed('exec_command');

    expect(exec.description).toContain('background processes that it left on its terminal get a hang-up (SIGHUP)');
  });

  it('states the times and limits that the code has', async () => {
    const execParameters = parametersOf(await toolNamed('exec_command'));
    const writeParameters = parametersOf(await toolNamed('write_stdin'));
    const terminate = await toolNamed('terminate_session');

    expect({
      exec: execParameters['yield_time_ms']?.default,
      tokens: [execParameters['max_output_tokens']?.default, writeParameters['max_output_tokens']?.default],
    }).toEqual({ exec: EXEC_YIELD_MS, tokens: [DEFAULT_MAX_OUTPUT_TOKENS, DEFAULT_MAX_OUTPUT_TOKENS] });
    expect(execParameters['yield_time_ms']?.description).toContain(String(MAX_YIELD_MS));
    expect(writeParameters['yield_time_ms']?.description).toMatch(
      new RegExp(`${String(WRITE_YIELD_MS)}.*${String(POLL_YIELD_MS)}.*${String(MAX_YIELD_MS)}`),
    );
    expect(terminate.description).toContain(`${String(TERMINATE_GRACE_MS)} ms`);
  });

  it('uses no keyword that hosts are known to refuse', async () => {
    const text = JSON.stringify(await listTools());

    expect(text).not.toMatch(/\$schema|propertyNames|9007199254740991/);
  });
});

describe('the server', () => {
  it('introduces itself with its name, its version, and that its tools and resources can change', async () => {
    const { client } = await startClient();

    expect({
      info: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
    }).toEqual({
      info: { name: 'exec-sessions', title: 'Exec Sessions', version: manifest.version },
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } },
    });
    expect(client.getInstructions()).toContain('exec_command');
  });
});
