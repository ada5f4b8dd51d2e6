import { expect, it } from 'vitest';
import { changeEnvironmentsToml, environmentsSnippet } from '../../../src/vscode/agents/environmentsToml';

const entry = { program: '/bin/launcher', args: ['exec-server', '--attach', 'require'] };
const table =
  '[[environments]]\nid = "exec-sessions"\nprogram = "/bin/launcher"\nargs = [ "exec-server", "--attach", "require" ]\n';
const box = '# mine\n[[environments]]\nid = "box" # the box\nurl = "ws://127.0.0.1:1"\n';

it.each<[string, string, boolean, object]>([
  ['an empty file', '', true, { kind: 'add', text: `default = "exec-sessions"\n\n${table}` }],
  ['an empty file, not as the default', '', false, { kind: 'add', text: table }],
  ['other environments', box, true, { kind: 'add', text: `default = "exec-sessions"\n\n${box}\n${table}` }],
  [
    'another default',
    `include_local = true\ndefault = 'box' # mine too\n${box}`,
    true,
    { kind: 'replace', text: `include_local = true\ndefault = "exec-sessions" # mine too\n${box}\n${table}` },
  ],
  [
    'another default, which stays',
    `default = "box"\n${box}`,
    false,
    { kind: 'add', text: `default = "box"\n${box}\n${table}` },
  ],
  ['itself, not yet as the default', table, true, { kind: 'add', text: `default = "exec-sessions"\n\n${table}` }],
  ['itself', `default = "exec-sessions"\n${box}${table}`, true, { kind: 'none' }],
  ['itself as the default, which stays', `default = "exec-sessions"\n${table}`, false, { kind: 'none' }],
  ['itself with more keys', `${table}initialize_timeout_sec = 3\n`, false, { kind: 'none' }],
  ['another program', table.replace('launcher', 'other'), true, { kind: 'byHand', reason: 'otherEntry' }],
  ['a list on one line', 'environments = []\n', true, { kind: 'byHand', reason: 'unreadable' }],
  ['a default over several lines', `default = """\nbox"""\n${box}`, true, { kind: 'byHand', reason: 'unreadable' }],
  ['no TOML', 'default = \n', true, { kind: 'byHand', reason: 'unreadable' }],
])('adds the window to a file with %s, and changes nothing else', (_, text, isDefault, expected) => {
  expect(changeEnvironmentsToml(text, { entry, isDefault })).toEqual(expected);
});

it('keeps the line ends of the file', () => {
  const change = changeEnvironmentsToml(box.replaceAll('\n', '\r\n'), { entry, isDefault: true });

  expect('text' in change && change.text.replaceAll('\r\n', '').includes('\n')).toBe(false);
});

it('shows what it adds', () => {
  expect(`${environmentsSnippet({ entry, isDefault: true })}\n`).toBe(`default = "exec-sessions"\n\n${table}`);
});
