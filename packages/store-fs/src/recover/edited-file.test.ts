import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeRecordFile } from '../files/record-file.ts';
import type { QuarantineReport } from '../store-options.ts';
import { freshFolder, openBackend, treeOf } from '../test-support/folder.ts';
import { outputPut, sessionPut } from '../test-support/records.ts';
import { editedReason, editedRecord, slipIn } from './edited-file.ts';

const path = 't/sessions/one.json';
const key = ['t', 'one'];

let folder = '';
let reports: QuarantineReport[] = [];
const onQuarantine = (report: QuarantineReport): void => {
  reports.push(report);
};

function edit(from: string, to: string): void {
  const place = join(folder, path);
  const text = readFileSync(place, 'utf8');
  expect(text).toContain(from);
  writeFileSync(place, text.replace(from, to));
}

const edits: readonly (readonly [string, () => void])[] = [
  [
    'a changed value',
    () => {
      edit('"number": 2', '"number": 77');
    },
  ],
  [
    'a document that an editor indented anew',
    () => {
      edit('"number": 2', '"number": 77');
      const value: unknown = JSON.parse(readFileSync(join(folder, path), 'utf8'));
      writeFileSync(join(folder, path), `\uFEFF${JSON.stringify(value, null, 4)}`);
    },
  ],
];

describe('a session document that somebody edited by hand', () => {
  beforeEach(async () => {
    folder = freshFolder();
    reports = [];
    const backend = await openBackend(folder);
    await backend.write([sessionPut('one', 1), outputPut('two', 2)]);
    await backend.write([sessionPut('one', 2)]);
    await backend.close();
  });

  it.each(edits)('%s is read as its newest version, and nothing is set aside', async (_, make) => {
    make();
    const backend = await openBackend(folder, { onQuarantine });
    const [session] = await backend.get('sessions', [key]);
    expect(JSON.parse(session?.body ?? '')).toMatchObject({ number: 77 });
    expect(session?.version).toBeGreaterThan(2);
    expect(reports).toMatchObject([{ path, movedTo: path, reason: editedReason }]);
    expect(treeOf(folder).filter((one) => one.startsWith('.quarantine/'))).toEqual([]);
    await backend.write([{ ...sessionPut('one', 5), expectVersion: session?.version ?? 0 }]);
    const again = await openBackend(folder, { onQuarantine });
    expect((await again.get('sessions', [key]))[0]?.body).toContain('"number":5');
    expect(reports).toHaveLength(1);
  });

  it.each(edits)('%s is found by a rebuild of the index, too', async (_, make) => {
    make();
    rmSync(join(folder, '.index'), { recursive: true });
    const backend = await openBackend(folder, { onQuarantine });
    const [session] = await backend.get('sessions', [key]);
    expect(JSON.parse(session?.body ?? '')).toMatchObject({ number: 77 });
  });

  it('is never written over: a writer who read it before gets a conflict, and the edit stays', async () => {
    const writer = await openBackend(folder, { onQuarantine });
    const [read] = await writer.get('sessions', [key]);
    edit('"number": 2', '"number": 77');
    const put = { ...sessionPut('one', 3), expectVersion: read?.version ?? 0 };
    await expect(writer.write([put])).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    await expect(writer.write([put])).rejects.toMatchObject({ code: 'CTX_STORE_CONFLICT' });
    expect((await writer.get('sessions', [key]))[0]?.body).toContain('"number":77');
  });

  it('stays where it is if it is no JSON any more, and says in which line, until somebody mends it', async () => {
    const place = join(folder, path);
    const whole = readFileSync(place, 'utf8');
    const writer = await openBackend(folder, { onQuarantine });
    const [read] = await writer.get('sessions', [key]);
    edit('"number": 2,', '"number": 77');
    const slipped = readFileSync(place, 'utf8');
    const told = /one\.json was edited outside of ctx and is no JSON \(.*, line 4\); mend it there/;
    const put = { ...sessionPut('one', 3), expectVersion: read?.version ?? 0 };
    await expect(writer.write([put])).rejects.toThrow(told);
    const backend = await openBackend(folder, { onQuarantine });
    await expect(backend.get('sessions', [key])).rejects.toThrow(told);
    expect(readFileSync(place, 'utf8')).toBe(slipped);
    expect(treeOf(folder).filter((one) => one.startsWith('.quarantine/'))).toEqual([]);
    writeFileSync(place, whole.replace('"number": 2', '"number": 77'));
    expect((await backend.get('sessions', [key]))[0]?.body).toContain('"number":77');
  });

  it('is none where it is an output: what is written once and is other now counts as damaged', async () => {
    const place = join(folder, 't/outputs/s/two.json');
    writeFileSync(place, readFileSync(place, 'utf8').replace('"number": 2', '"number": 77'));
    const backend = await openBackend(folder, { onQuarantine });
    await expect(backend.get('outputs', [['t', 's', 'two']])).rejects.toMatchObject({
      code: 'CTX_STORE_CORRUPT',
    });
  });
});

describe('a file of which one bit flipped', () => {
  const whole = encodeRecordFile({
    ...{ collection: 'sessions', key, version: 2, write: 3, columns: {}, words: {} },
    body: JSON.stringify({ session_id: 'one', goal: 'Mend the login of the page', number: 2 }),
  });

  it('is no edit, wherever the bit lies', () => {
    for (let at = 0; at < whole.length * 8; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7));
      const record = editedRecord(bytes);
      // A bit of the checksum's own digits leaves the record as it was.
      if (record !== undefined) expect(record.body).toContain('Mend the login of the page');
      expect(slipIn(bytes)).toBeUndefined();
    }
  });

  it('is none where it was cut off, or holds the bytes of another sector', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 4 }), fc.nat(255), (at, byte) => {
        expect(editedRecord(whole.subarray(0, at))).toBeUndefined();
        expect(slipIn(whole.subarray(0, at))).toBeUndefined();
        const bytes = Buffer.from(whole);
        bytes.fill(byte === 0x20 ? 0 : byte, at, Math.min(at + 512, whole.length));
        if (!bytes.equals(whole)) expect(editedRecord(bytes)).toBeUndefined();
      }),
    );
  });
});
