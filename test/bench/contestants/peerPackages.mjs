/**
 * Which version of each peer is measured: pinned here and nowhere else, so that two reports speak of the same programs.
 * `runsScripts`: false where an install script only fetches what the bench does not use.
 */
export const peerPackages = {
  codex: { package: '@openai/codex', version: '0.171.0', runsScripts: false },
  'mcp-server-commands': { package: 'mcp-server-commands', version: '0.5.0', runsScripts: false },
  'desktop-commander': { package: '@wonderwhy-er/desktop-commander', version: '0.2.52', runsScripts: false },
  'mcp-shell-server': { package: '@mako10k/mcp-shell-server', version: '2.7.1', runsScripts: true },
  'bash-command-mcp': { package: 'bash-command-mcp', version: '0.1.5', runsScripts: false },
};
