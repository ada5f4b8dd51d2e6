import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

/** The JSON schema of what a caller sends (`input`) or receives (`output`), without keywords that say nothing. */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Every JavaScript integer has these bounds; as limits of a parameter they would only puzzle.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // All keys of JSON are strings; some hosts do not know the keyword.
      delete jsonSchema.propertyNames;
    },
  });
  // The few keywords used mean the same in every dialect, and some hosts refuse one that they do not know.
  delete json.$schema;
  return json as Tool['inputSchema'];
}
