import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CtxError } from '@ctx/core';
import type { CtxConfig } from '../read-config.ts';

/**
 * Writes a config file as a whole, or not at all; only its owner may read it.
 * @throws `CTX_INVALID_INPUT` for a file in TOML, whose comments would be lost; `CTX_STORE_IO` where the disk refuses.
 */
export async function writeConfig(path: string, config: CtxConfig): Promise<void> {
  if (path.endsWith('.toml')) {
    throw new CtxError(
      'CTX_INVALID_FILE',
      `${path} is written by hand: ctx would lose its comments; change it in an editor`,
    );
  }
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(config, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new CtxError('CTX_STORE_IO', `${path} cannot be written`, { cause });
  }
}
