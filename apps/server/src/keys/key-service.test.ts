import { isCtxError } from '@ctx/core';
import { storeCollections } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { memoryBackend } from '@ctx/store/backend';
import { describe, expect, it } from 'vitest';
import { allows } from './api-key.ts';
import { type KeyService, keyService } from './key-service.ts';
import { keyPartsOf } from './key-text.ts';

const day = 24 * 60 * 60 * 1000;

async function openKeys(rememberMs = 0): Promise<{
  keys: KeyService;
  /** Those of another process. */
  others: KeyService;
  backend: StoreBackend;
  reads: () => number;
  later: (ms: number) => void;
}> {
  const memory = memoryBackend();
  await memory.open(storeCollections);
  let reads = 0;
  const backend: StoreBackend = {
    ...memory,
    get: (collection, keys, part) => {
      reads += 1;
      return memory.get(collection, keys, part);
    },
  };
  let now = Date.UTC(2026, 0, 31, 12);
  const options = { clock: () => now, rememberMs };
  const others = keyService(memory, options);
  const keys = keyService(backend, options);
  return { keys, others, backend, reads: () => reads, later: (ms) => (now += ms) };
}

describe('keys', () => {
  it('verifies the key that was made, for its tenant and scope', async () => {
    const { keys } = await openKeys();
    const { key, text } = await keys.create({ tenant: 'acme', scope: 'write', label: 'ci' });
    expect(text).toMatch(/^ctx_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(await keys.verify(text)).toMatchObject({ ...key, tenant: 'acme', scope: 'write' });
  });

  it('refuses a key from the moment at which it expires, also where it is remembered', async () => {
    const { keys, later } = await openKeys(60_000);
    const expiresAt = Date.UTC(2026, 0, 31, 12) + 1000;
    const { key, text } = await keys.create({ tenant: 'acme', scope: 'read', expiresAt });
    expect(await keys.verify(text)).toMatchObject({ id: key.id, expiresAt });
    later(999);
    expect([await keys.verify(text), await keys.hasEnded(key.id)]).toEqual([
      expect.objectContaining({ id: key.id }),
      false,
    ]);
    later(1);
    expect([await keys.verify(text), await keys.hasEnded(key.id)]).toEqual([undefined, true]);
    later(60_000);
    expect(await keys.verify(text)).toBeUndefined();
    expect(await keys.get(key.id)).toMatchObject({ expiresAt });
  });

  it.each([Date.UTC(2026, 0, 31, 12), 1.5, Number.NaN])(
    'makes no key that expires at %s',
    async (expiresAt) => {
      const { keys } = await openKeys();
      await expect(keys.create({ tenant: 'acme', scope: 'read', expiresAt })).rejects.toMatchObject(
        {
          code: 'CTX_INVALID_INPUT',
        },
      );
    },
  );

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

describe('a key that was read lately', () => {
  it('is known without reading, for a short time, and only with its secret', async () => {
    const { keys, reads, later } = await openKeys(100);
    const { key, text } = await keys.create({ tenant: 'acme', scope: 'read' });
    await keys.verify(text);
    const before = reads();
    for (let count = 0; count < 50; count += 1) expect(await keys.verify(text)).toBeDefined();
    expect(await keys.verify(`ctx_${key.id}_${'a'.repeat(43)}`)).toBeUndefined();
    expect(reads()).toBe(before);
    later(100);
    expect(await keys.verify(text)).toBeDefined();
    expect(reads()).toBe(before + 1);
  });

  it('ends at once where it is revoked here, and a short time later where another process does', async () => {
    const { keys, others, later } = await openKeys(100);
    const here = await keys.create({ tenant: 'acme', scope: 'read' });
    const there = await keys.create({ tenant: 'acme', scope: 'read' });
    await keys.verify(here.text);
    await keys.verify(there.text);
    await keys.revoke(here.key.id);
    expect(await keys.verify(here.text)).toBeUndefined();
    await others.revoke(there.key.id);
    later(100);
    expect(await keys.verify(there.text)).toBeUndefined();
  });

  it('is not known by a read that began before it was revoked', async () => {
    const { keys } = await openKeys(100);
    const { key, text } = await keys.create({ tenant: 'acme', scope: 'read' });
    const [, revoked] = await Promise.all([keys.verify(text), keys.revoke(key.id)]);
    expect(revoked.revokedAt).toBeDefined();
    expect(await keys.verify(text)).toBeUndefined();
  });

  it('is read anew where the clock was set back, and room is kept for a thousand', async () => {
    const { keys, reads, later } = await openKeys(100);
    const { text } = await keys.create({ tenant: 'acme', scope: 'read' });
    await keys.verify(text);
    later(-10_000);
    const before = reads();
    await keys.verify(text);
    expect(reads()).toBe(before + 1);
    for (let count = 0; count < 1000; count += 1) {
      await keys.verify((await keys.create({ tenant: 'acme', scope: 'read' })).text);
    }
    const full = reads();
    await keys.verify(text);
    expect(reads()).toBe(full + 1);
  });
});
