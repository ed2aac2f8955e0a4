import path from 'node:path';
import { root } from '../setup/workspace.mjs';
import { execute } from './execute.mjs';

const { exitCode, output } = await execute(
  path.join(root, 'node_modules/.bin/sherif'),
  ['--fail-on-warnings'],
  { cwd: root, shell: process.platform === 'win32' },
);
if (exitCode !== 0) console.log(output);
process.exitCode = exitCode;
