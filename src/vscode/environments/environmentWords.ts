/** What the window says about an environment. */
import type { ServerEnvironment } from '../../environment/serverEnvironment';
import type { LocalEnvironment } from '../../process/execEnvironment';
import type { Localization } from '../localization';
import { oneLine } from '../oneLine';

/** What is said of it depends on this much. */
export type NamedEnvironment =
  Pick<LocalEnvironment, 'kind' | 'id' | 'label'> | Pick<ServerEnvironment, 'kind' | 'id' | 'label' | 'state'>;

export interface EnvironmentUse {
  readonly isDefault: boolean;
  /** Sessions that run there. */
  readonly runningCount: number;
}

/** Of a reason, which may hold the last words of a program: in a row, and where there is room for all that is kept of these. */
const ROW_REASON_CHARS = 80;
const WHOLE_REASON_CHARS = 1_000;

/** How one is connected, such as `disconnected: connect ECONNREFUSED`; `undefined` for this machine, which always is. */
export function connectionWords(
  environment: NamedEnvironment,
  l10n: Localization,
  maxReasonChars = WHOLE_REASON_CHARS,
): string | undefined {
  if (environment.kind === 'local') return undefined;
  const { state } = environment;
  switch (state.kind) {
    case 'connecting':
      return l10n.t('connecting');
    case 'recovering':
      return l10n.t('connecting again');
    case 'connected':
      return l10n.t('connected');
    case 'disconnected':
      if (state.reason === undefined) return l10n.t('never connected');
      if (state.isOurs) return l10n.t('disconnected by you');
      return l10n.t('disconnected: {0}', oneLine(state.reason, maxReasonChars));
  }
}

/** What a row says beside the id, such as `default · connected · 2 sessions · the build box`: what may be long comes last. */
export function environmentRowWords(environment: NamedEnvironment, use: EnvironmentUse, l10n: Localization): string {
  const words = [
    use.isDefault ? l10n.t('default') : undefined,
    connectionWords(environment, l10n, ROW_REASON_CHARS),
    use.runningCount === 0 ? undefined : countWords(use.runningCount, l10n),
    environment.label,
  ];
  return words.filter((word) => word !== undefined).join(' · ');
}

/** The same in a sentence, for those who hear it. */
export function spokenEnvironmentWords(environment: NamedEnvironment, use: EnvironmentUse, l10n: Localization): string {
  const words = [
    l10n.t('Environment {0}', environment.id),
    environment.label,
    connectionWords(environment, l10n),
    countWords(use.runningCount, l10n),
    use.isDefault ? l10n.t('where commands run that name no environment') : undefined,
  ];
  return words.filter((word) => word !== undefined).join(', ');
}

export function countWords(count: number, l10n: Localization): string {
  return count === 1 ? l10n.t('1 session') : l10n.t('{0} sessions', count);
}
