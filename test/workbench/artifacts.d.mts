export function artifactPath(fileName: string): string;
