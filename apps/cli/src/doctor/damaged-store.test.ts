import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@ctx/store';
import { expect, test } from 'vitest';
import type { DoctorAnswer, VerifyAnswer } from '../schemas/store.ts';
import { backendOf } from '../store/open-store-url.ts';
import { runOn } from '../test-support/fake-host.ts';
import { makeFolder } from '../test-support/sample-transcripts.ts';

interface Place {
  readonly cwd: string;
  readonly path: string;
  readonly url: string;
}

/** A store with 60 outputs and 21 events in three writes. */
async function filled(scheme: 'sqlite' | 'fs'): Promise<Place> {
  const cwd = makeFolder();
  const path = join(cwd, scheme === 'fs' ? 'data' : 'ctx.db');
  const url = `${scheme}:${path}`;
  const store = await openStore(await backendOf({ scheme, path, text: url }));
  for (let at = 0; at < 3; at += 1) {
    const events = Array.from({ length: 7 }, () => ({ type: 'e', payload: 'text '.repeat(40) }));
    await store.events.append('s', events);
  }
  const call = { sessionId: 's', toolName: 'Bash', args: {} };
  const outputs = Array.from({ length: 60 }, (_, at) => `${String(at)} line\n`.repeat(500));
  await store.outputs.saveAll(outputs.map((result) => ({ ...call, result })));
  await store.close();
  return { cwd, path, url };
}

async function answerOf({ cwd, url }: Place, ...argv: string[]) {
  const { exitCode, stdout } = await runOn({ cwd }, ...argv, '--store', url, '--json');
  const answer: unknown = JSON.parse(stdout);
  return { exitCode, answer };
}

async function doctor(place: Place, ...argv: string[]) {
  const { exitCode, answer } = await answerOf(place, 'doctor', ...argv);
  return { exitCode, answer: answer as DoctorAnswer };
}

async function verify(place: Place, ...argv: string[]) {
  const { exitCode, answer } = await answerOf(place, 'verify', ...argv);
  return { exitCode, answer: answer as VerifyAnswer };
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

test.each(['sqlite', 'fs'] as const)(
  'doctor reads the content of a healthy %s store',
  async (scheme) => {
    const { exitCode, answer } = await doctor(await filled(scheme));
    expect([exitCode, answer.checks.find(({ name }) => name === 'content')?.status]).toEqual([
      0,
      'ok',
    ]);
  },
);

test('doctor and verify name the file and the bytes of a damaged line of events', async () => {
  const place = await filled('fs');
  const log = join(place.path, 'default/events/s');
  const [segment = ''] = readdirSync(log);
  const text = readFileSync(join(log, segment), 'latin1');
  const second = text.indexOf('\n') + 1;
  flip(join(log, segment), text.indexOf('text text', second));
  const range = `default/events/s/${segment}: bytes ${String(second)} to ${String(text.indexOf('\n', second) - 1)}`;
  const told = await doctor(place);
  expect([told.exitCode, told.answer.isHealthy]).toEqual([1, false]);
  expect(told.answer.checks.find(({ name }) => name === 'content')?.found).toContain(range);
  const { exitCode, answer } = await verify(place);
  expect(exitCode).toBe(1);
  expect(answer.findings.map(({ what }) => what).join('\n')).toContain(range);
  const events = answer.findings.filter(({ collection }) => collection === 'events');
  expect(events.map(({ key }) => Number(key[2]))).toEqual([7, 8, 9, 10, 11, 12, 13]);
  // Now the line is set aside: that is no health either.
  expect((await doctor(place)).answer.isHealthy).toBe(false);
  const mended = await verify(place, '--repair');
  expect([mended.exitCode, mended.answer.left]).toEqual([0, 0]);
  const names = readdirSync(join(`${place.path}.quarantine`, 'set-aside'));
  const kept = names.map((name) =>
    readFileSync(join(`${place.path}.quarantine/set-aside`, name), 'utf8'),
  );
  expect(kept.some((bytes) => bytes.includes('text text'))).toBe(true);
  expect([(await verify(place)).exitCode, (await doctor(place)).exitCode]).toEqual([0, 0]);
});

test('a flipped bit of a session, an event or a payload is named by doctor and verify', async () => {
  for (const text of ['text text', '7 line']) {
    const place = await filled('sqlite');
    const at = readFileSync(place.path, 'latin1').indexOf(text);
    if (at === -1) continue;
    flip(place.path, at);
    const told = await doctor(place);
    expect([told.exitCode, told.answer.isHealthy]).toEqual([1, false]);
    const { exitCode, answer } = await verify(place);
    expect([exitCode, answer.problems]).toEqual([1, 1]);
    expect(
      (await verify(place, '--repair')).answer.findings.filter(
        ({ repaired }) => repaired === undefined,
      ),
    ).toEqual([]);
    // The bytes are kept before the record leaves.
    const folder = `${place.path}.quarantine`;
    const [kept = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, kept), 'utf8')).toContain('"body":"');
    expect(statSync(join(folder, kept)).size).toBeGreaterThan(300);
  }
});

test('records of an older ctx are counted as unchecked', async () => {
  const place = await filled('sqlite');
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(place.path);
  database.exec(`UPDATE events SET _body = rtrim(_body, ' ' || char(9, 10, 13))`);
  database.close();
  const { exitCode, answer } = await verify(place);
  expect([exitCode, answer.problems, answer.unsealed]).toEqual([0, 0, 21]);
  const { stderr } = await runOn({ cwd: place.cwd }, 'verify', '--store', place.url);
  expect(stderr).toContain('21 records of an older ctx have no checksum');
});

test('a database cut to 70 % is rescued by doctor, as verify and migrate advise', async () => {
  const place = await filled('sqlite');
  truncateSync(place.path, Math.floor(statSync(place.path).size * 0.7));
  const advice = 'ctx doctor --repair';
  const told = await runOn({ cwd: place.cwd }, 'verify', '--store', place.url);
  expect([told.exitCode, told.stderr]).toEqual([1, expect.stringContaining(advice)]);
  const moved = await runOn({ cwd: place.cwd }, 'migrate', '--from', place.url, '--to', 'fs:copy');
  expect(moved.exitCode).toBe(1);
  expect(moved.stderr).toContain(advice);
  expect(moved.stderr).not.toContain('set aside');
  const { answer } = await doctor(place, '--repair');
  expect(answer.repair?.how).toBe('recovered');
  expect(answer.repair?.missingBytes).toBeGreaterThan(0);
  expect(statSync(answer.repair?.kept ?? '').size).toBeGreaterThan(0);
  const outputs = answer.repair?.collections.find(({ name }) => name === 'outputs');
  expect(outputs?.recovered).toBeGreaterThan(20);
  expect((await runOn({ cwd: place.cwd }, 'sessions', '--store', place.url)).exitCode).toBe(0);
  expect(
    (await verify(place, '--repair')).answer.findings.every(({ kind }) => kind !== 'damaged-file'),
  ).toBe(true);
  expect((await verify(place)).answer.left).toBe(0);
});

test('a folder is not rescued as a file', async () => {
  const place = await filled('fs');
  const { exitCode, stderr } = await runOn(
    { cwd: place.cwd },
    'doctor',
    '--repair',
    '--store',
    place.url,
  );
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('ctx verify --repair')]);
});
