import { fingerprintOfEncoded } from '@ctx/core/encoding';
import type { RecordKey, StoredRecord } from '../backend/store-backend.ts';
import { unreadable } from './check-bodies.ts';
import { type Finding, type FindingKind, quarantineOf } from './finding.ts';
import { bodyOf, type CheckPlace, readRecords } from './read-records.ts';
import type { EncodedValue } from '../pointers/trim-args.ts';

const collection = 'outputs';

/** What is kept in mind of an output while its session is looked at: no content. */
interface Kept {
  readonly record: StoredRecord;
  /** Whether the result can be shown: it stands here, whole and unchanged. */
  readonly holdsResult: boolean;
}

function finding(kind: FindingKind, record: StoredRecord, what: string): Finding {
  return { kind, collection, key: record.key, what, repair: quarantineOf(collection, record) };
}

function hasObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Looks at one output by itself: is its body one, and is the result the one that was saved. */
function checkOne(record: StoredRecord): Finding | undefined {
  const body = bodyOf(record)?.value;
  if (!hasObject(body)) return finding('broken-record', record, 'its body is no object');
  if (record.columns['content_of'] !== null) return undefined;
  if (!('result' in body)) return finding('broken-record', record, 'the result is missing');
  // What JSON.parse gives is a value as `encodeValue` writes it, or one whose fingerprint differs.
  const found = fingerprintOfEncoded(body.result as EncodedValue);
  if (found === record.columns['fingerprint']) return undefined;
  return finding('wrong-checksum', record, 'its result is not what the tool returned');
}

function relinked(record: StoredRecord, holder: RecordKey): Finding['repair'] {
  const columns = { content_of: holder[2] ?? null };
  const { key, version } = record;
  const patch = { type: 'patch', collection, key, columns, expectVersion: version } as const;
  return { how: 'mended', keep: [], operations: [patch] };
}

/** The output that a record takes its result from: the one it names, or another that holds the same. */
function holderOf(kept: ReadonlyMap<string, Kept>, { columns }: StoredRecord): Kept | undefined {
  const named = kept.get(String(columns['content_of']));
  if (named?.holdsResult === true) return named;
  for (const other of kept.values()) {
    if (other.holdsResult && other.record.columns['fingerprint'] === columns['fingerprint']) {
      return other;
    }
  }
  return undefined;
}

/** Outputs that show the result of another: is it there. Counts who shows what. */
function checkShared(kept: ReadonlyMap<string, Kept>, users: Map<string, number>): Finding[] {
  const findings: Finding[] = [];
  for (const { record } of kept.values()) {
    const named = record.columns['content_of'];
    if (typeof named !== 'string') continue;
    const holder = holderOf(kept, record);
    if (holder === undefined) {
      const what = `the output ${named} that holds its result is gone`;
      findings.push(finding('dangling-pointer', record, what));
      continue;
    }
    const id = holder.record.key[2] ?? '';
    users.set(id, (users.get(id) ?? 0) + 1);
    if (id === named) continue;
    const what = `it names ${named}; the same result stands in ${id}`;
    const repair = relinked(record, holder.record.key);
    const { key } = record;
    findings.push({ kind: 'dangling-pointer', collection, key, what, ...(repair && { repair }) });
  }
  return findings;
}

/** Outputs that hold a result: do they know how many others show it. A wrong count would lose it when one is deleted. */
function checkUsers(
  kept: ReadonlyMap<string, Kept>,
  users: ReadonlyMap<string, number>,
): Finding[] {
  const findings: Finding[] = [];
  for (const { record, holdsResult } of kept.values()) {
    const counted = users.get(record.key[2] ?? '') ?? 0;
    if (!holdsResult || record.columns['content_users'] === counted) continue;
    const { key, version } = record;
    const columns = { content_users: counted };
    const patch = { type: 'patch', collection, key, columns, expectVersion: version } as const;
    const what = `${String(counted)} others show its result, not ${String(record.columns['content_users'])}`;
    const repair = { how: 'mended', keep: [], operations: [patch] } as const;
    findings.push({ kind: 'wrong-count', collection, key, what, repair });
  }
  return findings;
}

function checkSession(kept: ReadonlyMap<string, Kept>): Finding[] {
  const users = new Map<string, number>();
  return [...checkShared(kept, users), ...checkUsers(kept, users)];
}

/**
 * Compares every result with its checksum, and follows every pointer from one output to another.
 * Makes one pass, and holds the columns of one session in memory.
 */
export async function* checkOutputs(place: CheckPlace): AsyncGenerator<Finding, void, undefined> {
  let session: string | undefined;
  let kept = new Map<string, Kept>();
  for await (const read of readRecords(place, collection)) {
    if ('broken' in read) {
      yield unreadable(collection, read.broken, read.reason);
      continue;
    }
    const { record } = read;
    if (record.key[1] !== session) {
      yield* checkSession(kept);
      kept = new Map();
      session = record.key[1];
    }
    const wrong = checkOne(record);
    if (wrong === undefined) {
      const holdsResult = record.columns['content_of'] === null;
      kept.set(record.key[2] ?? '', { record: { ...record, body: '' }, holdsResult });
    } else yield wrong;
  }
  yield* checkSession(kept);
}
