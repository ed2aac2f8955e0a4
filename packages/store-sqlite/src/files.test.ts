import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import { expect, test } from 'vitest';
import { loadDriver } from './driver/driver.ts';
import type { SqliteDriver } from './driver/sqlite-driver.ts';
import { sqliteBackend } from './sqlite-backend.ts';
import { temporaryFolder } from './test-support/places.ts';
import { paperIds, papers, putPaper } from './test-support/records.ts';
import { bundleChild, endOf, startChild, writeThreadProgram } from './test-support/run-child.ts';

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test.for([0o000, 0o022])(
  'keeps folder, file and log to their owner under umask %o',
  async (umask) => {
    const folder = join(temporaryFolder(), 'new', 'deep');
    const path = join(folder, 'ctx.db');
    const before = process.umask(umask);
    try {
      const backend = sqliteBackend({ path });
      await backend.open([papers]);
      await backend.write([putPaper('p1')]);
      const modes = readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]);
      expect(modes).toEqual([
        ['ctx.db', '600'],
        ['ctx.db-mark', '600'],
        ['ctx.db-shm', '600'],
        ['ctx.db-wal', '600'],
      ]);
      expect([modeOf(folder), modeOf(join(folder, '..'))]).toEqual(['700', '700']);
      await backend.close();
    } finally {
      process.umask(before);
    }
  },
);

test('leaves the modes of a folder and a file that were there as they are', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const path = join(folder, 'ctx.db');
  writeFileSync(path, '', { mode: 0o644 });
  const backend = sqliteBackend({ path });
  await backend.open([papers]);
  await backend.close();
  expect([modeOf(folder), modeOf(path)]).toEqual(['755', '644']);
});

/** A store of 50 papers. */
async function makeStore(path: string): Promise<void> {
  const backend = sqliteBackend({ path });
  await backend.open([papers]);
  const body = JSON.stringify('x'.repeat(3000));
  await backend.write(Array.from({ length: 50 }, (_, at) => putPaper(`p${at}`, { body })));
  await backend.close();
}

const damages: readonly [string, (path: string) => void][] = [
  [
    'a text file',
    (path) => {
      writeFileSync(path, 'Dear diary, '.repeat(1000));
    },
  ],
  [
    'zeros',
    (path) => {
      writeFileSync(path, Buffer.alloc(8192));
    },
  ],
  [
    'a file cut to half',
    (path) => {
      truncateSync(path, statSync(path).size / 2);
    },
  ],
  [
    'a file cut within its first page',
    (path) => {
      truncateSync(path, 1000);
    },
  ],
  [
    'a schema page of noise',
    (path) => {
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0xa5, 100, 4096));
    },
  ],
];

test.for(damages)('refuses %s by name and leaves it as it is', async ([, damage]) => {
  const path = join(temporaryFolder(), 'ctx.db');
  await makeStore(path);
  damage(path);
  const before = readFileSync(path);
  const backend = sqliteBackend({ path });
  const error: unknown = await backend.open([papers]).catch((reason: unknown) => reason);
  expect(isCtxError(error, 'CTX_STORE_CORRUPT') && error.message).toContain(path);
  expect(readFileSync(path).equals(before)).toBe(true);
  await expect(backend.get('papers', [['t', 's', 'p1']])).rejects.toThrow('not open yet');
  await backend.close();
});

test('refuses the database of another program and leaves it as it is', async () => {
  const path = join(temporaryFolder(), 'other.db');
  writeFileSync(path, '');
  const other = (await loadDriver())(path);
  other.exec('CREATE TABLE precious (a)');
  other.close();
  const before = readFileSync(path);
  const backend = sqliteBackend({ path });
  await expect(backend.open([papers])).rejects.toMatchObject({ code: 'CTX_STORE_CORRUPT' });
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('never takes a store that another process makes at that moment for the database of another program', async () => {
  const driver = await loadDriver();
  const own = '; PRAGMA application_id = 0x63747831; PRAGMA user_version = 3; COMMIT';
  const make = (path: string): void => {
    const other = driver(path);
    try {
      other.exec(`BEGIN IMMEDIATE; CREATE TABLE others (a)${own}`);
    } catch {
      // Held against others, so that it has to wait: as it should.
    } finally {
      other.close();
    }
  };
  const path = join(temporaryFolder(), 'ctx.db');
  let isMade = false;
  const interrupted: SqliteDriver = (name) => {
    const database = driver(name);
    return {
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      prepare: (sql) => {
        // Between its look at the mark of the file and that at its tables.
        if (!isMade && sql.includes('sqlite_schema')) {
          isMade = true;
          make(path);
        }
        return database.prepare(sql);
      },
    };
  };
  const backend = sqliteBackend({ path, driver: interrupted });
  await backend.open([papers]);
  await backend.write([putPaper('p1')]);
  expect([isMade, await paperIds(backend)]).toEqual([true, ['p1']]);
  await backend.close();
});

test('refuses the store of a newer ctx', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  await makeStore(path);
  const database = (await loadDriver())(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  await expect(sqliteBackend({ path }).open([papers])).rejects.toMatchObject({
    code: 'CTX_STORE_UNSUPPORTED',
  });
});

test('reports each flipped page as damage, never as other records, and keeps the rest readable', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  await makeStore(path);
  const whole = readFileSync(path);
  const pages = whole.length / 4096;
  const outcomes = new Set<string>();
  for (let page = 1; page < pages; page += 5) {
    const bytes = Buffer.from(whole);
    bytes.fill(0x5a, page * 4096, page * 4096 + 200);
    for (const companion of ['-wal', '-shm']) rmSync(path + companion, { force: true });
    writeFileSync(path, bytes);
    const backend = sqliteBackend({ path });
    const ids = await backend
      .open([papers])
      .then(() => paperIds(backend))
      .catch((error: unknown) => (isCtxError(error) ? error.code : String(error)));
    outcomes.add(Array.isArray(ids) ? `${ids.length} papers` : ids);
    await backend.close();
  }
  expect([...outcomes].filter((one) => !['CTX_STORE_CORRUPT', '50 papers'].includes(one))).toEqual(
    [],
  );
  expect(outcomes).toContain('CTX_STORE_CORRUPT');
});

test('says of a folder that it is one, and what to give in its place', async () => {
  const path = temporaryFolder();
  for (const readOnly of [false, true]) {
    const opened = sqliteBackend({ path, readOnly }).open([papers]);
    await expect(opened).rejects.toMatchObject({ code: 'CTX_INVALID_INPUT' });
    await expect(opened).rejects.toThrow(
      `is a folder, and an SQLite store is one file; name a file`,
    );
  }
  expect(readdirSync(path)).toEqual([]);
});

test('says that a folder is missing a right before anything is lost', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'file', 'ctx.db');
  writeFileSync(join(folder, 'file'), 'no folder');
  await expect(sqliteBackend({ path }).open([papers])).rejects.toMatchObject({
    code: 'CTX_STORE_IO',
  });
});

