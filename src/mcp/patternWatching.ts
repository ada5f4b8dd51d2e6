import type { LinePattern } from '../session/text/linePattern';
import { PatternWatch, type PatternWatchOptions } from '../session/text/patternWatch';
import type { ReadableText } from '../session/text/textReader';

export function patternWatch(
  pattern: LinePattern | undefined,
  transcript: ReadableText,
  options: Omit<PatternWatchOptions, 'pattern'>,
): PatternWatch | undefined {
  return pattern === undefined ? undefined : new PatternWatch(transcript, { pattern, ...options });
}
