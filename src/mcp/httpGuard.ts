import type { IncomingMessage } from 'node:http';
import { TokenCheck } from './accessToken';
import type { HttpRefusal } from './httpRefusal';

/**
 * Lets only those in who were given the address and the token. A web page that reaches the port (by a name that it made point
 * to this machine, or from its own origin) is refused by Host and Origin before the token matters.
 */
export class HttpGuard {
  private readonly hosts: readonly string[];
  private readonly tokenCheck: TokenCheck;

  constructor(port: number, token: string) {
    this.hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    this.tokenCheck = new TokenCheck(token);
  }

  /** `undefined` for a request that may pass. */
  findRefusal({ headersDistinct: headers }: IncomingMessage): HttpRefusal | undefined {
    const [host, ...otherHosts] = headers['host'] ?? [];
    if (host === undefined || otherHosts.length > 0 || !this.hosts.includes(host.toLowerCase())) {
      return { status: 403, message: 'Forbidden: the Host header does not name this server' };
    }
    const origins = headers['origin'] ?? [];
    if (!origins.every((origin) => this.hosts.some((own) => origin.toLowerCase() === `http://${own}`))) {
      return { status: 403, message: 'Forbidden: requests of other origins are not served' };
    }
    const [authorization, ...others] = headers['authorization'] ?? [];
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token !== undefined && others.length === 0 && this.tokenCheck.accepts(token)) return undefined;
    const challenge = token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
    return {
      status: 401,
      message: 'Unauthorized: a valid bearer token is needed',
      headers: { 'WWW-Authenticate': challenge },
    };
  }
}
