import type { LinePattern } from '../session/linePattern';
import { PatternWatch, type PatternWatchOptions } from '../session/patternWatch';
import type { ReadableText } from '../session/textReader';

export function patternWatch(
  pattern: LinePattern | undefined,
  transcript: ReadableText,
  options: Omit<PatternWatchOptions, 'pattern'>,
): PatternWatch | undefined {
  return pattern === undefined ? undefined : new PatternWatch(transcript, { pattern, ...options });
}
