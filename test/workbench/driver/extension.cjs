'use strict';
// Not part of the product. Each half works only if its environment variable is set when the workbench's server starts:
//   EXEC_SESSIONS_DRIVER_FILE   tests may run code in this extension host; the file tells them where and with which token
//   EXEC_SESSIONS_DEMO_COMMAND  every window opens a shared shell and runs this command in it
const vscode = require('vscode');
const { startEvaluationServer } = require('./evaluationServer.cjs');

/** An extension that is just being installed or is slow to start may register its commands late. */
const DEMO_TIMEOUT_MS = 30_000;
const DEMO_RETRY_MS = 250;

exports.activate = async (context) => {
  const driverFile = process.env.EXEC_SESSIONS_DRIVER_FILE;
  if (driverFile) context.subscriptions.push(await startEvaluationServer(driverFile, { vscode, require, state: {} }));
  const demoCommand = process.env.EXEC_SESSIONS_DEMO_COMMAND;
  if (demoCommand) await runDemo(demoCommand);
};

async function runDemo(command) {
  const before = new Set(vscode.window.terminals);
  await executeOnceRegistered('execSessions.newSharedShell');
  const terminal = await waitFor(() => vscode.window.terminals.find((candidate) => !before.has(candidate)));
  terminal.show();
  terminal.sendText(command);
}

async function executeOnceRegistered(id) {
  await waitFor(async () => (await vscode.commands.getCommands(true)).includes(id));
  await vscode.commands.executeCommand(id);
}

async function waitFor(condition) {
  for (const deadline = Date.now() + DEMO_TIMEOUT_MS; ;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`The demo has waited ${DEMO_TIMEOUT_MS} ms in vain.`);
    await new Promise((resolve) => setTimeout(resolve, DEMO_RETRY_MS));
  }
}
