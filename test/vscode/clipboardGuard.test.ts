import { describe, expect, it } from 'vitest';
import { ClipboardGuard } from '../../src/vscode/terminal/clipboardGuard';

const LINK = '\u001b]8;;http://x\u0007T\u001b]8;;\u0007';

const cases: readonly (readonly [what: string, text: string, expected: string])[] = [
  ['plain text and colours', 'a\u001b[32mb\u001b[0m\r\n', 'a\u001b[32mb\u001b[0m\r\n'],
  ['a write that ends with BEL', 'a\u001b]52;c;ZXZpbA==\u0007b', 'ab'],
  ['a write that ends with ESC \\', 'a\u001b]52;c;ZXZpbA==\u001b\\b', 'ab'],
  ['a write that a sequence cuts short', 'a\u001b]52;c;ZX\u001b[31mb', 'a\u001b[31mb'],
  ['a question for it', 'a\u001b]52;c;?\u0007b', 'ab'],
  ['a write in the one-character form', 'a\u009d52;c;ZXZpbA==\u009cb', 'ab'],
  ['a number with leading zeros', 'a\u001b]0052;c;ZXZpbA==\u0007b', 'ab'],
  ['a number with control characters in it', 'a\u001b]5\u00012;c;ZXZpbA==\u0007b', 'ab'],
  ['a beginning without an end', `a\u001b]${'0'.repeat(1_000)}52;c;ZXZpbA==\u0007b`, 'ab'],
  ['a cancelled write', 'a\u001b]52;c;ZX\u0018b', 'ab'],
  ['two writes', '\u001b]52;c;QQ==\u0007a\u001b]52;p;QQ==\u0007b', 'ab'],
  ['links and titles', `${LINK}\u001b]0;title\u0007`, `${LINK}\u001b]0;title\u0007`],
  ['another command with a similar number', '\u001b]521;x\u0007\u001b]5;2\u0007', '\u001b]521;x\u0007\u001b]5;2\u0007'],
];

describe.each(cases)('%s', (_, text, expected) => {
  it('is the same however it is split', () => {
    const whole = new ClipboardGuard().filter(`${text}.`);
    const splits = Array.from({ length: text.length }, (_split, at) => {
      const guard = new ClipboardGuard();
      return guard.filter(text.slice(0, at)) + guard.filter(`${text.slice(at)}.`);
    });
    const guard = new ClipboardGuard();
    const byOne = `${text}.`.replace(/[^]/g, (character) => guard.filter(character));

    expect(new Set([whole, byOne, ...splits])).toEqual(new Set([`${expected}.`]));
  });
});
