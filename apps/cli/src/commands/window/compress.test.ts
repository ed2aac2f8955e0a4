import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CompressAnswer } from '../../schemas/measure.ts';
import { runOn } from '../../test-support/fake-host.ts';
import { makeFolder, serviceLog } from '../../test-support/sample-transcripts.ts';

const store = ['--store', 'fs:kept'];

const words = 'some text that reads as people write, with other words on each line'.split(' ');

const prose = Array.from({ length: 400 }, (_line, index) =>
  words.map((_word, at) => words[(index * 5 + at * (index % 7)) % words.length]).join(' '),
).join('\n');

function folderWith(text: string | Uint8Array): string {
  const folder = makeFolder();
  writeFileSync(join(folder, 'build.log'), text);
  return folder;
}

describe('ctx compress', () => {
  it('prints what matters of a log, and the whole comes back from the address in the text', async () => {
    const log = serviceLog(600);
    const cwd = folderWith(log);
    const { exitCode, stdout, stderr } = await runOn({ cwd }, 'compress', 'build.log', ...store);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ERROR payment req-77ab41 was refused');
    expect(stdout.length).toBeLessThan(log.length / 3);
    expect(stdout.split('\n')[0]).toContain('lines without error or warning');
    expect(stderr).toMatch(/build\.log \(log\): [\d,]+ → [\d,]+ tokens; left out: /);
    const [uri = ''] = /ctx:\/\/outputs\/[\w-]+/.exec(stdout) ?? [];
    const back = await runOn({ cwd }, 'read', uri, ...store);
    expect(back.stdout).toBe(log);
  });

  it('names a command that works here: ctx where PATH has it, else this Node and the file', async () => {
    const cwd = folderWith(serviceLog(600));
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'ctx'), '#!/bin/sh\n', { mode: 0o755 });
    const printed = async (PATH: string) =>
      runOn({ cwd, env: { PATH } }, 'compress', 'build.log', ...store);
    expect((await printed(bin)).stdout).toContain(' in a shell with: ctx read ctx://');
    const { stdout, stderr } = await printed('');
    const [, program = '', script = ''] = / with: (\S+) (\S+) read ctx:/.exec(stdout) ?? [];
    expect([program, existsSync(script)]).toEqual([process.execPath, true]);
    expect(stderr).toContain(`the whole: ${program} ${script} read ctx://`);
  });

  it('prints the same bytes for the same text, from a file or a pipe, and shortens nothing twice', async () => {
    const log = serviceLog(600);
    const cwd = folderWith(log);
    const first = await runOn({ cwd }, 'compress', 'build.log', ...store);
    const piped = await runOn({ cwd, input: log }, 'compress', '-', ...store);
    expect(piped.stdout).toBe(first.stdout);
    const again = await runOn({ cwd, input: first.stdout }, 'compress', '-', ...store);
    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).toContain('as it is');
  });

  it.each([
    ['short', serviceLog(5)],
    ['prose of no known kind', prose],
    ['without a line break at its end', 'one line'],
  ])('prints a text as it is, says so and stores nothing, if it is %s', async (_name, text) => {
    const cwd = folderWith(text);
    const { stdout, stderr } = await runOn({ cwd }, 'compress', 'build.log', ...store);
    expect(stdout).toBe(text);
    expect(stderr).toContain('tokens, as it is: ');
    expect(existsSync(join(cwd, 'kept'))).toBe(false);
  });

  it('stores nothing with --no-store, and names the file as the place of the whole', async () => {
    const cwd = folderWith(serviceLog(600));
    const { stdout, stderr } = await runOn({ cwd }, 'compress', 'build.log', '--no-store');
    expect(stdout).toMatch(
      /^\[ctx: the whole result \(.*\) is kept at build\.log; log; left out: /,
    );
    expect(stderr).toContain('nothing stored');
    expect(existsSync(join(cwd, 'home'))).toBe(false);
    const piped = await runOn({ cwd, input: serviceLog(600) }, 'compress', '-', '--no-store');
    expect(piped.stdout).toContain('is kept nowhere');
  });

  it('shows lines with words of the task, and answers as JSON', async () => {
    const cwd = folderWith(serviceLog(600).replace('served request 41', 'sent the invoice'));
    const plain = await runOn({ cwd }, 'compress', 'build.log', '--budget', '200', ...store);
    expect(plain.stdout).not.toContain('sent the invoice');
    const words = ['--budget', '200', '--words', 'the invoice', '--json'];
    const { stdout } = await runOn({ cwd }, 'compress', 'build.log', ...words, ...store);
    const answer = JSON.parse(stdout) as CompressAnswer;
    expect(answer).toMatchObject({ file: 'build.log', kind: 'log', isShortened: true });
    expect(answer.text).toContain('sent the invoice');
    expect(answer.tokensAfter).toBeLessThan(answer.tokensBefore * 0.7);
    expect(answer.read).toContain(answer.output);
  });

  it('shows no secret that the store does not keep either', async () => {
    const secret = `sk-ant-api03-${'Ab1'.repeat(30)}`;
    const log = serviceLog(600).replace('was refused', `was refused with key ${secret}`);
    const { stdout } = await runOn({ cwd: folderWith(log) }, 'compress', 'build.log', ...store);
    expect(stdout).toContain('was refused with key ');
    expect(stdout).not.toContain(secret);
  });

  it('refuses what is no text, what is missing, and a store that ends with it', async () => {
    const cwd = folderWith(Uint8Array.of(0xff, 0xfe, 0x00));
    const binary = await runOn({ cwd }, 'compress', 'build.log', ...store);
    expect(binary.stderr).toContain('build.log is not UTF-8 text');
    const missing = await runOn({ cwd }, 'compress', 'none.log', ...store);
    expect(missing.stderr).toContain('none.log');
    const nothing = await runOn({ cwd }, 'compress', '-', ...store);
    expect(nothing.stderr).toContain('nothing came on standard input');
    const gone = await runOn(
      { cwd, input: serviceLog(600) },
      ...['compress', '-', '--store', 'memory:'],
    );
    expect(gone.stderr).toContain('name a store that lasts');
    expect([binary, missing, nothing, gone].map(({ exitCode }) => exitCode)).not.toContain(0);
  });
});
