/**
 * `npm test`: everything that has to hold, from a fresh clone with nothing but Node.js. The last line is `N passed, N failed`.
 *
 *   npm test                      types, lint, format, build and package, then the tests of all projects
 *   npm test -- unit bundle       only the tests of these projects, with the build if they need it
 *
 * A step that fails counts as one failure and does not keep the others from running, unless they need what it makes.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'artifacts', 'test-results');

const MINUTE_MS = 60_000;
/** A run that takes longer than this hangs; the slowest machine that we know needs less than half of it. */
const WHOLE_RUN_MS = 38 * MINUTE_MS;
const STEP_MS = 10 * MINUTE_MS;

/** The projects of `vitest.config.mts`: what each needs before it can run, and when it counts as hanging. */
const projects = {
  unit: { needs: ['programs'], limitMs: 10 * MINUTE_MS },
  bundle: { needs: ['programs', 'build'], limitMs: 10 * MINUTE_MS },
  interop: { needs: ['build'], limitMs: 10 * MINUTE_MS },
  editor: { needs: ['programs', 'build', 'workbench'], limitMs: 20 * MINUTE_MS },
};

/** Debian packages with what tests start where it exists, and the program by which each is known. */
const shells = { zsh: 'zsh', fish: 'fish' };
/** Only where nobody lives: its package starts a service that listens to the network. */
const sshServer = { 'openssh-server': '/usr/sbin/sshd' };

const tally = { passed: 0, failed: 0, notes: [] };
const deadline = Date.now() + WHOLE_RUN_MS;
/** The process group that runs right now, and the signal that asked us to stop. */
const current = { pid: undefined, signal: undefined };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    current.signal = signal;
    killGroup(current.pid);
  });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error);
  fail('the run itself');
}
for (const note of tally.notes) console.log(note);
console.log(`${tally.passed} passed, ${tally.failed} failed`);
if (current.signal !== undefined) process.exit(128 + constants.signals[current.signal]);
process.exit(tally.failed > 0 ? 1 : 0);

async function main(names) {
  const unknown = names.filter((name) => !(name in projects));
  if (unknown.length > 0) {
    fail(`no such project: ${unknown.join(', ')} (there are ${Object.keys(projects).join(', ')})`);
    return;
  }
  if (!(await installPackages())) return;
  const isWhole = names.length === 0;
  if (isWhole) {
    await check('types', 'node_modules/typescript/bin/tsc', ['--noEmit']);
    await check('lint', 'node_modules/eslint/bin/eslint.js', ['.', '--max-warnings', '0']);
    await check('format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '.']);
  }
  const selected = isWhole ? Object.keys(projects) : names;
  const ready = await prepare(new Set(selected.flatMap((name) => projects[name].needs)));
  for (const name of selected) {
    const missing = projects[name].needs.filter((need) => !ready.has(need));
    if (missing.length > 0) tally.notes.push(`${name}: not run, because of the failed ${missing.join(' and ')}`);
    else await runProject(name);
  }
}

async function installPackages() {
  if (arePackagesCurrent()) return true;
  heading('npm ci');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund'];
  const isInstalled = npm?.endsWith('npm-cli.js') ? await run(process.execPath, [npm, ...args]) : await run('npm', args);
  if (!isInstalled) fail('npm ci');
  return isInstalled;
}

/** Whether npm's record of what it installed has all that the lock file asks for on this platform. */
function arePackagesCurrent() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    const isProjectItself = path === '';
    if (installed[path] === undefined) return isProjectItself || optional === true;
    return installed[path].version === version;
  });
}

/** Makes what the selected projects need and returns what is there afterwards. */
async function prepare(needs) {
  const ready = new Set();
  if (needs.has('build') && (await check('build', 'esbuild.mjs', ['--package']))) ready.add('build');
  if (needs.has('programs')) {
    await installPrograms();
    ready.add('programs');
  }
  if (needs.has('workbench') && (await installWorkbench())) ready.add('workbench');
  return ready;
}

