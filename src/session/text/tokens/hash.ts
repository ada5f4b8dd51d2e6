const FNV_OFFSET_BASIS = 0x811c_9dc5;
const FNV_PRIME = 0x0100_0193;

/** FNV-1a, and a last step that lets all of it reach the low bits. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET_BASIS;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), FNV_PRIME);
  return hash ^ (hash >>> 15);
}
