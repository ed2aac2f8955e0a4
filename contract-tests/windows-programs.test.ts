import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundleProgram, inFolder } from './child-program.ts';

it('what npm installs on Windows, a .cmd file, is started by the shell, with its arguments quoted', async () => {
  const program = await bundleProgram(new URL('windows-run-child.ts', import.meta.url));
  await inFolder(async (folder) => {
    const [shell, told] = [join(folder, 'shell'), join(folder, 'told')];
    writeFileSync(shell, `#!/bin/sh\nprintf '%s\\n' "$@" > '${told}'\nexit 3\n`);
    chmodSync(shell, 0o755);
    writeFileSync(join(folder, 'claude.cmd'), '');
    const env = { ...process.env, PATH: folder, PATHEXT: '.CMD', comspec: shell };
    const ran = spawnSync(process.execPath, [program, 'claude', '-p', 'a "b" & del c'], { env });
    expect([ran.status, ran.stderr.toString()]).toEqual([3, '']);
    const line = String.raw`"claude ^"-p^" ^"a^ \^"b\^"^ ^&^ del^ c^""`;
    expect(readFileSync(told, 'utf8')).toBe(['/d', '/s', '/c', line, ''].join('\n'));
  });
});
