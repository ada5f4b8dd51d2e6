import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { allowCall } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

const SERVER = `import { createServer } from 'node:http';

const cart = [];

const server = createServer((request, response) => {
  console.log(request.method, request.url);
  response.end(JSON.stringify(cart));
});

server.listen(0, () => {
  console.log('ready at http://localhost:' + server.address().port + '/');
});
`;
const README = `# Shop

A small shop: put things into the cart, pay, done.

## Develop

- \`npm start\` starts the server.
- \`npm test\` runs the tests.
- \`npm run release\` publishes a version, and asks before it does.
`;
const TESTS = `
for (const name of ['adds an item', 'removes an item', 'keeps the total']) console.log('\x1b[32m✓\x1b[0m ' + name);
`;
const RELEASE = `
import { createInterface } from 'node:readline/promises';
console.log('Releasing \x1b[1mshop 2.4.0\x1b[0m');
console.log('  3 commits since 2.3.1, tests passed');
const ask = createInterface({ input: process.stdin, output: process.stdout });
const answer = await ask.question('Publish to the registry? \x1b[2m(y/N)\x1b[0m ');
console.log(answer === 'y' ? '\x1b[32mPublished\x1b[0m shop 2.4.0' : 'Nothing was published');
ask.close();
`;

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost({
    settings: { 'workbench.colorTheme': 'Default Dark Modern', 'explorer.compactFolders': false },
  });
  const folder = host.server.workspaceDir;
  mkdirSync(path.join(folder, 'src'));
  const files = {
    'server.mjs': SERVER,
    'test.mjs': TESTS,
    'release.mjs': RELEASE,
    'README.md': README,
    'src/cart.ts': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
});

afterAll(async () => {
  await host.stop();
});

it('shows an agent and a person at one terminal', async () => {
  const { window, model } = host;
  await host.evaluate(async ({ vscode }) => {
    await vscode.commands.executeCommand('execSessions.sessions.focus');
    const [file] = await vscode.workspace.findFiles('README.md');
    if (file !== undefined) await vscode.window.showTextDocument(file);
  });
  await window.chat.waitForModel(model.name);

  model.plan(
    { tool: 'exec_command', input: { cmd: 'node server.mjs', title: 'dev server', wait_for: 'ready' } },
    { tool: 'exec_command', input: { cmd: 'node test.mjs', title: 'npm test' } },
    { tool: 'exec_command', input: { cmd: 'node release.mjs', title: 'npm run release' } },
    { text: 'The server runs and the tests pass. The release asks whether to publish: please answer in its terminal.' },
  );
  await window.chat.send('Start the server, run the tests, then release.');
  await window.chat.waitForConfirmation();
  await window.screenshot('agent-asks-to-run');
  await allowCall(host);
  await window.chat.waitForText(/please answer in its terminal/);
  await window.page
    .locator('.monaco-list-row')
    .filter({ hasText: /^npm run release/ })
    .first()
    .click();
  await window.waitForTerminalText(/Publish to the registry\? \(y\/N\)$/m);
  await window.typeInTerminal('y\n');
  await window.waitForTerminalText(/^Published shop 2\.4\.0$/m);
  await window.page
    .locator('.monaco-list-row')
    .filter({ hasText: /^npm run release\s*exit code 0/ })
    .first()
    .waitFor();

  await window.screenshot('readme');
});
