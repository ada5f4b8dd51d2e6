import type { Localization } from '../../src/vscode/localization';

/** English, as VS Code gives it where there is no translation. */
export const english: Localization = {
  t: (message: unknown, ...args: unknown[]) =>
    String(message).replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)])),
};
