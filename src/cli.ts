import path from 'node:path';
import { runWithCodeCache } from './cli/codeCache';

runWithCodeCache(path.join(__dirname, 'cliProgram.js'));
