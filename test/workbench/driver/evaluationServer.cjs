'use strict';
const { randomBytes, timingSafeEqual } = require('node:crypto');
const { once } = require('node:events');
const { renameSync, writeFileSync } = require('node:fs');
const http = require('node:http');

/** Unguessable for any other user of the machine. */
const TOKEN_BYTES = 32;

/**
 * Runs functions that tests send to this extension host: `POST {source, argument}` answers `{value}` or `{error}`.
 * Where it listens, and the token that it asks for, stand in `file`, which only its owner can read.
 */
exports.startEvaluationServer = async (file, scope) => {
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const server = http.createServer(async (request, response) => {
    if (!isAuthorized(request, token)) {
      response.writeHead(401).end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await evaluate(await readText(request), scope)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  // Written aside and renamed: whoever polls for the file never reads half of it.
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, JSON.stringify({ port: server.address().port, token, pid: process.pid }), { mode: 0o600 });
  renameSync(aside, file);
  return {
    dispose: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

async function evaluate(body, scope) {
  try {
    const { source, argument } = JSON.parse(body);
    const fn = new Function(`return (${source});`)();
    return { value: await fn(scope, argument) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function isAuthorized(request, token) {
  const actual = Buffer.from(request.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

async function readText(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
