import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import { openStore, storeCollections } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { describe, expect, it, vi } from 'vitest';
import { backendOf } from '../store/open-store-url.ts';
import { runOn } from '../test-support/fake-host.ts';
import { anthropicSession, makeFolder, writeJsonFile } from '../test-support/sample-transcripts.ts';

type Scheme = 'fs' | 'sqlite';

/** What happened to the bytes from one place on. */
const damages = ['flip', 'zero', 'cut'] as const;

/** Distance of the damaged bytes. `CTX_DAMAGE_STEP=100` for the long run. */
const stepBytes = Number(process.env['CTX_DAMAGE_STEP'] ?? '1000');
/** The campaign ends after so long, and says how far it came. */
const limitMs = 170_000;

interface Store {
  readonly cwd: string;
  readonly scheme: Scheme;
}

const nameOf = (scheme: Scheme): string => (scheme === 'sqlite' ? 'ctx.db' : 'files');
const urlOf = ({ cwd, scheme }: Store): string => `${scheme}:${join(cwd, nameOf(scheme))}`;

async function backendFor({ cwd, scheme }: Store): Promise<StoreBackend> {
  const path = join(cwd, nameOf(scheme));
  return await backendOf({ scheme, path, text: `${scheme}:${path}` });
}

async function open(store: Store): Promise<StoreBackend> {
  const backend = await backendFor(store);
  try {
    await backend.open(storeCollections);
    return backend;
  } catch (error) {
    await backend.close().catch(() => undefined);
    throw error;
  }
}

async function fill(scheme: Scheme): Promise<Store> {
  const made = { cwd: makeFolder(), scheme };
  writeJsonFile(made.cwd, 'one.json', anthropicSession('one'));
  await runOn({ cwd: made.cwd }, 'import', 'one.json', '--store', urlOf(made));
  const store = await openStore(await backendFor(made));
  for (const id of ['a', 'b', 'c']) {
    const call = { sessionId: 's', toolName: 'read', args: { id }, callId: id };
    await store.outputs.save({ ...call, result: `the result of ${id} `.repeat(120) });
    await store.items.save({ agentId: 'ada', id, kind: 'note', content: `item ${id}` });
    await store.events.append('s', [{ type: 'note', payload: `event ${id}` }]);
  }
  await store.close();
  return made;
}

/** Every file that ctx writes, as parts of one long row of bytes. */
function filesOf({ cwd, scheme }: Store): string[] {
  if (scheme === 'sqlite') return [nameOf(scheme)];
  return readdirSync(join(cwd, nameOf(scheme)), { recursive: true, encoding: 'utf8' })
    .map((name) => join(nameOf(scheme), name))
    .filter((name) => statSync(join(cwd, name)).isFile())
    .sort();
}

interface Place {
  readonly file: string;
  readonly at: number;
}

function* placesOf(store: Store): Generator<Place> {
  let next = stepBytes / 2;
  let before = 0;
  for (const file of filesOf(store)) {
    const { size } = statSync(join(store.cwd, file));
    for (; next < before + size; next += stepBytes) yield { file, at: next - before };
    before += size;
  }
}

function damage(cwd: string, { file, at }: Place, how: (typeof damages)[number]): void {
  const path = join(cwd, file);
  const bytes = readFileSync(path);
  if (how === 'flip') bytes[at] = (bytes[at] ?? 0) ^ 1;
  if (how === 'zero') bytes.fill(0, at, Math.min(at + 32, bytes.length));
  writeFileSync(path, how === 'cut' ? bytes.subarray(0, at) : bytes);
}

type Records = ReadonlyMap<string, string>;

/** Every record of a store by its name. */
async function recordsOf(store: Store): Promise<Records> {
  const backend = await open(store);
  const found = new Map<string, string>();
  for (const { name: collection } of storeCollections) {
    const query = { collection, index: 'key', equal: ['default'] };
    for await (const { key, body, columns } of backend.scan(query)) {
      found.set(JSON.stringify([collection, ...key]), JSON.stringify([body, columns]));
    }
  }
  await backend.close();
  return found;
}

interface Reading {
  readonly refused: boolean;
  readonly told: readonly string[];
  readonly missing: readonly string[];
  readonly wrong: readonly string[];
}