/** Never a failure: the tests that want a program skip themselves without it. */
async function installPrograms() {
  const wanted = Object.entries(process.env.CI === 'true' ? { ...shells, ...sshServer } : shells);
  const findMissing = () => wanted.filter(([, program]) => !isOnPath(program)).map(([name]) => name);
  const missing = findMissing();
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (isOnPath('apt-get') && (isRoot || isOnPath('sudo'))) {
    heading(`apt-get install ${missing.join(' ')}`);
    // `-n`: where sudo would ask for a password, do without rather than wait for one.
    const aptGet = [...(isRoot ? [] : ['sudo', '-n']), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq'];
    const [program, ...args] = aptGet;
    await run(program, [...args, 'update']);
    await run(program, [...args, 'install', '-y', '--no-install-recommends', ...missing]);
  }
  const absent = findMissing();
  if (absent.length > 0) tally.notes.push(`not installed, so tests with it are skipped: ${absent.join(', ')}`);
}

async function installWorkbench() {
  heading('workbench');
  const isInstalled = await run(process.execPath, ['test/workbench/install.mjs']);
  if (!isInstalled) fail('workbench');
  return isInstalled;
}

async function runProject(name) {
  heading(`tests: ${name}`);
  const report = join(results, `${name}.json`);
  mkdirSync(results, { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', name, ...reporters];
  const isGood = await run(process.execPath, args, projects[name].limitMs);
  const counts = readReport(report);
  tally.passed += counts.passed;
  tally.failed += counts.failed;
  tally.notes.push(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  // Such as an error that no test caught, a project without tests, or a run that hung.
  if (!isGood && counts.failed === 0) fail(`${name}: the run failed beside its tests`);
}

/** A file that does not even load has no tests to fail: it counts as one. */
function readReport(path) {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0 };
  const files = JSON.parse(readFileSync(path, 'utf8')).testResults;
  const statuses = files.flatMap((file) => file.assertionResults.map((test) => test.status));
  const count = (status) => statuses.filter((other) => other === status).length;
  const broken = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const passed = count('passed');
  const failed = count('failed');
  return { passed, failed: failed + broken.length, skipped: statuses.length - passed - failed };
}

/** Runs a Node program of the repository as one check of its own. */
async function check(name, script, args) {
  if (isOver()) return false;
  heading(name);
  const isGood = await run(process.execPath, [script, ...args]);
  if (isGood) tally.passed += 1;
  else fail(name);
  return isGood;
}

function fail(what) {
  tally.failed += 1;
  tally.notes.push(`failed: ${what}`);
}

/** Whether nothing more is to be started: somebody asked us to stop, or the time is up. */
function isOver() {
  return current.signal !== undefined || Date.now() >= deadline;
}

/** Runs a program to its end, or to the end of its time, and then ends whatever it left running in its process group. */
function run(program, args, limitMs = STEP_MS) {
  if (isOver()) return Promise.resolve(false);
  return new Promise((resolve) => {
    const isDetached = process.platform !== 'win32';
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: isDetached });
    current.pid = child.pid;
    const allowedMs = Math.min(limitMs, deadline - Date.now());
    const timer = setTimeout(() => {
      console.error(`stopped after ${Math.round(allowedMs / 1000)} s: ${program} ${args.join(' ')}`);
      killGroup(child.pid);
    }, allowedMs);
    const finish = (isGood) => {
      clearTimeout(timer);
      killGroup(child.pid);
      current.pid = undefined;
      resolve(isGood);
    };
    child.on('error', (error) => {
      console.error(error.message);
      finish(false);
    });
    child.on('exit', (code) => finish(code === 0));
  });
}

function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Nobody is left in the group, which is what we want.
  }
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(resolve(folder, program)));
}

function heading(text) {
  console.log(`\n== ${text}`);
}
