import { describe, expect, it } from 'vitest';
import { readServers } from '../../src/mcpServers/serverConfiguration';

const read = (value: unknown): ReturnType<typeof readServers> => readServers(value, 'the setting');

describe('the setting of MCP servers', () => {
  it('names programs that start in an environment', () => {
    const entry = {
      command: 'npx',
      args: ['-y', 'server'],
      cwd: '/srv',
      env: { A: '1' },
      env_vars: ['B', { name: 'C', source: 'remote' }],
      environment: 'box',
    };

    expect(read({ tools: entry })).toEqual({
      servers: [
        {
          name: 'tools',
          environmentId: 'box',
          server: {
            kind: 'stdio',
            argv: ['npx', '-y', 'server'],
            cwd: '/srv',
            env: { A: '1' },
            variables: [
              { name: 'B', source: 'local' },
              { name: 'C', source: 'remote' },
            ],
          },
        },
      ],
      problems: [],
    });
  });

  it('names addresses with their headers', () => {
    const headers = { 'x-plain': 'text', authorization: { env: 'TOKEN', prefix: 'Bearer ', source: 'remote' } };

    expect(read({ tools: { url: 'http://127.0.0.1:8080/mcp', headers } }).servers[0]!.server).toEqual({
      kind: 'http',
      url: 'http://127.0.0.1:8080/mcp',
      headers: [
        { name: 'x-plain', value: 'text', variable: undefined },
        { name: 'authorization', value: 'Bearer ', variable: { name: 'TOKEN', source: 'remote' } },
      ],
    });
  });

  it.each([
    ['tools', 'npx', 'is not an object of keys'],
    ['tools', {}, 'has to have either a command or a url'],
    ['tools', { command: 'npx', url: 'http://h' }, 'has to have either a command or a url'],
    ['tools', { url: 'ftp://h' }, 'has a wrong url: it does not begin with http:// or https://'],
    ['tools', { url: 'http://h', cwd: '/' }, 'has a url: args, cwd, env and env_vars are for commands'],
    ['tools', { command: 'npx', headers: {} }, 'has headers, which need a url'],
    ['tools', { command: 'npx', arguments: [] }, 'has the unknown key "arguments"; the keys are command, args, cwd, env, '],
    ['a/b', { command: 'npx' }, 'has no valid name: 1 to 64 letters, digits, "_", "." and "-"'],
    ['tools', { command: 'npx', env: { 'A=B': 'secret' } }, 'has a wrong env.A=B'],
  ])('leaves out %s: %j, and says why', (name, entry, fault) => {
    const { servers, problems } = read({ [name]: entry, good: { command: 'npx' } });

    expect(servers.map((server) => server.name)).toEqual(['good']);
    expect(problems).toEqual([expect.stringContaining(`The MCP server "${name}" of the setting ${fault}`)]);
    expect(problems.join()).not.toContain('secret');
  });

  it('is refused as a whole where it is no object', () => {
    expect(read([])).toEqual({ servers: [], problems: ['the setting is not an object of servers by their names.'] });
  });
});
