import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTranscriptFile } from './read-transcript-file.ts';

test.skipIf(process.platform !== 'linux')(
  'a file whose format cannot be told is closed again',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ctx-read-file-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const path = join(folder, 'README.md');
    writeFileSync(path, '# Notes\n'.repeat(200_000));
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let round = 0; round < 20; round += 1) {
      await expect(readTranscriptFile(path)).rejects.toMatchObject({
        code: 'CTX_TRANSCRIPT_UNKNOWN_FORMAT',
      });
    }
    expect(open()).toBeLessThan(before + 10);
  },
);
