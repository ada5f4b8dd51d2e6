import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../src/mcp/redaction';
import { startClient } from '../support/startClient';
import { createManager } from '../support/startSession';

/** Put together here, so that nobody's scanner takes this file for a leak. */
const AWS = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
const GITHUB = `ghp_${'a'.repeat(36)}`;

describe('redaction', () => {
  it.each([
    ['an AWS access key', AWS, '[AWS access key masked]'],
    ['a GitHub token', GITHUB, '[GitHub token masked]'],
    ['a fine-grained GitHub token', `github_pat_${'A1_'.repeat(10)}`, '[GitHub token masked]'],
    ['a GitLab token', `glpat-${'x'.repeat(20)}`, '[GitLab token masked]'],
    ['an npm token', `npm_${'A'.repeat(36)}`, '[npm token masked]'],
    ['a Slack token', `xoxb-${'1'.repeat(12)}-abc`, '[Slack token masked]'],
    ['a Stripe key', `sk_live_${'a1'.repeat(12)}`, '[Stripe key masked]'],
    ['an API key', `sk-proj-${'Ab1_'.repeat(10)}`, '[API key masked]'],
    ['a Google API key', `AIza${'x'.repeat(35)}`, '[Google API key masked]'],
    ['a JSON web token', `eyJ${'h'.repeat(20)}.eyJ${'p'.repeat(20)}.${'s'.repeat(20)}`, '[JSON web token masked]'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[private key masked]'],
  ])('masks %s', (_, secret, masked) => {
    expect(redactSecrets(`before ${secret} after`)).toEqual({ text: `before ${masked} after`, count: 1 });
  });

  it.each([
    'a commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'AKIA is a prefix',
    'task-force',
    'the risk-management sk-1',
    'eyJ.a.b',
  ])('leaves %j alone', (text) => {
    expect(redactSecrets(text)).toEqual({ text, count: 0 });
  });

  it('counts what it masks in a reply, in what is read again and in resources, and never touches what is kept', async () => {
    const manager = createManager();
    const client = await startClient(manager, { isRedacting: () => true });

    const reply = await client.exec(`echo ${AWS}; echo ${GITHUB}`);
    const session = manager.list()[0]!;
    const again = await client.call('read_output', { session_id: session.info.id });
    const uri = `exec-session://${String(session.info.id)}/transcript`;
    const { contents } = await client.client.readResource({ uri });

    const masked = '[AWS access key masked]\n[GitHub token masked]\n';
    expect(reply.structured).toMatchObject({ output: masked, maskedSecrets: 2 });
    expect(reply.status).toContain('2 secrets are masked here; the terminal shows them.');
    expect(again.structured.output).toBe(masked);
    expect((contents[0] as { text: string }).text).toBe(masked);
    expect(session.replay().toString()).toBe(`${AWS}\r\n${GITHUB}\r\n`);
  });

  it('is off unless it is asked for', async () => {
    const client = await startClient();

    expect((await client.exec(`echo ${AWS}`)).structured.output).toBe(`${AWS}\n`);
  });
});
