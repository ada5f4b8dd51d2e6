import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  CHAT_AGENT_NAME,
  COMMANDS,
  CONTEXT_KEYS,
  DEFAULT_SUFFIX,
  ENDED_TAB_CLOSINGS,
  ENVIRONMENT_COMMANDS,
  ENVIRONMENT_KINDS,
  ITEM_KINDS,
  KEPT_ENDED_TABS,
  MCP_COMMANDS,
  MCP_PROVIDER_ID,
  MCP_SERVER_KIND,
  REVEAL_MODES,
  SETTINGS,
  SETTINGS_SECTION,
  VIEWS,
} from '../../src/vscode/contributions';
import { DETACHED_LIFETIME_MS, RETAINED_BYTES } from '../../src/cli/runSessionHost';
import { INITIALIZE_TIMEOUT_MS } from '../../src/execServer/client/execServerClient';
import { CONNECT_TIMEOUT_MS } from '../../src/execServer/transports/webSocketDialer';
import { EXEC_YIELD_MS } from '../../src/mcp/limits';
import { tools } from '../../src/mcp/tools';

interface Manifest {
  readonly name: string;
  readonly main: string;
  readonly icon: string;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly when?: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly when: string }[];
    readonly configuration: readonly SettingSection[];
    readonly chatAgents: readonly ChatFile[];
    readonly chatInstructions: readonly ChatFile[];
    readonly chatPlugins: readonly ChatFile[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly walkthroughs: readonly { readonly steps: readonly WalkthroughStep[] }[];
  };
}

interface SettingSection {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, SettingContribution>>;
}

interface ChatFile {
  readonly path: string;
  readonly when: string;
}

interface SettingContribution {
  readonly default: unknown;
  readonly order: number;
  readonly scope: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}

interface WalkthroughStep {
  readonly media: { readonly svg: string; readonly altText?: string };
  readonly completionEvents: readonly string[];
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const manifest = readJson('package.json') as Manifest;
const texts = readJson('package.nls.json') as Readonly<Record<string, string>>;
const { contributes } = manifest;

/** Context keys of VS Code itself that our `when` clauses use. */
const FOREIGN_KEYS = ['isWorkspaceTrusted', 'view', 'viewItem', 'workspaceFolderCount'];
/** Commands of VS Code itself, and those that it makes for each view, that our texts link to. */
const FOREIGN_COMMANDS = ['workbench.action.chat.open', 'workbench.trust.manage', `${VIEWS.sessions}.focus`];

const menuItems = Object.values(contributes.menus).flat();
const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
/** All settings, whatever section they are in. */
const settings = Object.fromEntries(contributes.configuration.flatMap(({ properties }) => Object.entries(properties)));
const commandIds: string[] = [COMMANDS, ENVIRONMENT_COMMANDS, MCP_COMMANDS].flatMap((ids) => Object.values(ids));

function readJson(file: string): unknown {
  return JSON.parse(readText(file));
}

function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Every string in the manifest, however deep. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort();
}

