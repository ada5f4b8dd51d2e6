import type * as vscode from 'vscode';

/** Translates sentences for people: `vscode.l10n`, handed over so that whoever composes sentences can do it without VS Code. */
export type Localization = Pick<typeof vscode.l10n, 't'>;
