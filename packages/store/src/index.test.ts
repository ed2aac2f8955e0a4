import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { type BuildResult, build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

/** The source when the test is, the published file when it is compiled. */
const entry = import.meta.url.endsWith('.ts') ? './index.ts' : './index.js';

const roundTrip = `
  import { openStore } from '${entry}';
  import { memoryBackend } from './backend/${entry.slice(2)}';
  async function roundTrip() {
    const store = await openStore(memoryBackend());
    const result = { text: 'The kettle is on. ☕', bytes: new Uint8Array([0, 255]), size: 2n ** 64n };
    const args = { command: 'put the kettle on' };
    const { pointer } = await store.outputs.save({ sessionId: 's', toolName: 'Bash', args, result });
    const output = await store.outputs.load({ id: pointer.id });
    const { selected } = await store.outputs.relevant({ sessionId: 's', prompt: 'is the kettle on?' });
    await store.close();
    const { text, bytes, size } = output.result;
    return JSON.stringify({
      text,
      bytes: Array.from(bytes),
      size: String(size),
      isSelected: selected[0]?.pointer.id === pointer.id,
    });
  }
  globalThis.answer = roundTrip();
`;

/** What a page has beside the language itself. The typed arrays are those of the encoders: one realm, as in a page. */
const webGlobals = {
  AbortController,
  AbortSignal,
  ArrayBuffer,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  Uint8Array,
  atob,
  btoa,
  clearTimeout,
  crypto,
  performance,
  queueMicrotask,
  setTimeout,
  structuredClone,
};

async function bundleForBrowsers(contents: string): Promise<BuildResult> {
  return build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    platform: 'browser',
    conditions: entry.endsWith('.ts') ? ['@ctx/source'] : [],
    format: 'iife',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
}

describe('the entries of the store', () => {
  let bundle: BuildResult;
  beforeAll(async () => {
    bundle = await bundleForBrowsers(roundTrip);
  });

  it('is bundled for browsers with nothing left to import', () => {
    const outputs = Object.values(bundle.metafile?.outputs ?? {});
    const inputs = Object.keys(bundle.metafile?.inputs ?? {});
    expect(outputs.map(({ imports }) => imports)).toEqual([[]]);
    expect(inputs.length).toBeGreaterThan(50);
    expect(
      inputs.filter((path) => path.includes('node:') || path.startsWith('(disabled)')),
    ).toEqual([]);
    expect(bundle.outputFiles?.[0]?.text).not.toMatch(/\brequire\(|(from|import)[ (]*["']node:/);
  });

  it('saves, loads and finds an output with the globals of a page only', async () => {
    const page: typeof webGlobals & { answer?: Promise<string> } = { ...webGlobals };
    createContext(page);
    expect(runInContext('typeof process + typeof Buffer + typeof require', page)).toBe(
      'undefined'.repeat(3),
    );
    runInContext(bundle.outputFiles?.[0]?.text ?? '', page);
    expect(JSON.parse((await page.answer) ?? 'null')).toEqual({
      text: 'The kettle is on. ☕',
      bytes: [0, 255],
      size: '18446744073709551616',
      isSelected: true,
    });
  });

  it('would not be bundled with a module of Node', async () => {
    const bundling = bundleForBrowsers("import 'node:fs'; import '" + entry + "';");
    await expect(bundling).rejects.toThrow('node:fs');
  });
});
