import { expect, test } from 'vitest';
import { readCommand, readsByShell } from './shell-command.ts';

const shell = { program: '/usr/bin/node /opt/ctx/bin.js', flags: '--store sqlite:a.db' };

test('the command that a model is told is known again as one that only reads', () => {
  const line = readCommand(shell, 'ctx://outputs/a');
  expect(line).toBe('/usr/bin/node /opt/ctx/bin.js read ctx://outputs/a --store sqlite:a.db');
  expect(readsByShell(shell, ` ${line} --lines 1-200\n`)).toBe(true);
  expect(readsByShell(shell, `${line} --json-path '$.items[0]'`)).toBe(true);
  expect(readsByShell(shell, `${line} --json-path "$(rm x)"`)).toBe(false);
  expect(readsByShell(shell, 'ctx search words')).toBe(true);
});

test.for([
  '/usr/bin/node /opt/ctx/bin.js save x',
  '/usr/bin/node /opt/other.js read x',
  '/usr/bin/node /opt/ctx/bin.js read x; rm y',
  'ctx read x | sh',
  'ctxread x',
])('%s does something else, too', (line) => {
  expect(readsByShell(shell, line)).toBe(false);
});