describe('ids', () => {
  it('names the same commands in the manifest and in the code', () => {
    expect(sorted(contributes.commands.map(({ command }) => command))).toEqual(sorted(commandIds));
  });

  it('names the same views', () => {
    const views = Object.values(contributes.views).flat();
    expect(sorted(views.map(({ id }) => id))).toEqual(sorted(Object.values(VIEWS)));
    expect(sorted(contributes.viewsWelcome.map(({ view }) => view))).toEqual(sorted(Object.values(VIEWS)));
  });

  it('names the same settings, with the same defaults', () => {
    const inManifest = Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, setting.default]));
    const inCode = Object.fromEntries(Object.entries(SETTINGS).map(([key, value]) => [`${SETTINGS_SECTION}.${key}`, value]));
    expect(inManifest).toEqual(inCode);
  });

  it.each([
    ['execSessions.revealTerminal', REVEAL_MODES],
    ['execSessions.closeEndedTabs', ENDED_TAB_CLOSINGS],
  ] as const)('names the same choices for %s, each with a description', (key, choices) => {
    const setting = settings[key];
    expect(setting?.enum).toEqual(choices);
    expect(setting?.enumDescriptions).toHaveLength(choices.length);
  });

  it('names the same provider of MCP servers', () => {
    expect(contributes.mcpServerDefinitionProviders.map(({ id }) => id)).toEqual([MCP_PROVIDER_ID]);
  });

  it('lets no setting of a workspace count before it is trusted', () => {
    const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    expect(sorted(restricted)).toEqual(sorted(Object.keys(settings)));
  });

  it('orders the sections of the settings, and the settings in each', () => {
    const { configuration } = contributes;
    expect(configuration.map(({ order }) => order)).toEqual(configuration.map((_, at) => at + 1));
    for (const { properties } of configuration) {
      const orders = Object.values(properties).map(({ order }) => order);
      expect(orders).toEqual(orders.map((_, at) => at + 1));
    }
  });

  it('names the agent of the chat, and gives it tools that exist and no other terminal', () => {
    const [agent] = contributes.chatAgents.map(({ path: file }) => readText(file));
    const [, name] = /^name: (.+)$/m.exec(agent!)!;
    const [, list] = /^tools:\s*\[([^\]]+)\]/m.exec(agent!)!;
    const offered = [...list!.matchAll(/'([^']+)'/g)].map(([, tool]) => tool!);
    expect(name).toBe(CHAT_AGENT_NAME);
    expect(offered).toContain(`${manifest.name}/*`);
    expect(offered.filter((tool) => /execute|terminal|task/i.test(tool))).toEqual([]);
  });

  it('tells chats only of tools that there are', () => {
    const names = tools.map((tool) => tool.name);
    const guides = [...contributes.chatAgents, ...contributes.chatInstructions].map(({ path: file }) => readText(file));
    const mentioned = guides.flatMap((text) => text.match(/\b[a-z]+_(?:command|stdin|output|sessions?)\b/g) ?? []);
    expect(sorted(mentioned).filter((name) => !names.includes(name))).toEqual([]);
    expect(mentioned.length).toBeGreaterThan(0);
  });
});