/** Reads each record by its key, and compares it with what was stored. */
async function readAll(store: Store, known: Records): Promise<Reading> {
  const told: string[] = [];
  const missing: string[] = [];
  const wrong: string[] = [];
  let backend: Awaited<ReturnType<typeof open>>;
  try {
    backend = await open(store);
  } catch (error) {
    expect(isCtxError(error), String(error)).toBe(true);
    return { refused: true, told, missing, wrong };
  }
  for (const [name, stored] of known) {
    const [collection = '', ...key] = JSON.parse(name) as string[];
    try {
      const [record] = await backend.get(collection, [key]);
      if (record === undefined) missing.push(name);
      else if (JSON.stringify([record.body, record.columns]) !== stored) wrong.push(name);
    } catch (error) {
      expect(isCtxError(error), `${name}: ${String(error)}`).toBe(true);
      told.push(name);
    }
  }
  await backend.close().catch(() => undefined);
  return { refused: false, told, missing, wrong };
}

/** What is wrong after one damage, in words; empty if everything was said and nothing else was lost. */
async function judge(store: Store, known: Records, cwd: string): Promise<string[]> {
  const copy = (name: string): Store => {
    const there = join(cwd, name);
    rmSync(there, { recursive: true, force: true });
    cpSync(join(cwd, 'damaged'), there, { recursive: true });
    return { ...store, cwd: there };
  };
  const faults: string[] = [];
  const read = await readAll(copy('read'), known);
  const checked = copy('checked');
  const run = (...argv: string[]) =>
    runOn({ cwd: checked.cwd, answer: true }, ...argv, '--store', urlOf(checked), '--json');
  const found = await run('verify');
  const isSeen = found.exitCode !== 0;
  faults.push(
    ...read.wrong.map((name) => `read ${isSeen ? 'and verify tells' : 'silently'}: wrong ${name}`),
  );
  if (!isSeen && read.missing.length > 0) faults.push(`silently missing ${read.missing.join(' ')}`);
  if (!isSeen && (read.refused || read.told.length > 0)) faults.push('verify sees nothing');
  if (!isSeen) return faults;
  const said = [found.stdout, found.stderr];
  let hasLostItsEnd = false;
  if (store.scheme === 'sqlite') {
    const rescued = await run('doctor', '--repair');
    said.push(rescued.stdout, rescued.stderr);
    // Nothing of it can be read, and the command says so.
    if (rescued.stderr.includes('CTX_STORE_CORRUPT')) return faults;
    hasLostItsEnd = /"missingBytes": [1-9]/.test(rescued.stdout);
  }
  const repaired = await run('verify', '--repair');
  said.push(repaired.stdout, repaired.stderr);
  const after = await readAll(checked, known);
  const text = said.join('\n');
  if (after.refused) return [...faults, `refused after the repair: ${text}`];
  const isNamed = (name: string): boolean => {
    const [, , ...key] = JSON.parse(name) as string[];
    return key.every((part) => text.includes(part));
  };
  const lost = [...after.missing, ...after.told].filter((name) => !isNamed(name));
  // A damaged event leaves a note in its place, so that the log goes on.
  const wrong = after.wrong.filter((name) => !isNamed(name));
  faults.push(...wrong.map((name) => `wrong after the repair: ${name}`));
  // For a cut file, the receipt counts the missing bytes.
  if (!hasLostItsEnd) faults.push(...lost.map((name) => `lost and not named: ${name}`));
  return faults;
}

describe('a store of which one place is damaged', () => {
  it.each(['fs', 'sqlite'] as const)(
    'says so, and loses nothing that it does not name: %s',
    async (scheme) => {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      const endAt = performance.now() + limitMs;
      const store = await fill(scheme);
      const known = await recordsOf(store);
      expect(known.size).toBeGreaterThan(10);
      const cwd = makeFolder();
      const places = [...placesOf(store)];
      const faults: string[] = [];
      let tried = 0;
      for (const [index, place] of places.entries()) {
        for (const how of places.length > 150 ? [damages[index % 3] ?? 'flip'] : damages) {
          if (performance.now() > endAt) break;
          rmSync(join(cwd, 'damaged'), { recursive: true, force: true });
          cpSync(store.cwd, join(cwd, 'damaged'), { recursive: true });
          damage(join(cwd, 'damaged'), place, how);
          const what = `${how} ${place.file} at ${String(place.at)}`;
          tried += 1;
          const found = await judge(store, known, cwd).catch((error: unknown) => [String(error)]);
          faults.push(...found.map((fault) => `${what}: ${fault}`));
        }
      }
      warn.mockRestore();
      console.log(`${scheme}: ${String(tried)} damages at ${String(places.length)} places`);
      expect(faults).toEqual([]);
    },
    300_000,
  );
});