/** Whether this user may mount a small disk in a namespace of its own. */
function canMount(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs a bundled program under `unshare -rm` with `disk` mounted on the folder. */
async function runOnDisk(
  folder: string,
  options: string,
  { command, writeThread }: { command: string; writeThread?: URL | undefined },
): Promise<string> {
  const script = `mount -t tmpfs -o ${options} tmpfs "$1" && ${command}`;
  return execFileSync('unshare', ['-rm', 'sh', '-c', script, 'sh', folder, process.execPath], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, CTX_WRITE_THREAD: writeThread?.href ?? '' },
  });
}

test.skipIf(!canMount()).for([
  ['', undefined],
  [' where a thread writes', writeThreadProgram],
] as const)(
  'a full disk fails each write by name and loses nothing%s',
  { timeout: 90_000 },
  async ([, thread]) => {
    const writeThread = await thread?.();
    const program = await bundleChild('fill-up');
    const disk = join(temporaryFolder(), 'disk');
    mkdirSync(disk);
    const output = await runOnDisk(disk, 'size=256k', {
      command: `"$2" "${program}" "$1/ctx.db"`,
      writeThread,
    });
    const report: unknown = JSON.parse(output);
    expect(report).toMatchObject({ isReadable: true, deleted: 'done', left: 0 });
    const { failures } = report as { failures: string[] };
    expect([...new Set(failures)]).toEqual(['CTX_STORE_FULL']);
  },
);

test.skipIf(!canMount())(
  'a store on a disk without any room is opened, read and searched',
  { timeout: 90_000 },
  async () => {
    const program = await bundleChild('fill-and-read');
    const disk = join(temporaryFolder(), 'disk');
    mkdirSync(disk);
    const output = await runOnDisk(disk, 'size=1m', { command: `"$2" "${program}" "$1"` });
    expect(JSON.parse(output)).toEqual({
      room: 0,
      read: 30_008,
      hits: [['3'], ['3']],
      written: 'CTX_STORE_FULL',
    });
  },
);

test.skipIf(!canMount())(
  'a disk that is mounted read-only is named at open',
  { timeout: 60_000 },
  async () => {
    const program = await bundleChild('add-one');
    const disk = join(temporaryFolder(), 'disk');
    mkdirSync(disk);
    const run = `"$2" "${program}" "$1/ctx.db"`;
    const command = `${run} 1 && mount -o remount,ro "$1" && (${run} 1 2>&1 || true)`;
    expect(await runOnDisk(disk, 'size=4m', { command })).toContain('CTX_STORE_READ_ONLY');
  },
);

test('a killed opener leaves nothing that the next one trips over', async () => {
  const path = join(temporaryFolder(), 'ctx.db');
  writeFileSync(path, '', { mode: 0o600 });
  const program = await bundleChild('add-one');
  const { code, errors } = await endOf(startChild(program, [path, '3']));
  expect([code, errors]).toEqual([0, '']);
});

test('a file that may not grow is no room, and what is in it is read', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'ctx.db');
  const program = await bundleChild('write-until-full');
  const run = `trap '' XFSZ; ulimit -f 600; "${process.execPath}" "${program}" "${path}"`;
  const output = execFileSync('bash', ['-c', run], { encoding: 'utf8' });
  const { code, written, read } = JSON.parse(output) as Record<string, unknown>;
  expect(code).toBe('CTX_STORE_FULL');
  expect([typeof written, read]).toEqual(['number', written]);
});
