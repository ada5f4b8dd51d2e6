import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listSshHosts } from '../../src/environment/sshHosts';
import { tempDir } from '../support/tempDir';

function homeWith(files: Readonly<Record<string, string>>): string {
  const home = tempDir();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return home;
}

it('offers the hosts of the SSH configuration, in its order and each once, without patterns', () => {
  const config = `
    # Host commented
    Host build  lab
      HostName build.example.com
      User me
    host=quoted
    HOST "with quotes" *.example.com !not one? # and a remark
    Match host other
    Host build
    Host *
  `;

  expect(listSshHosts(homeWith({ '.ssh/config': config }))).toEqual(['build', 'lab', 'quoted', 'with quotes']);
});

it('follows what the configuration includes', () => {
  const home = homeWith({
    '.ssh/config': 'Include conf.d/*.conf more ~/elsewhere/config missing\nHost last',
    '.ssh/conf.d/b.conf': 'Host b',
    '.ssh/conf.d/a.conf': 'Host a\nInclude more',
    '.ssh/conf.d/.hidden.conf': 'Host hidden',
    '.ssh/conf.d/c.bak': 'Host bak',
    '.ssh/more': 'Host more\r\nInclude config\r\n',
    'elsewhere/config': 'Host elsewhere',
  });

  expect(listSshHosts(home)).toEqual(['a', 'more', 'b', 'elsewhere', 'last']);
});

it('offers none where there is no configuration', () => {
  expect(listSshHosts(tempDir())).toEqual([]);
});
