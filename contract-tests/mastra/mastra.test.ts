import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { scenarioSteps } from '../agent-scenario.ts';

const run = promisify(execFile);

/**
 * Mastra brings some 150 packages and wants Node 22, so it is no dependency here: with CTX_TEST_MASTRA=1 it is installed into a temporary
 * folder, with a Node of that version, for this run.
 */
const isAsked = process.env['CTX_TEST_MASTRA'] === '1';
const why = isAsked ? '' : ' (skipped: CTX_TEST_MASTRA=1 installs it and runs this)';

const versions = { '@mastra/core': '1.71.0', zod: '4.6.7' };

interface NodeVersions {
  readonly nodeOf: (major: number) => Promise<string>;
}

async function node22(): Promise<string> {
  const module = new URL('../../scripts/check/node-versions.mjs', import.meta.url).href;
  const { nodeOf } = (await import(module)) as NodeVersions;
  return nodeOf(22);
}

async function install(folder: string): Promise<void> {
  const manifest = { private: true, type: 'module', dependencies: versions };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  await run('npm', ['install', '--force', ...quiet], { cwd: folder });
}

describe.skipIf(!isAsked)(`Mastra 1.71${why}`, () => {
  it('runs 60 steps in a small window: every prompt is valid and every output comes back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ctx-mastra-'));
    try {
      await install(folder);
      const program = fileURLToPath(new URL('agent-program.ts', import.meta.url));
      const args = ['--conditions=@ctx/source', '--experimental-strip-types', '--no-warnings'];
      const { stdout } = await run(await node22(), [...args, program, folder]);
      const seen: unknown = JSON.parse(stdout);
      expect(seen).toMatchObject({
        ...{ text: 'all done', requests: scenarioSteps + 1, invalid: 0 },
        ...{ hugeInPrompt: false, hugeIsStored: true, missingLogs: [] },
      });
      const { largestTokens, prefixBreaks, reportedTokens, countedTokens } = seen as Record<
        string,
        number
      >;
      expect(largestTokens).toBeLessThan(16_000);
      expect(prefixBreaks).toBeLessThan(12);
      expect(countedTokens).toBe(reportedTokens);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 600_000);
});
