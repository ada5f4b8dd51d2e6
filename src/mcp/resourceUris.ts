/** The addresses under which the output of sessions can be read and followed. */
export const RESOURCE_KINDS = ['transcript', 'screen'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export function resourceUri(sessionId: number, kind: ResourceKind): string {
  return `exec-session://${sessionId}/${kind}`;
}

export function parseResourceUri(uri: string): { sessionId: number; kind: ResourceKind } | undefined {
  const [, id, kind] = /^exec-session:\/\/(\d+)\/(\w+)$/.exec(uri) ?? [];
  const known = RESOURCE_KINDS.find((name) => name === kind);
  return id === undefined || known === undefined ? undefined : { sessionId: Number(id), kind: known };
}
