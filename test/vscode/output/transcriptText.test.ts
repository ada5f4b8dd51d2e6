import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { SpoolFolder } from '../../../src/session/log/spool';
import { SessionText } from '../../../src/session/text/sessionText';
import { MAX_TEXT_BYTES, transcriptText } from '../../../src/vscode/output/transcriptText';
import { english } from '../english';

const LINE_BYTES = 16;
const NOTE = /^\[… ([\d,]+) lines, ([\d,]+) bytes (.+) …\]$/m;

function numberedLines(first: number, count: number): Buffer {
  const lines = Array.from({ length: count }, (_, index) => `line ${String(first + index).padStart(LINE_BYTES - 6, '0')}\n`);
  return Buffer.from(lines.join(''));
}

function createText({ hasSpool }: { hasSpool: boolean }): SessionText {
  if (!hasSpool) return new SessionText();
  const folder = new SpoolFolder(tmpdir());
  onTestFinished(() => folder.dispose());
  return new SessionText({ spool: folder.createSpool() });
}

function push(text: SessionText, lines: number): void {
  for (let first = 0; first < lines; first += 10_000) text.push(numberedLines(first, Math.min(10_000, lines - first)));
}

function numberOf(grouped: string | undefined): number {
  return Number(grouped?.replaceAll(',', ''));
}

it('has the finished lines and the one that is being written, without escape sequences', () => {
  const text = createText({ hasSpool: false });
  text.push(Buffer.from('\u001b[32mone\u001b[0m\r\ntwo? '));

  expect(transcriptText(text, english)).toEqual({ text: 'one\ntwo? ', omittedBytes: 0 });
});

it('has the part that lies on disk', () => {
  const text = createText({ hasSpool: true });
  const lines = 500_000;
  push(text, lines);

  const transcript = transcriptText(text, english);

  expect(transcript.omittedBytes).toBe(0);
  expect(transcript.text === numberedLines(0, lines).toString()).toBe(true);
});

it('shows the beginning and the end of more than an editor takes, and counts the rest', () => {
  const text = createText({ hasSpool: true });
  const lines = (2 * MAX_TEXT_BYTES) / LINE_BYTES;
  push(text, lines);

  const { text: shown, omittedBytes } = transcriptText(text, english);

  const [note, noteLines, noteBytes, why] = NOTE.exec(shown) ?? [];
  expect(why).toBe('left out: at most 16 MB are shown');
  expect(numberOf(noteBytes)).toBe(omittedBytes);
  expect(shown.length).toBeLessThanOrEqual(MAX_TEXT_BYTES + 1_000);
  expect(shown.startsWith('line 0000000000\n')).toBe(true);
  expect(shown.endsWith(`line ${String(lines - 1).padStart(10, '0')}\n`)).toBe(true);
  expect(shown.split('\n').length - 2 + numberOf(noteLines)).toBe(lines);
  expect(shown.length - (note?.length ?? 0) - 1 + omittedBytes).toBe(2 * MAX_TEXT_BYTES);
});

it('says where output was dropped for want of room', () => {
  const text = createText({ hasSpool: false });
  push(text, 500_000);

  const { text: shown, omittedBytes } = transcriptText(text, english);

  expect(NOTE.exec(shown)?.[3]).toBe('no longer kept: there was no room for them');
  expect(omittedBytes).toBe(text.log.droppedBytes);
});

it('cuts no character beside a gap in half', () => {
  const text = createText({ hasSpool: false });
  for (let count = 0; count < 100; count++) text.push(Buffer.from(`${'≤'.repeat(25_001)}x`));

  const { text: shown } = transcriptText(text, english);

  expect(shown).toMatch(NOTE);
  expect(shown).not.toContain('\ufffd');
});
