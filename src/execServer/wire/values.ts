/** Values that methods of all families take. */
import { z } from 'zod';

/** Bytes travel as base64 with padding, and nothing that a decoder would have to guess. */
export const base64 = z.string().transform((text, context) => {
  const bytes = Buffer.from(text, 'base64');
  if (!isExact(text, bytes)) context.addIssue('not base64 with padding');
  return bytes;
});

/** The decoder leaves out what it does not know, so a length that is right says that all was known; the end is written again. */
function isExact(text: string, bytes: Buffer): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0 || bytes.length !== (text.length / 4) * 3 - padding) return false;
  // Characters of another alphabet, which the decoder takes as well.
  if (text.includes('-') || text.includes('_')) return false;
  const lastGroup = bytes.subarray(bytes.length - (bytes.length % 3 === 0 ? 3 : bytes.length % 3));
  return text.endsWith(lastGroup.toString('base64'));
}

/** Absent and `null` are the same. */
export function optional<T extends z.ZodType>(schema: T): z.ZodType<z.output<T> | undefined> {
  return schema.nullish().transform((value) => value ?? undefined);
}

export const count = z.int().min(0);
