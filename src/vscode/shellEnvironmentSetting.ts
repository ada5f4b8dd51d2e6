import type { Log } from '../base/log';
import { DEFAULT_SHELL_ENVIRONMENT_POLICY, type ShellEnvironmentPolicy } from '../process/shellEnvironmentPolicy';

/** What is used in place of a setting that cannot be understood: too little is noticed, too much is not. */
const SAFE_POLICY: ShellEnvironmentPolicy = {
  ...DEFAULT_SHELL_ENVIRONMENT_POLICY,
  inherit: 'core',
  ignoreDefaultExcludes: false,
};

const CHECKS: { readonly [K in keyof ShellEnvironmentPolicy]: (value: unknown) => boolean } = {
  inherit: (value) => value === 'all' || value === 'core' || value === 'none',
  ignoreDefaultExcludes: (value) => typeof value === 'boolean',
  exclude: isListOfTexts,
  set: (value) => isObject(value) && isListOfTexts(Object.values(value)),
  includeOnly: isListOfTexts,
};

/** The policy of the setting `execSessions.shellEnvironment`; what it does not name has its default. */
export function policyFromSetting(value: unknown, log: Log): ShellEnvironmentPolicy {
  const fault = findFault(value);
  if (fault === undefined) return { ...DEFAULT_SHELL_ENVIRONMENT_POLICY, ...(value as Partial<ShellEnvironmentPolicy>) };
  log.error(`The setting execSessions.shellEnvironment ${fault}: until it is mended, sessions get the core variables only.`);
  return SAFE_POLICY;
}

function findFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'is not an object';
  for (const [key, entry] of Object.entries(value)) {
    const check = (CHECKS as Readonly<Record<string, ((value: unknown) => boolean) | undefined>>)[key];
    if (check === undefined) return `has the unknown key ${JSON.stringify(key)}`;
    if (!check(entry)) return `has a value of the wrong kind for ${key}`;
  }
  return undefined;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
