import { build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** Everything that an import of an entry loads at once: what is imported later, on demand, is not followed. */
async function loadedBy(entry: string): Promise<{ packages: string[]; builtIn: string[] }> {
  const { metafile } = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname.replace(/\.js$/, '.ts')],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: 'out',
    conditions: ['@ctx/source'],
    logLevel: 'silent',
  });
  return reachable(metafile);
}

/** The package that a file of an install belongs to. */
function packageOf(path: string): string | undefined {
  const inside = path.split('node_modules/').at(-1);
  if (inside === undefined || !path.includes('node_modules/')) return undefined;
  const [first = '', second = ''] = inside.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

function reachable({ inputs, outputs }: Metafile): { packages: string[]; builtIn: string[] } {
  // What is imported on demand is an entry of the bundle, too.
  const entry = Object.entries(outputs).find(([path]) => path.endsWith('out/index.js'))?.[1];
  const seen = new Set<string>();
  const builtIn = new Set<string>();
  const waiting = [entry?.entryPoint ?? ''];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { path: next, kind, external } of inputs[path]?.imports ?? []) {
      if (kind === 'dynamic-import') continue;
      if (external === true) builtIn.add(next);
      else waiting.push(next);
    }
  }
  const packages = new Set([...seen].map(packageOf).filter((name) => name !== undefined));
  return { packages: [...packages].toSorted(), builtIn: [...builtIn].toSorted() };
}

/** What the packages of ctx stand on. */
const libraries = ['@noble/hashes', 'lru-cache', 'stemmer', 'zod'];

/** Parts of Node that they use: none that reaches files, the network or other processes. */
const partsOfNode = ['node:crypto', 'node:diagnostics_channel'];

/** `npm test` bundles one entry, the campaign all of them. */
const isCampaign = process.env['CTX_TEST_CAMPAIGN'] === '1';
const entries = ['anthropic', 'ai-sdk', 'langchain', 'mcp'];

const isSource = import.meta.url.endsWith('.ts');

describe.runIf(isSource)('an import of the package', () => {
  it('loads no SDK and no native module: small libraries of JavaScript, and nothing else', async () => {
    const { packages, builtIn } = await loadedBy('./index.ts');
    expect(packages).toEqual(libraries);
    expect(builtIn).toEqual(partsOfNode);
  });

  it.each(isCampaign ? entries : entries.slice(0, 1))(
    'loads no SDK for %s: the host hands its own in',
    async (name) => {
      const { packages } = await loadedBy(`./${name}/index.ts`);
      expect(packages.filter((each) => !libraries.includes(each))).toEqual([]);
    },
    60_000,
  );
});
