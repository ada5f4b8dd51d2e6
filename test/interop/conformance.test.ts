/** The official conformance suite of the protocol, against our HTTP host. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startHttpHost } from '../support/startHttpHost';
import { tempDir } from '../support/tempDir';
import { startAuthorizingProxy, type StandIn } from './support/authorizingProxy';
import { type ConformanceSuite, installConformanceSuite, listScenarios, runScenario } from './support/conformanceSuite';

/** The suite calls tools of its own: ours that do what it expects of them. */
const standIns: Record<string, StandIn> = {
  test_simple_text: { name: 'exec_command', arguments: { cmd: 'echo simple text', login: false } },
  test_error_handling: { name: 'exec_command', arguments: { cmd: 'true', workdir: '/no/such/folder' } },
  test_tool_with_progress: { name: 'exec_command', arguments: { cmd: 'sleep 3.5', login: false } },
};

/** What each scenario must find. */
const applicable: Record<string, readonly string[]> = {
  'server-initialize': ['server-initialize: SUCCESS'],
  ping: ['ping: SUCCESS'],
  'tools-list': ['tools-list: SUCCESS'],
  'tools-call-simple-text': ['tools-call-simple-text: SUCCESS'],
  'tools-call-error': ['tools-call-error: SUCCESS'],
  'tools-call-with-progress': ['tools-call-with-progress: SUCCESS'],
  'resources-list': ['resources-list: SUCCESS'],
  'server-sse-multiple-streams': ['server-accepts-multiple-post-streams: SUCCESS', 'server-sse-streams-functional: SUCCESS'],
  'dns-rebinding-protection': ['localhost-host-rebinding-rejected: SUCCESS', 'localhost-host-valid-accepted: SUCCESS'],
};

const NO_MEDIA = 'our tools reply with text';
const OTHER_RESOURCES = 'it looks for certain resources; ours are the sessions of the moment';
const NO_PROMPTS = 'the server has no prompts';
const ASKS_NOTHING = 'our tools ask the client for nothing';

/** Scenarios that are about something that this server does not offer, and does not say that it does. */
const notApplicable: Record<string, string> = {
  'logging-set-level': 'the server sends no log messages to clients',
  'completion-complete': 'the server completes nothing',
  'tools-call-image': NO_MEDIA,
  'tools-call-audio': NO_MEDIA,
  'tools-call-embedded-resource': NO_MEDIA,
  'tools-call-mixed-content': NO_MEDIA,
  'tools-call-with-logging': 'the server sends no log messages to clients',
  'tools-call-sampling': ASKS_NOTHING,
  'tools-call-elicitation': ASKS_NOTHING,
  'json-schema-2020-12': 'it looks for one certain tool with a made-up schema',
  'elicitation-sep1034-defaults': ASKS_NOTHING,
  'elicitation-sep1330-enums': ASKS_NOTHING,
  'server-sse-polling': 'broken streams are not resumed: what a broken call would have replied comes with the next poll',
  'resources-read-text': OTHER_RESOURCES,
  'resources-read-binary': OTHER_RESOURCES,
  'resources-templates-read': OTHER_RESOURCES,
  'resources-subscribe': OTHER_RESOURCES,
  'resources-unsubscribe': OTHER_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
};

/** The Node.js that the suite needs is there for this platform only. */
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the conformance suite', () => {
  let suite: ConformanceSuite;

  beforeAll(async () => {
    suite = await installConformanceSuite();
  });

  it('has no scenario that we have not looked at', async () => {
    const known = [...Object.keys(applicable), ...Object.keys(notApplicable)];

    expect((await listScenarios(suite)).sort()).toEqual(known.sort());
  });

  it.each(Object.entries(applicable))('is satisfied in the scenario %s', async (name, expected) => {
    const url = await startAuthorizingProxy(await startHttpHost(), standIns);

    expect(await runScenario(suite, name, { url, outputDir: tempDir() })).toEqual(expected);
  });

  it('is told that the method does not exist where it asks for prompts', async () => {
    const url = await startAuthorizingProxy(await startHttpHost(), standIns);

    expect(await runScenario(suite, 'prompts-list', { url, outputDir: tempDir() })).toEqual([
      'prompts-list: FAILURE (Failed: MCP error -32601: Method not found)',
    ]);
  });
});
