import { existsSync, readFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { until } from '../../support/until';

/** A window starts its extension host, and that the driver, up to 50 s after it has opened on a busy machine. */
const START_TIMEOUT_MS = 120_000;

/** What a function gets that runs in the extension host. */
export interface ExtensionHostScope {
  readonly vscode: typeof vscode;
  readonly require: NodeJS.Require;
  /** Shared by all functions that run in one extension host, for what must outlive a call. */
  readonly state: Record<string, unknown>;
}

interface Address {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
}

/** The newest extension host of a server, reached through the driver extension. */
export class ExtensionHost {
  private endedPid: number | undefined;

  /** The driver keeps its address in `driverFile`. */
  constructor(private readonly driverFile: string) {}

  /**
   * Runs a function in the extension host and returns what it gives. The function travels as source text: it must not use
   * anything from around it. Its argument and its value travel as JSON.
   */
  async evaluate<R>(fn: (scope: ExtensionHostScope) => R | Promise<R>): Promise<R>;
  async evaluate<R, A>(fn: (scope: ExtensionHostScope, argument: A) => R | Promise<R>, argument: A): Promise<R>;
  async evaluate(fn: (scope: ExtensionHostScope, argument: never) => unknown, argument?: unknown): Promise<unknown> {
    const { port, token } = await this.address();
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ source: fn.toString(), argument }),
    });
    const { value, error } = (await response.json()) as { value?: unknown; error?: string };
    if (error !== undefined) throw new Error(`In the extension host: ${error}`);
    return value;
  }

  /** The process id of the extension host. */
  async pid(): Promise<number> {
    return (await this.address()).pid;
  }

  /** From here on, the extension host that runs now is taken for gone, and only a newer one is used. */
  async expectNew(): Promise<void> {
    this.endedPid = await this.pid();
  }

  private async address(): Promise<Address> {
    const newestAddress = (): Address | undefined => {
      if (!existsSync(this.driverFile)) return undefined;
      const address = JSON.parse(readFileSync(this.driverFile, 'utf8')) as Address;
      return address.pid === this.endedPid ? undefined : address;
    };
    return until('the extension host answers', newestAddress, START_TIMEOUT_MS);
  }
}
