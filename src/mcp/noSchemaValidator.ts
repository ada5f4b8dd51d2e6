/**
 * The SDK's server brings a validator of JSON Schema for the answers to forms that a server shows to people (elicitation). We
 * show none, and the libraries behind it (ajv, ajv-formats) are a tenth of the time at start: the bundles hold this in place of
 * both. It is made and passed around, never asked.
 */
export default function noSchemaValidator(): void {
  // Nothing to prepare.
}
