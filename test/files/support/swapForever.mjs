/**
 * `node swapForever.mjs <folder> <target>`: exchanges the folder for a link to the target, and back, each in one step of the kernel,
 * until told to stop; then the folder is where it was, if it still is.
 */
import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import koffi from 'koffi';

const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;
const renameat2 = koffi.load(null).func('int renameat2(int, const char *, int, const char *, unsigned int)');

const [folder, target] = process.argv.slice(2);
const aside = `${folder}.aside`;
let isStopped = false;
process.on('message', () => (isStopped = true));

const exchange = () => renameat2(AT_FDCWD, folder, AT_FDCWD, aside, RENAME_EXCHANGE);
const isLink = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

function swap() {
  for (let round = 0; round < 50; round++) exchange();
  if (!isStopped) {
    setImmediate(swap);
    return;
  }
  if (isLink(folder)) exchange();
  if (isLink(folder)) rmSync(folder);
  if (isLink(aside)) rmSync(aside);
  process.exit();
}

symlinkSync(target, aside);
process.send('started');
swap();
