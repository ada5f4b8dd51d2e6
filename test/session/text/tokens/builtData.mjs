import { fileURLToPath } from 'node:url';
import { writeTokenTable } from '../../../../src/session/text/tokens/writeTokenTable.mjs';

export const builtDataFolder = fileURLToPath(new URL('../../../../artifacts/unit', import.meta.url));

export async function setup() {
  await writeTokenTable(builtDataFolder);
}
