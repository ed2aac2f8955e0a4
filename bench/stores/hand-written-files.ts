import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { approximateTokens } from '@ctx/tokens/approximate';

/** What a save into files promises beyond a durable file of its own, in the order in which the bench adds it up. */
export const filePromises = [
  'a lock between processes',
  'a line in the index',
  'no link followed, nothing overwritten, no short file',
  'checksum',
  'fingerprint',
  'tokens',
  'the event loop runs on',
] as const;

export type FilePromise = (typeof filePromises)[number];

/** The least code that keeps some of what ctx promises of an output in files. It encodes, redacts and plans nothing. */
export interface HandWrittenFiles {
  save(index: number, text: string): Promise<void>;
  close(): void;
}

interface Place {
  readonly folder: string;
  readonly lock: string;
  readonly journal: number;
  readonly keeps: (promise: FilePromise) => boolean;
}

function syncLater(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(file, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}

async function sync({ keeps }: Place, file: number): Promise<void> {
  if (keeps('the event loop runs on')) await syncLater(file);
  else fsyncSync(file);
}

/** Bytes of the file, and what its line in the index says. */
function encode({ keeps }: Place, index: number, text: string): { bytes: Buffer; line: string } {
  const result = JSON.stringify(text);
  const print = keeps('fingerprint') ? createHash('sha256').update(result).digest('hex') : '';
  const tokens = keeps('tokens') ? approximateTokens(text) : 0;
  const line = JSON.stringify({ index, print, tokens, preview: text.slice(0, 400) });
  const body = `{"args":{"index":${String(index)}},"result":${result},"$ctx":${line}}`;
  const bytes = Buffer.from(`${body}${'0'.repeat(8)}`);
  if (keeps('checksum'))
    bytes.write(crc32(bytes.subarray(0, -8)).toString(16).padStart(8, '0'), bytes.length - 8);
  return { bytes, line: `${crc32(line).toString(16)} ${line}\n` };
}

/** The file takes its place before it is brought to the disk: nobody looks for it before the lock is released. */
async function saveFile(place: Place, index: number, { bytes, line }: ReturnType<typeof encode>) {
  const { folder, keeps, lock, journal } = place;
  const target = join(folder, `${String(index)}.json`);
  const looks = keeps('no link followed, nothing overwritten, no short file');
  if (looks && !lstatSync(folder).isDirectory()) throw new Error('a link lies in the place');
  if (looks && lstatSync(target, { throwIfNoEntry: false })) throw new Error('it is there');
  const file = openSync(`${target}.tmp`, 'wx', 0o600);
  writeSync(file, bytes);
  if (looks && fstatSync(file).size !== bytes.length) throw new Error('it is short');
  if (keeps('a lock between processes')) statSync(`${lock}/${String(index)}-held`);
  if (keeps('a line in the index')) writeSync(journal, line);
  renameSync(`${target}.tmp`, target);
  const handle = openSync(folder, 'r');
  await Promise.all([sync(place, file), sync(place, handle)]);
  closeSync(file);
  closeSync(handle);
}

/** Makes an empty store of files. */
export function openHandWrittenFiles(root: string, kept: readonly FilePromise[]): HandWrittenFiles {
  const [folder, lock] = [join(root, 'files'), join(root, 'lock')];
  mkdirSync(folder, { recursive: true });
  mkdirSync(lock);
  closeSync(openSync(`${lock}/0-free`, 'wx', 0o600));
  const journal = openSync(join(root, 'journal'), 'wx', 0o600);
  const place: Place = { folder, lock, journal, keeps: (promise) => kept.includes(promise) };
  return {
    async save(index, text) {
      const isLocked = place.keeps('a lock between processes');
      const encoded = encode(place, index, text);
      if (isLocked) renameSync(`${lock}/${String(index)}-free`, `${lock}/${String(index)}-held`);
      await saveFile(place, index, encoded);
      if (isLocked)
        renameSync(`${lock}/${String(index)}-held`, `${lock}/${String(index + 1)}-free`);
    },
    close: () => {
      closeSync(journal);
    },
  };
}
