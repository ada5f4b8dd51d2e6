import { expect, it } from 'vitest';
import { serverRowWords, spokenServerWords } from '../../../src/vscode/mcpServers/mcpServerWords';
import { english } from '../english';

const long = `the server ended with exit code 1\n${'x'.repeat(200)}`;

it.each([
  [{ kind: 'idle' }, 'MCP server · not in use'],
  [{ kind: 'connected', clients: 1 }, 'MCP server · 1 client'],
  [{ kind: 'connected', clients: 3 }, 'MCP server · 3 clients'],
  [{ kind: 'failed', problem: long }, /^MCP server · failed: the server ended with exit code 1 x+…$/],
] as const)('a row says of the state %j: %s', (state, words) => {
  expect(serverRowWords(state, english)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
});

it('says the name to those who hear the row', () => {
  expect(spokenServerWords('tools', { kind: 'idle' }, english)).toBe('MCP server tools, not in use');
});
