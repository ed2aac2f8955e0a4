import { runProgram } from '@ctx/proxy';

/** Runs what its arguments name as on Windows. */
Object.defineProperty(process, 'platform', { value: 'win32' });
const [command = '', ...args] = process.argv.slice(2);
process.exitCode = await runProgram({ command, args, env: process.env });
