import { describe, expect, it } from 'vitest';
import { findPathMentions } from '../../../src/vscode/files/pathMentions';

/** Each as the text that becomes the link, the path, and where in it. */
const mentionsOf = (line: string): unknown[] =>
  findPathMentions(line).map(({ startIndex, length, path, line: at, column }) => [
    line.slice(startIndex, startIndex + length),
    path,
    ...(at === undefined ? [] : [at]),
    ...(column === undefined ? [] : [column]),
  ]);

describe('paths in a line of output', () => {
  it.each<[string, unknown[]]>([
    ['src/a.ts', [['src/a.ts', 'src/a.ts']]],
    ['src/a.ts:12:3: error: no', [['src/a.ts:12:3', 'src/a.ts', 12, 3]]],
    ['  at run (/srv/app/b.js:7:15)', [['/srv/app/b.js:7:15', '/srv/app/b.js', 7, 15]]],
    ['src/a.ts(12,3): error TS1', [['src/a.ts(12,3)', 'src/a.ts', 12, 3]]],
    ['Program.cs(4): warning', [['Program.cs(4)', 'Program.cs', 4]]],
    ['Makefile:12: *** missing separator.', [['Makefile:12', 'Makefile', 12]]],
    ['  File "/srv/my app/x.py", line 12, in <module>', [['/srv/my app/x.py', '/srv/my app/x.py', 12]]],
    [' --> src/main.rs:2:5', [['src/main.rs:2:5', 'src/main.rs', 2, 5]]],
    ['file:///srv/a%20b.ts:3', [['file:///srv/a%20b.ts:3', '/srv/a b.ts', 3]]],
    ['file://host/srv/a.ts', [['file://host/srv/a.ts', '/srv/a.ts']]],
    ['see README.md.', [['README.md', 'README.md']]],
    [
      '[src/a.ts] and src/[id].tsx',
      [
        ['src/a.ts', 'src/a.ts'],
        ['src/[id].tsx', 'src/[id].tsx'],
      ],
    ],
    [
      'open \'../x.c\', "y.h"',
      [
        ['../x.c', '../x.c'],
        ['y.h', 'y.h'],
      ],
    ],
    ['--config=conf/a.json', [['conf/a.json', 'conf/a.json']]],
    ['ключ/файл.txt:2', [['ключ/файл.txt:2', 'ключ/файл.txt', 2]]],
  ])('are found in %j', (line, expected) => {
    expect(mentionsOf(line)).toEqual(expected);
  });

  it.each([
    'http://127.0.0.1:80/index.html',
    '12:30:45 started',
    '3.5 of 7/8',
    '1.2.3',
    'Done in 0.4s.',
    '- / .. //',
    'error: no',
  ])('are not seen in %j', (line) => {
    expect(mentionsOf(line)).toEqual([]);
  });

  it('are found in time in a line of any kind', () => {
    const started = performance.now();
    for (const part of ['a/', '[', '.', '"', '(1,', ':1', 'file://']) findPathMentions(part.repeat(20_000));

    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
