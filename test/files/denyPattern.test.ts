import { describe, expect, it } from 'vitest';
import { compileDenyPattern } from '../../src/files/sandbox/denyPattern';

describe('a pattern of what is denied', () => {
  it.each([
    ['/ws/*.env', ['/ws/a.env', '/ws/.env', '/ws/a.env/below'], ['/ws/sub/a.env', '/ws/a.envx', '/other/a.env']],
    ['/ws/**/*.env', ['/ws/a.env', '/ws/a/b/c.env'], ['/ws', '/ws/env', '/wsx/a.env']],
    ['/ws/**', ['/ws/a', '/ws/a/b'], ['/ws', '/wsx']],
    ['/ws/s?cret', ['/ws/secret', '/ws/secret/key'], ['/ws/scret', '/ws/s/cret']],
    ['/ws/[a-c]x', ['/ws/ax', '/ws/cx'], ['/ws/dx', '/ws/x']],
    ['/ws/[!a-c]x', ['/ws/dx'], ['/ws/ax', '/ws/x']],
    ['/ws/a.b+c(d)', ['/ws/a.b+c(d)'], ['/ws/aXb+c(d)', '/ws/a.bbc(d)']],
  ])('%s takes what it names, and no more', (pattern, taken, left) => {
    const compiled = compileDenyPattern(pattern);

    expect([taken.filter((path) => !compiled.test(path)), left.filter((path) => compiled.test(path))]).toEqual([[], []]);
  });

  it.each(['/ws/{a,b}', '/ws/[a', 'relative/*'])('is refused if it may mean something else elsewhere (%s)', (pattern) => {
    expect(() => compileDenyPattern(pattern)).toThrow(pattern);
  });
});
