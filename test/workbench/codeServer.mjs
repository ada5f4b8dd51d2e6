import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { codeServerEntryPath, node24Path } from './install.mjs';
import { neutralEnv, run } from './processes.mjs';
import { until } from './until.mjs';

const SUPERVISOR = fileURLToPath(new URL('supervise.mjs', import.meta.url));

/** A quiet machine takes 2–6 s; ten times that says that it will not come. */
const START_TIMEOUT_MS = 60_000;
/** A window that is gone for so long is not coming back: its extension host ends then, and not hours later. */
const RECONNECTION_GRACE_S = 5;
/** The server gives a window its time to come back, its extension host gives extensions 5 s for their good-byes; and some to spare. */
const STOP_GRACE_MS = 15_000;
/** A group that was killed is gone at once, unless the machine is very busy. */
const KILL_TIMEOUT_MS = 5_000;
/** Programs that are just ending may still write into the folder that is being removed. */
const REMOVE_RETRIES = 10;
const LOG_TAIL_CHARS = 4_000;

/** What keeps a window quiet and its content readable, whatever the test or demo. */
const BASE_SETTINGS = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  // The terminal as text in the page: a canvas could not be read, and needs a GPU to be fast.
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
};

/**
 * Starts a code-server on loopback with folders of its own for settings, extensions and workspace, and with the given
 * extension packages installed the way a user installs them. Whoever starts it stops it; should this process end first,
 * the server and all that it has started are killed.
 */
export async function startCodeServer(options = {}) {
  const { vsixFiles = [], settings = {}, chatModels, env = {}, dataDir, port, startsRestricted = false } = options;
  const root = dataDir ?? mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-workbench-'));
  const userDataDir = path.join(root, 'user-data');
  const extensionsDir = path.join(root, 'extensions');
  const workspaceDir = path.join(root, 'workspace');
  for (const folder of [path.join(userDataDir, 'User'), extensionsDir, workspaceDir]) mkdirSync(folder, { recursive: true });
  writeJsonOnce(path.join(userDataDir, 'User', 'settings.json'), {
    ...BASE_SETTINGS,
    'security.workspace.trust.enabled': startsRestricted,
    // The window is restricted at once; nobody has to say no first.
    'security.workspace.trust.startupPrompt': 'never',
    ...settings,
  });
  if (chatModels !== undefined) writeJsonOnce(path.join(userDataDir, 'User', 'chatLanguageModels.json'), chatModels);

  const serverEnv = neutralEnv(env);
  const entry = [
    codeServerEntryPath(),
    '--config',
    os.devNull,
    '--user-data-dir',
    userDataDir,
    '--extensions-dir',
    extensionsDir,
  ];
  if (vsixFiles.length > 0) {
    const install = vsixFiles.flatMap((file) => ['--install-extension', file]);
    await run(node24Path(), [...entry, ...install, '--force'], { env: serverEnv });
  }

  const serverPort = port ?? (await findFreePort());
  const logFile = path.join(root, 'server.log');
  const logDescriptor = openSync(logFile, 'a');
  const server = spawn(
    process.execPath,
    [SUPERVISOR, node24Path(), ...entry, ...serverFlags(serverPort, startsRestricted), workspaceDir],
    {
      env: serverEnv,
      // The input stays open, unused, until this process ends: see the supervisor.
      stdio: ['pipe', logDescriptor, logDescriptor],
      // A process group of its own, so that everything the server starts can be ended together.
      detached: true,
    },
  );
  closeSync(logDescriptor);
  const group = createProcessGroup(server);
  const url = `http://127.0.0.1:${serverPort}`;

  const stop = async ({ keepData = false } = {}) => {
    await group.stop();
    if (!keepData) rmSync(root, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
  };
  try {
    await until('code-server answers', async () => group.hasEnded() || (await fetch(`${url}/healthz`)).ok, START_TIMEOUT_MS);
    if (group.hasEnded()) throw new Error('code-server ended while it was starting.');
  } catch (error) {
    const log = readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARS);
    await stop({ keepData: dataDir !== undefined });
    throw new Error(`code-server does not start. The end of its log:\n${log}`, { cause: error });
  }
  return { url, port: serverPort, dataDir: root, workspaceDir, logFile, stop };
}

function serverFlags(port, startsRestricted) {
  return [
    ...['--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    ...(startsRestricted ? [] : ['--disable-workspace-trust']),
    ...['--ignore-last-opened', '--reconnection-grace-time', `${RECONNECTION_GRACE_S}`],
  ];
}

function createProcessGroup(leader) {
  let hasLeaderEnded = false;
  leader.once('exit', () => (hasLeaderEnded = true));
  leader.once('error', () => (hasLeaderEnded = true));
  const signal = (name) => {
    if (leader.pid === undefined) return false;
    try {
      return process.kill(-leader.pid, name);
    } catch {
      // No process of the group is left.
      return false;
    }
  };
  const isGone = () => hasLeaderEnded && !signal(0);

  return {
    hasEnded: () => hasLeaderEnded,
    async stop() {
      // Only to the server: it lets its extension hosts end in their own way, as when a window is closed.
      leader.kill('SIGTERM');
      try {
        await until('the processes of code-server have ended', isGone, STOP_GRACE_MS);
      } catch {
        // They had their time.
        signal('SIGKILL');
        await until('the killed processes of code-server are gone', isGone, KILL_TIMEOUT_MS);
      }
    },
  };
}

/** A port that was free a moment ago: the kernel hands out another one to whoever asks next. */
function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A file that is there stays: a server that starts again finds what its windows have changed. */
function writeJsonOnce(file, value) {
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
