import { test } from 'vitest';

/** Titles of tests that an implementation cannot pass, with what it does instead. */
export type Differences = Readonly<Record<string, string>>;

/** Tests of a suite for several implementations, but for those that are named. */
export function testBut(differences: Differences): (title: string, run: () => Promise<void>) => void {
  return (title, run) => {
    const difference = differences[title];
    if (difference === undefined) test(title, run);
    else test.skip(`${title} (${difference})`, run);
  };
}
