import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PROGRESS_QUERY, TerminalFeed } from '../../src/vscode/terminal/terminalFeed';

const CHUNK_BYTES = 64 * 1_024;
const MAX_OUTSTANDING = 8;
const MEGABYTE = 1_024 * 1_024;
/** Cancels whatever sequence was cut off before it. */
const CANCEL = '\u0018';
const NOTICE = new RegExp(`${CANCEL}<(\\d+) skipped>`, 'g');

let written: string[];
let feed: TerminalFeed;

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  feed = new TerminalFeed({ write: (text) => written.push(text), skipNotice: (bytes) => `<${bytes} skipped>` });
});

afterEach(() => {
  feed.dispose();
  vi.useRealTimers();
});

/** What stands on the screen: all that was written, without our questions. */
function shown(): string {
  return written.join('').replaceAll(PROGRESS_QUERY, '');
}

/** Answers like a terminal until nothing is outstanding any more. */
function answerAll(): void {
  while (feed.isAwaitingAnswer) feed.acknowledge();
}

describe('flow', () => {
  it('asks for progress after each write', () => {
    feed.push(Buffer.from('one'));
    feed.push(Buffer.from('two'));

    expect(written).toEqual([`one${PROGRESS_QUERY}`, `two${PROGRESS_QUERY}`]);
  });

  it('asks for a sign of life where it has shown nothing yet, and only there', () => {
    feed.probe();
    feed.push(Buffer.from('one'));
    feed.probe();

    expect(written).toEqual([PROGRESS_QUERY, `one${PROGRESS_QUERY}`]);
  });

  it('joins small chunks while the terminal is busy', () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) feed.push(Buffer.from(text));
    feed.acknowledge();

    expect(written).toEqual(['a', 'b', 'cde'].map((text) => text + PROGRESS_QUERY));
  });

  it('keeps a bounded amount on its way, and goes on with each answer', () => {
    feed.push(Buffer.alloc(CHUNK_BYTES * 12, 'x'));
    const before = written.length;
    feed.acknowledge();

    expect([before, written.length]).toEqual([MAX_OUTSTANDING, MAX_OUTSTANDING + 1]);
    answerAll();
    expect(shown() === 'x'.repeat(CHUNK_BYTES * 12)).toBe(true);
  });

  it('goes on without answers from a terminal that gives none', async () => {
    feed.push(Buffer.alloc(CHUNK_BYTES * 10, 'x'));

    await vi.advanceTimersByTimeAsync(10_000);

    expect(shown() === 'x'.repeat(CHUNK_BYTES * 10)).toBe(true);
  });

  it('takes an answer that nobody waits for as nothing', () => {
    feed.acknowledge();
    feed.push(Buffer.from('x'));

    expect(feed.isAwaitingAnswer).toBe(true);
  });

  it('writes nothing after it was disposed', () => {
    feed.dispose();
    feed.push(Buffer.from('late'));
    feed.acknowledge();

    expect(written).toEqual([]);
  });
});

describe('content', () => {
  it('keeps characters whole that are split between chunks', () => {
    const bytes = Buffer.from('a€😀z');
    for (const byte of bytes) feed.push(Buffer.from([byte]));
    answerAll();

    expect(shown()).toBe('a€😀z');
  });

  it('keeps what it is given when the memory is used again', () => {
    const chunk = Buffer.alloc(CHUNK_BYTES, 'a');
    for (let count = 0; count < MAX_OUTSTANDING + 1; count++) feed.push(chunk);
    chunk.fill('b');
    answerAll();

    expect(shown() === 'a'.repeat(CHUNK_BYTES * (MAX_OUTSTANDING + 1))).toBe(true);
  });

  it('asks nothing inside an escape sequence', () => {
    feed.push(Buffer.from('red \u001b[3'));
    feed.push(Buffer.from('1mtext \u001b]0;ti'));
    feed.push(Buffer.from('tle\u0007end'));

    expect(written).toEqual(['red \u001b[3', '1mtext \u001b]0;ti', `tle\u0007end${PROGRESS_QUERY}`]);
  });

  it('gives up a sequence that does not end, to be able to ask again', () => {
    feed.push(Buffer.from('\u001b]0;'));
    for (let count = 0; count < 5; count++) feed.push(Buffer.alloc(MEGABYTE, 'x'));

    expect(feed.isAwaitingAnswer).toBe(true);
    expect(written.some((text) => text.endsWith(`\u0018${PROGRESS_QUERY}`))).toBe(true);
  });
});

describe('more than the terminal takes', () => {
  it('skips the oldest in whole lines, counts every byte of it, and says so where it was', () => {
    const line = `${'0123456789'.repeat(10)}\n`;
    const all = Buffer.from(line.repeat(Math.ceil((4 * MEGABYTE) / line.length)));
    for (let at = 0; at < all.length; at += 50_000) feed.push(all.subarray(at, at + 50_000));
    answerAll();

    const notices = [...shown().matchAll(NOTICE)];
    const skipped = notices.reduce((sum, notice) => sum + Number(notice[1]), 0);
    const rest = shown().replaceAll(NOTICE, '');
    expect(notices.length).toBeGreaterThan(0);
    expect(skipped + rest.length).toBe(all.length);
    expect(feed.totalSkippedBytes).toBe(skipped);
    for (const notice of notices) {
      const next = shown().slice(notice.index + notice[0].length);
      expect(next.startsWith(line)).toBe(true);
    }
  });

  it('shows the end of what was skipped', () => {
    feed.push(Buffer.alloc(5 * MEGABYTE, 'x'));
    feed.push(Buffer.from('\nTHE END\n'));
    answerAll();

    expect(shown().endsWith('\nTHE END\n')).toBe(true);
    expect(shown().length).toBeLessThan(2 * MEGABYTE);
  });

  it('never begins with half a character', () => {
    feed.push(Buffer.from('€'.repeat(MEGABYTE)));
    answerAll();

    expect(shown().includes('\ufffd')).toBe(false);
  });
});

describe('what came earlier', () => {
  it('counts as shown once the terminal has answered for all of it', () => {
    feed.push(Buffer.alloc(CHUNK_BYTES * 2, 'x'));
    feed.markEarlier();
    feed.push(Buffer.from('live'));
    const states = [feed.hasShownEarlier];
    feed.acknowledge();
    states.push(feed.hasShownEarlier);
    feed.acknowledge();
    states.push(feed.hasShownEarlier);

    expect(states).toEqual([false, false, true]);
  });

  it('shares no write with what comes later', () => {
    feed.push(Buffer.alloc(CHUNK_BYTES * 9 + 10, 'x'));
    feed.markEarlier();
    feed.push(Buffer.alloc(CHUNK_BYTES, 'y'));
    answerAll();

    expect(written.filter((text) => text.includes('x') && text.includes('y'))).toEqual([]);
  });

  it('is shown at once where there is none', () => {
    feed.markEarlier();

    expect(feed.hasShownEarlier).toBe(true);
  });
});
