/**
 * What projects tell agents in `AGENTS.md`: with the instructions of the server for the folder where commands run by default, and
 * as resources for every environment and folder.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../base/messageOf';
import type { Log } from '../base/log';
import { MAX_PROJECT_DOC_BYTES, PROJECT_DOC_SEPARATOR, type ProjectDocs } from '../files/projectDocs';
import type { SessionManager } from '../session/sessionManager';

/** How long a client that connects waits for another machine; what comes later only the resource has. */
const WAIT_FOR_DOCS_MS = 2_000;
/** The addresses of the resources, for models and for us. */
const URI_FORM = 'project-docs://<environment>?cwd=<absolute path>';
const URI = /^project-docs:\/\/([\w-]+)(?:\?cwd=([^&#]+))?$/;

export const PROJECT_DOCS_TYPE = 'text/markdown';

export interface ProjectDocsReader {
  /**
   * What holds in the folder `cwd` (absolute) of an environment; `undefined`: where its server was started. Connects where it has
   * to. Rejects with an `Error` that says why nothing can be read.
   */
  read(environmentId: string, cwd: string | undefined): Promise<ProjectDocs>;
}

type Environment = NonNullable<SessionManager['environments']['defaultEnvironment']>;

export interface ProjectDocsOptions {
  /** `undefined`: nobody reads files for this server. */
  readonly reader: ProjectDocsReader | undefined;
  readonly environments: SessionManager['environments'];
  /** Where commands start in an environment; `undefined`: where its server was started. */
  readonly folderOf: (environment: Environment) => string | undefined;
  /** Whether the client reads the files of this machine by itself, so that it would have them twice. */
  readonly isClientReadingLocal: boolean;
  readonly log: Log;
}

export const PROJECT_DOCS_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'project-docs://{environment}{?cwd}',
  name: 'project-docs',
  title: 'What a project tells agents',
  description: `AGENTS.md of the folder cwd (an absolute path) and of the folders above it in its project, up to ${MAX_PROJECT_DOC_BYTES} bytes.`,
  mimeType: PROJECT_DOCS_TYPE,
};

/** What one client is offered of them. */
export class ProjectDocsOffer {
  private constructor(
    private readonly options: ProjectDocsOptions,
    /** Of the default environment; `undefined` where there are none, or none as yet. */
    private readonly found: ProjectDocs | undefined,
  ) {}

  /** Looks where commands run by default. Never rejects: what cannot be read is logged, and offered all the same. */
  static async prepare(options: ProjectDocsOptions): Promise<ProjectDocsOffer> {
    const { reader, environments, folderOf, log } = options;
    const place = environments.defaultEnvironment;
    if (reader === undefined || place === undefined) return new ProjectDocsOffer(options, undefined);
    const giveUp = new AbortController();
    try {
      const reading = reader.read(place.id, folderOf(place));
      const found = await Promise.race([reading, delay(WAIT_FOR_DOCS_MS, undefined, { signal: giveUp.signal })]);
      return new ProjectDocsOffer(options, found?.text === '' ? undefined : found);
    } catch (error) {
      log.warn(`what the project in ${place.id} tells agents could not be read: ${messageOf(error)}`);
      return new ProjectDocsOffer(options, undefined);
    } finally {
      giveUp.abort();
    }
  }

  /** To follow the instructions of the server; empty where there is nothing to say. */
  get instructions(): string {
    const { found } = this;
    const { environments, isClientReadingLocal } = this.options;
    if (found === undefined) return '';
    if (isClientReadingLocal && environments.defaultEnvironment?.kind === 'local') return '';
    return `\n\nThe project has instructions for you. ${textOf(found)}`;
  }

  /** A sentence for who is about to run a command; empty where there is nothing to say. */
  get hint(): string {
    const { environments, reader } = this.options;
    if (reader === undefined) return '';
    const isElsewhere = environments.list().some(({ kind }) => kind === 'remote');
    const here =
      this.found === undefined ? '' : ` What the project tells agents is in ${this.found.paths.join(', ')}: heed it.`;
    return isElsewhere ? `${here} Of other projects and machines the resource ${URI_FORM} has it.` : here;
  }

  /** Another machine is asked only when its resource is read. */
  resources(): Resource[] {
    const { environments, reader } = this.options;
    if (reader === undefined) return [];
    const defaultId = environments.defaultEnvironment?.id;
    return environments
      .list()
      .filter(({ kind, id }) => kind === 'remote' || (id === defaultId && this.found !== undefined))
      .map(({ id, label }) => ({
        uri: `project-docs://${id}`,
        name: `project-docs-${id}`,
        title: `What the project on ${label} tells agents`,
        mimeType: PROJECT_DOCS_TYPE,
      }));
  }

  /** `undefined` for a resource of another kind. Rejects with an `Error` that says why nothing can be read. */
  read(uri: string): Promise<string> | undefined {
    const { reader, environments, folderOf } = this.options;
    const [, id, cwd] = URI.exec(uri) ?? [];
    const environment = environments.list().find((one) => one.id === id);
    if (reader === undefined || environment === undefined) return undefined;
    const folder = cwd === undefined ? undefined : decodeURIComponent(cwd);
    return reader.read(environment.id, folder ?? folderOf(environment)).then(textOf);
  }
}

function textOf({ paths, text, omittedBytes }: ProjectDocs): string {
  if (text === '') return 'There is no AGENTS.md.';
  const omitted = omittedBytes === 0 ? '' : `\n[… ${omittedBytes} bytes omitted: read the files …]`;
  return `From ${paths.join(', ')}:${PROJECT_DOC_SEPARATOR}${text}${omitted}`;
}
