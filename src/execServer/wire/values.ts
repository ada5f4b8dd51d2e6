/** Values that methods of all families take. */
import { z } from 'zod';

/** Bytes travel as base64 with padding, and nothing that a decoder would have to guess. */
export const base64 = z.string().transform((text, context) => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) context.addIssue('not base64 with padding');
  return bytes;
});

/** Absent and `null` are the same. */
export function optional<T extends z.ZodType>(schema: T): z.ZodType<z.output<T> | undefined> {
  return schema.nullish().transform((value) => value ?? undefined);
}

export const count = z.int().min(0);