describe('menus', () => {
  it('holds no command that does not exist', () => {
    expect(menuItems.map(({ command }) => command).filter((id) => !commandIds.includes(id))).toEqual([]);
  });

  it('asks only for context keys that somebody sets', () => {
    const { viewsWelcome, chatAgents, chatInstructions, chatPlugins } = contributes;
    const views = Object.values(contributes.views).flat();
    const contributions = [...menuItems, ...views, ...viewsWelcome, ...chatAgents, ...chatInstructions, ...chatPlugins];
    const clauses = contributions.flatMap(({ when }) => when ?? []);
    const keys = clauses.flatMap((clause) => clause.split(/&&|\|\|/).map((part) => part.trim().replace(/^!|\s.*$/g, '')));
    const settingKeys = Object.keys(settings).map((key) => `config.${key}`);
    const ownKeys: string[] = Object.values(CONTEXT_KEYS);
    expect(sorted(keys).filter((key) => ![...FOREIGN_KEYS, ...ownKeys].includes(key) && !settingKeys.includes(key))).toEqual(
      [],
    );
  });

  it('compares with views and kinds of items that exist, and uses every kind', () => {
    const clauses = menuItems.map(({ when }) => when).join('\n');
    const views = [...clauses.matchAll(/\bview == (\S+)/g)].map((match) => match[1]!);
    const kinds = [...clauses.matchAll(/\bviewItem == (\S+)/g)].map((match) => match[1]!);
    const patterns = [...clauses.matchAll(/\bviewItem =~ \/(.+?)\//g)].map((match) => new RegExp(match[1]!));
    const environmentKinds = Object.values(ENVIRONMENT_KINDS).flatMap((kind) => [kind, `${kind}${DEFAULT_SUFFIX}`]);
    const known: string[] = [...Object.values(ITEM_KINDS), ...environmentKinds, MCP_SERVER_KIND];
    expect(views.filter((view) => !Object.values<string>(VIEWS).includes(view))).toEqual([]);
    expect(kinds.filter((kind) => !known.includes(kind))).toEqual([]);
    expect(known.filter((kind) => !kinds.includes(kind) && !patterns.some((pattern) => pattern.test(kind)))).toEqual([]);
  });
});

describe('texts', () => {
  it('has a text for every key that the manifest asks for, and no other', () => {
    const asked = stringsIn(manifest).flatMap((text) => /^%(.+)%$/.exec(text)?.[1] ?? []);
    expect(sorted(asked)).toEqual(sorted(Object.keys(texts)));
  });

  it('names the numbers that the code has', () => {
    expect(texts['setting.revealTerminal.longRunning']).toContain(`for ${String(EXEC_YIELD_MS / 1_000)} seconds`);
    expect(texts['setting.closeEndedTabs.allButRecent']).toContain(`the last ${String(KEPT_ENDED_TABS)},`);
    for (const [key, ms] of [
      ['connectTimeoutSeconds', CONNECT_TIMEOUT_MS],
      ['initializeTimeoutSeconds', INITIALIZE_TIMEOUT_MS],
    ] as const) {
      expect(texts[`setting.environments.${key}`]).toContain(`${String(ms / 1_000)} unless given`);
    }
    expect(texts['setting.persistSessions']).toContain(`last ${String(RETAINED_BYTES / 1_024 ** 2)} MB of output`);
    expect(texts['setting.persistSessions']).toContain(`within ${String(DETACHED_LIFETIME_MS / 60_000)} minutes`);
  });

  it('links only to commands that exist', () => {
    const linked = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\(command:([^)?]+)/g)].map((match) => match[1]!),
    );
    expect(linked.length).toBeGreaterThan(0);
    expect(linked.filter((id) => ![...commandIds, ...FOREIGN_COMMANDS].includes(id))).toEqual([]);
  });

  it('writes commands in title case, under one category', () => {
    for (const { title, category } of contributes.commands) {
      expect(texts[title.slice(1, -1)]).toMatch(/^[A-Z]\w*(?: (?:[A-Z][\w-]*|as|in|an?|the|to|with))*(?:\.\.\.)?$/);
      expect(category).toBe('%category%');
    }
  });
});

describe('files', () => {
  it('ships every file that it names', () => {
    const named = [manifest.icon, ...stringsIn(contributes).filter((text) => text.startsWith('media/'))];
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it('shows every picture of the walkthrough, each with a description', () => {
    const media = steps.map((step) => step.media);
    const pictures = readdirSync(path.join(ROOT, 'media', 'walkthrough')).map((file) => `media/walkthrough/${file}`);
    expect(sorted(media.map(({ svg }) => svg))).toEqual(sorted(pictures));
    expect(media.filter(({ altText }) => altText === undefined)).toEqual([]);
  });

  it('draws the pictures in the colours of the theme, white signs on coloured discs apart', () => {
    const pictures = steps.map((step) => readText(step.media.svg));
    const colours = pictures.flatMap((picture) =>
      [...picture.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map((match) => match[1]!),
    );
    const isOfTheme = (colour: string): boolean => /^(?:var\(--vscode-[\w-]+, .+\)|none|#fff)$/.test(colour);
    expect(sorted(colours).filter((colour) => !isOfTheme(colour))).toEqual([]);
    expect(pictures.filter((picture) => !picture.includes('<title>'))).toEqual([]);
  });

  it('starts the bundle that the build makes', () => {
    expect(manifest.main).toBe('./dist/extension.js');
  });
});

it('completes walkthrough steps on commands, views and context keys that exist, or when they are read', () => {
  const events = steps.flatMap((step) => step.completionEvents);
  const known = [
    ...[...commandIds, ...FOREIGN_COMMANDS].map((id) => `onCommand:${id}`),
    ...Object.values(VIEWS).map((id) => `onView:${id}`),
    ...Object.values(CONTEXT_KEYS).map((key) => `onContext:${key}`),
    'onStepSelected',
  ];
  expect(events.filter((event) => !known.includes(event))).toEqual([]);
});
