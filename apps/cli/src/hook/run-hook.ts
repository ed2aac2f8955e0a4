import { handleHook, readHookInput } from '@ctx/claude-code';
import { CtxError } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import type { CliHost } from '../cli-host.ts';
import { shellWord } from '../follow-up.ts';
import { toldBackend } from '../store/live-backend.ts';
import { backendOf } from '../store/open-store-url.ts';
import { storeLocationOf } from '../store/store-location.ts';
import { ownCommand } from './find-program.ts';
import type { HookFlags } from './hook-flags.ts';
import { logHookFailure } from './hook-log.ts';

/** Longest input that is read. A tool's response stands in it whole. */
const maxInputBytes = 256 * 1024 * 1024;

type HookAnswer = Awaited<ReturnType<typeof handleHook>>;

/** How a hook ends. */
export interface HookEnd {
  /** Leave an SQLite store open: the process ends at once, and tidying up is left to the hooks that end a turn. Default false. */
  readonly leaveOpen?: boolean;
}

/** How the model calls ctx: as the hooks do that `ctx init` installs here, with the store that they are given. */
function shellOf(host: CliHost, { store }: HookFlags) {
  const { command, args } = ownCommand(host);
  const program = [command, ...args].map(shellWord).join(' ');
  const place = store === undefined ? '' : `--store ${store}`;
  // What goes to a model may stand in a shell: only plain signs.
  const isPlain = /^[A-Za-z0-9_@%+=:,./ -]*$/.test(place);
  return { program, flags: isPlain ? place : '' };
}

async function answer(
  host: CliHost,
  input: ReturnType<typeof readHookInput>,
  { flags, leaveOpen = false }: HookEnd & { readonly flags: HookFlags },
): Promise<HookAnswer> {
  if (input.event === 'other') return {};
  const { url } = await storeLocationOf(host, flags.store);
  const redactor = createRedactor({ mode: flags.redact });
  const store = await openStore(toldBackend(await backendOf(url)), { redactor });
  const isLeft = leaveOpen && url.scheme === 'sqlite' && input.endsTurn !== true;
  try {
    return await handleHook(store, input, { ...flags, shell: shellOf(host, flags) });
  } finally {
    if (!isLeft) await store.close();
  }
}

async function readInput(host: CliHost): Promise<ReturnType<typeof readHookInput>> {
  const input = await host.readInput(maxInputBytes);
  if (input === undefined || input === 'too large') {
    const what = input === undefined ? 'is missing' : 'is too large';
    throw new CtxError('CTX_INVALID_FILE', `the input of the hook ${what}`);
  }
  return readHookInput(input.text);
}

/**
 * Answers one hook of Claude Code: JSON in, JSON out.
 * Never throws, and always answers: what goes wrong is written to the log of hooks, and the answer is `{}`, by which the
 * original result stands. Gives the event.
 */
export async function runHook(
  host: CliHost,
  flagsOf: () => HookFlags,
  end: HookEnd = {},
): Promise<string> {
  let event = 'unknown';
  let answered: HookAnswer = {};
  try {
    const flags = flagsOf();
    const input = await readInput(host);
    event = input.event;
    answered = await answer(host, input, { flags, ...end });
  } catch (error) {
    await logHookFailure(host, event, error);
  }
  await host.out.write(`${JSON.stringify(answered)}\n`);
  return event;
}
