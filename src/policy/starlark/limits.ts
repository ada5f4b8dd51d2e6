/**
 * What reading one file of rules may cost at most: such a file may come with a repository that nobody has looked at.
 * Files that people write use a small part of each.
 */

/** In UTF-16 units: some ten thousand rules. */
export const MAX_SOURCE_UNITS = 1_000_000;

/** Expressions and statements in one another, and operators in a row: all of it is walked by recursion. */
export const MAX_NESTING = 100;

/** Evaluated expressions and statements. */
export const MAX_STEPS = 1_000_000;

/** Functions that call one another: what Starlark in Rust allows too. */
export const MAX_CALL_DEPTH = 50;

/** Characters and elements of all that is made on the way, whether kept or not. */
export const MAX_ALLOCATED_CELLS = 10_000_000;

/** Binary digits of a number: enough for any mask, too few to keep a processor busy. */
export const MAX_INTEGER_BITS = 1024;

/** Milliseconds: a backstop for what the others do not count. */
export const MAX_EVALUATION_MS = 2000;
