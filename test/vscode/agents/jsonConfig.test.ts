import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { changeJsonConfig } from '../../../src/vscode/agents/jsonConfig';

const entry = { command: '/a b/exec-sessions', args: ['mcp'] };
const servers = { 'exec-sessions': entry };

/** The new text of a file that is changed. */
function changed(text: string): string {
  const change = changeJsonConfig(text, 'mcpServers', entry);
  if (!('text' in change)) throw new Error(`it is not changed: ${change.kind}`);
  return change.text;
}

/** Whether `text` is `longer` without some of its characters. */
function isContained(text: string, longer: string): boolean {
  let found = 0;
  for (const character of longer) if (character === text[found]) found++;
  return found === text.length;
}

describe('an entry in a JSON file', () => {
  it('makes a whole file of an empty one', () => {
    expect(changed('')).toBe(
      `{
  "mcpServers": {
    "exec-sessions": {
      "command": "/a b/exec-sessions",
      "args": [
        "mcp"
      ]
    }
  }
}
`,
    );
  });

  it('stands behind what is there, in its style, with every comment where it was', () => {
    const text = `// Of the team.
{
    "theme": "dark", // at night
    "mcpServers": {
        // The first.
        "other": { "command": "x" } // not ours
    },
    /* The end. */
}
`;

    expect(changed(text)).toBe(`// Of the team.
{
    "theme": "dark", // at night
    "mcpServers": {
        // The first.
        "other": { "command": "x" }, // not ours
        "exec-sessions": {
            "command": "/a b/exec-sessions",
            "args": [
                "mcp"
            ]
        }
    },
    /* The end. */
}
`);
  });

  it.each([
    ['no servers', '{\n  "a": 1\n}\n'],
    ['no property at all', '{}'],
    ['no property, but a comment', '{\n  // nothing yet\n}\n'],
    ['an empty section', '{ "mcpServers": {} }\n'],
    ['everything on one line', '{"a":1,"mcpServers":{"z":{"command":"x"}}}'],
    ['tabs', '{\n\t"mcpServers": {\n\t\t"z": {}\n\t}\n}\n'],
    ['a comma behind the last property', '{\n  "mcpServers": {\n    "z": {}, // last\n  },\n}\n'],
    ['a comma that only a comment has', '{\n  "mcpServers": {\n    "z": {} // a, b\n  }\n}\n'],
    ['a comment with a quote behind it', '{\n  "mcpServers": {\n    "z": {} /* "a": 1, */\n  }\n}\n'],
    ['line ends of Windows', '{\r\n  "mcpServers": {\r\n    "z": {}\r\n  }\r\n}\r\n'],
    ['a byte order mark', '\ufeff{\n  "a": 1\n}\n'],
    ['a text with braces', '{ "a": "}{ // \\" ", "b": [1, { "c": 2 }] }'],
  ])('only adds to a file with %s', (_what, text) => {
    const result = changed(text);
    const [before, after] = [text, result].map((one) => parse(one.replace('\ufeff', ''), [], { allowTrailingComma: true }));

    expect(isContained(text, result)).toBe(true);
    expect(after).toEqual({ ...before, mcpServers: { ...before.mcpServers, ...servers } });
    expect(result.includes('\r\n')).toBe(text.includes('\r\n'));
    if (text.includes('\r\n')) expect(result.replaceAll('\r\n', '')).not.toContain('\n');
    expect(changeJsonConfig(result, 'mcpServers', entry)).toEqual({ kind: 'none' });
  });

  it('is changed where it was another, and keeps what the user added to it', () => {
    const text = `{
  "mcpServers": {
    "exec-sessions": {
      "command": "/old/path", // by hand
      "args": ["mcp"],
      "env": { "A": "b" }
    },
    "z": {}
  }
}
`;

    expect(changeJsonConfig(text, 'mcpServers', entry)).toEqual({
      kind: 'replace',
      text: text.replace('/old/path', '/a b/exec-sessions'),
    });
  });

  it.each([
    ['is no JSON', '{ "a": ', 'unreadable'],
    ['is a list', '[]', 'unreadable'],
    ['has something else in place of the servers', '{ "mcpServers": [] }', 'unreadable'],
    ['has something else in place of the entry', '{ "mcpServers": { "exec-sessions": true } }', 'otherEntry'],
  ])('is left to the user in a file that %s', (_what, text, reason) => {
    expect(changeJsonConfig(text, 'mcpServers', entry)).toEqual({ kind: 'byHand', reason });
  });
});
