import { describe, expect, it } from 'vitest';
import { isCtxError } from '../errors.ts';
import { storeCollections } from '../store/collections.ts';
import { memoryBackend } from '../store/memory-backend.ts';
import type { StoreBackend } from '../store/store-backend.ts';
import { allows } from './api-key.ts';
import { type KeyService, keyService } from './key-service.ts';
import { keyPartsOf } from './key-text.ts';

const day = 24 * 60 * 60 * 1000;

async function openKeys(): Promise<{
  keys: KeyService;
  backend: StoreBackend;
  later: (ms: number) => void;
}> {
  const backend = memoryBackend();
  await backend.open(storeCollections);
  let now = Date.UTC(2026, 0, 31, 12);
  const keys = keyService(backend, { clock: () => now });
  return { keys, backend, later: (ms) => (now += ms) };
}

describe('keys', () => {
  it('verifies the key that was made, for its tenant and scope', async () => {
    const { keys } = await openKeys();
    const { key, text } = await keys.create({ tenant: 'acme', scope: 'write', label: 'ci' });
    expect(text).toMatch(/^ctx_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(await keys.verify(text)).toMatchObject({ ...key, tenant: 'acme', scope: 'write' });
  });

  it('keeps no secret in the store', async () => {
    const { keys, backend } = await openKeys();
    const { text } = await keys.create({ tenant: 'acme', scope: 'read' });
    const secret = keyPartsOf(text)?.secret ?? '';
    expect(secret).toHaveLength(43);
    const all: string[] = [];
    for await (const record of backend.scan({
      collection: 'api_keys',
      index: 'key',
      equal: [''],
    })) {
      all.push(JSON.stringify(record));
    }
    expect(all).toHaveLength(1);
    expect(all.join()).not.toContain(secret);
  });

  it('refuses what is no key, an unknown one and a wrong secret', async () => {
    const { keys } = await openKeys();
    const { text } = await keys.create({ tenant: 'acme', scope: 'read' });
    const other = await keys.create({ tenant: 'acme', scope: 'read' });
    const swapped = `ctx_${other.key.id}_${keyPartsOf(text)?.secret ?? ''}`;
    const hostile = [
      '',
      'ctx_',
      "' OR 1=1 --",
      `${text}x`,
      text.slice(0, -1),
      'a'.repeat(1_000_000),
    ];
    for (const given of [
      ...hostile,
      swapped,
      `ctx_${'0'.repeat(16)}_${'a'.repeat(43)}`,
      '\0',
      'é',
    ]) {
      expect(await keys.verify(given)).toBeUndefined();
    }
  });

  it('ends with the next call once it is revoked, and stays revoked', async () => {
    const { keys, later } = await openKeys();
    const { key, text } = await keys.create({ tenant: 'acme', scope: 'admin' });
    const { revokedAt } = await keys.revoke(key.id);
    expect(await keys.verify(text)).toBeUndefined();
    later(day);
    expect((await keys.revoke(key.id)).revokedAt).toBe(revokedAt);
  });

  it('does not revoke a key of another tenant, and says the same as of an unknown one', async () => {
    const { keys } = await openKeys();
    const { key, text } = await keys.create({ tenant: 'acme', scope: 'read' });
    const foreign = await keys.revoke(key.id, { tenant: 'other' }).catch((error: unknown) => error);
    expect(isCtxError(foreign, 'CTX_NOT_FOUND')).toBe(true);
    expect(await keys.verify(text)).toBeDefined();
  });

  it('notes the day of its last use', async () => {
    const { keys, later } = await openKeys();
    const { key, text } = await keys.create({ tenant: 'acme', scope: 'read' });
    expect((await keys.get(key.id))?.lastUsedDay).toBeUndefined();
    await keys.verify(text);
    expect((await keys.get(key.id))?.lastUsedDay).toBe('2026-01-31');
    later(day);
    await keys.verify(text);
    expect((await keys.get(key.id))?.lastUsedDay).toBe('2026-02-01');
  });

  it('lists the keys of one tenant, or of all', async () => {
    const { keys } = await openKeys();
    await keys.create({ tenant: 'acme', scope: 'read', label: 'first' });
    await keys.create({ tenant: 'other', scope: 'read', label: 'second' });
    const { entries } = await keys.list({ tenant: 'acme' });
    expect(entries.map(({ label }) => label)).toEqual(['first']);
    expect((await keys.list()).entries).toHaveLength(2);
  });

  it('holds the weaker scopes in the stronger ones', () => {
    expect(allows('admin', 'read')).toBe(true);
    expect(allows('write', 'write')).toBe(true);
    expect(allows('read', 'write')).toBe(false);
    expect(allows('write', 'admin')).toBe(false);
  });
});
