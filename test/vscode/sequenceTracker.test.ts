import { expect, it } from 'vitest';
import { SequenceTracker } from '../../src/vscode/terminal/sequenceTracker';

const ESC = '\u001b';

/** Texts, and whether a terminal's parser is between two sequences after them. */
const CASES: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['plain text', true],
  [ESC, false],
  [`${ESC}[`, false],
  [`${ESC}[38;5`, false],
  [`${ESC}[38;5;1m`, true],
  [`${ESC}[?25$`, false],
  [`${ESC}[?25$p`, true],
  [`${ESC}(`, false],
  [`${ESC}(B`, true],
  [`${ESC}7`, true],
  [`${ESC}]0;title`, false],
  [`${ESC}]0;title\u0007`, true],
  [`${ESC}]0;title${ESC}`, false],
  [`${ESC}]0;title${ESC}\\`, true],
  [`${ESC}]0;title${ESC}[1`, false],
  [`${ESC}]0;title${ESC}[1m`, true],
  [`${ESC}Pq#0;2~-`, false],
  [`${ESC}Pq#0;2~-${ESC}\\`, true],
  [`${ESC}_payload [m`, false],
  [`${ESC}[31\u0018`, true],
  [`${ESC}]0;half\u001a`, true],
  [`${ESC}[3\r\n1`, false],
  [`${ESC}${ESC}[1m`, true],
];

it.each(CASES)('knows after %j that it is between sequences: %s', (text, expected) => {
  const whole = new SequenceTracker();
  const inPieces = new SequenceTracker();

  whole.push(text);
  for (const character of text) inPieces.push(character);

  expect([whole.isBetweenSequences, inPieces.isBetweenSequences]).toEqual([expected, expected]);
});
