import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { countedText, countText } from '@ctx/core/encoding';
import { readRequestLog } from '@ctx/replay';
import type { ContextStore, ItemDiff, Session } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import { messageFormats } from '@ctx/transcripts';
import { diffRequests, openSessionWindow, sessionLog } from '@ctx/truncation';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { findCheckpoint } from '../../items/find-checkpoint.ts';
import { type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { momentBefore } from '../../items/moment.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import {
  type DiffItemEntry,
  diffAnswerSchema,
  type ItemsDiffAnswer,
  type RequestDiffAnswer,
} from '../../schemas/checkpoint.ts';
import { withStore } from '../../store/open-store-url.ts';

interface DiffFlags extends ItemFlags {
  readonly since?: number;
  readonly requests?: boolean;
  readonly at?: number;
}

type Names = readonly (string | undefined)[];

const changeOf = ({ before, after }: ItemDiff['changed'][number]): DiffItemEntry => ({
  ...after,
  before: { fingerprint: before.fingerprint, place: before.place },
});

function listsOf({ added, changed, moved, removed, unchanged }: ItemDiff) {
  return {
    added,
    changed: changed.map(changeOf),
    moved: moved.map(changeOf),
    removed: removed.map(({ id, fingerprint }) => ({ id, fingerprint })),
    unchanged,
  };
}

async function itemsDiff(
  store: ContextStore,
  { agent, since }: DiffFlags,
  [first, second]: Names,
): Promise<Omit<ItemsDiffAnswer, 'store'>> {
  if (since !== undefined) {
    const { added, changed, moved, removed } = await store.checkpoints.changesSince(agent, since);
    const from = new Date(since).toISOString();
    return { agent, from, to: 'now', added, changed, moved, removed };
  }
  if (first === undefined) {
    throw new CtxError('CTX_USAGE', 'name one or two checkpoints, or give --since');
  }
  const before = await findCheckpoint(store, agent, first);
  const named = { agent: before.agentId, from: before.id };
  if (second === undefined) {
    const diff = await store.checkpoints.diffSince({ checkpointId: before.id });
    return { ...named, to: 'now', ...listsOf(diff) };
  }
  const after = await findCheckpoint(store, agent, second);
  const diff = await store.checkpoints.diff(before.id, after.id);
  return { ...named, to: after.id, ...listsOf(diff) };
}

const itemColumns = [
  { title: '' },
  { title: 'id', isWhole: true },
  { title: 'where', isFlexible: true },
] as const;

function placeText({ place, before }: DiffItemEntry): string {
  return before === undefined || before.place === place ? place : `${before.place} → ${place}`;
}

async function showItems(context: CommandContext, diff: ItemsDiffAnswer): Promise<void> {
  const { added, changed, moved, removed, unchanged } = diff;
  const rows = [
    ...added.map((entry) => ['added', entry.id, placeText(entry)]),
    ...changed.map((entry) => ['changed', entry.id, placeText(entry)]),
    ...moved.map((entry) => ['moved', entry.id, placeText(entry)]),
    ...removed.map(({ id }) => ['removed', id, '']),
  ];
  if (rows.length === 0) await context.say('Nothing changed.');
  else await context.table(itemColumns, rows);
  if (unchanged !== undefined) await context.say(`${countText(unchanged)} unchanged.`);
}

/** The newest request in a file. */
async function requestIn({ host }: CommandContext, path: string): Promise<unknown> {
  let body: unknown;
  await readRequestLog(resolve(host.cwd, path), path, (request) => {
    body = request.body;
  });
  if (body !== undefined) return body;
  throw new CtxError('CTX_INVALID_FILE', `${path} holds no request`);
}

async function requestsDiff(
  context: CommandContext,
  [before, after]: Names,
): Promise<RequestDiffAnswer> {
  if (before === undefined || after === undefined) {
    throw new CtxError('CTX_USAGE', '--requests needs two files');
  }
  const options = { countTokens: tokenCounterFor() };
  const old = await requestIn(context, before);
  const diff = diffRequests(old, await requestIn(context, after), options);
  return { before, after, ...diff };
}

/** Compares a request of a session with the one before it. */
async function sessionDiff(store: ContextStore, { id: sessionId }: Session, at?: number) {
  const places = await sessionLog(store, sessionId).requests();
  const last = at ?? places.length;
  const [from, to] = [places[last - 2], places[last - 1]];
  if (from === undefined || to === undefined) {
    const had = countedText(places.length, 'request');
    throw new CtxError('CTX_USAGE', `no such two requests to compare: ctx shaped ${had}`);
  }
  const window = await openSessionWindow({ store, sessionId });
  const views = [await window.viewAt(from), await window.viewAt(to)];
  await window.close();
  const [old, now] = views.map((view) => ({ messages: messageFormats.anthropic.write(view) }));
  const diff = diffRequests(old, now, store);
  return { before: `request ${String(last - 1)}`, after: `request ${String(last)}`, ...diff };
}

const requestColumns = [
  { title: '' },
  { title: 'part', isFlexible: true },
  { title: 'tokens', align: 'right' },
] as const;

async function showRequests(
  context: CommandContext,
  diff: RequestDiffAnswer,
  { json }: DiffFlags,
): Promise<void> {
  if (json === true) return context.json(diffAnswerSchema, { requests: diff });
  const { added, changed, removed, unchanged, firstDivergence: first } = diff;
  const rows = [
    ...added.map(({ path, tokens }) => ['added', path, `+${countText(tokens)}`]),
    ...changed.map(({ path, tokensBefore, tokensAfter }) => [
      ...['changed', path, `${countText(tokensBefore)} → ${countText(tokensAfter)}`],
    ]),
    ...removed.map(({ path, tokens }) => ['removed', path, `−${countText(tokens)}`]),
  ];
  if (rows.length > 0) await context.table(requestColumns, rows);
  const tokens = `${countText(diff.tokensBefore)} → ${countText(diff.tokensAfter)} tokens of text`;
  const same = `${countedText(unchanged, 'part')} unchanged`;
  await context.say(`${tokens}, ${same}; both begin with ${countText(diff.prefixTokens)}.`);
  if (first === undefined) return;
  await context.say(`They part at ${first.path}: ${first.before} → ${first.after}`);
}

async function runDiff(context: CommandContext, names: Names, flags: DiffFlags): Promise<void> {
  if (flags.since !== undefined && (names[0] !== undefined || flags.requests === true)) {
    throw new CtxError('CTX_USAGE', '--since goes without names');
  }
  if (flags.requests === true) {
    return showRequests(context, await requestsDiff(context, names), flags);
  }
  await withStore(context, flags, async (store, url) => {
    const [only, second] = names;
    const isOne = only !== undefined && second === undefined;
    const session = isOne ? await store.sessions.get(only) : undefined;
    if (session !== undefined) {
      return showRequests(context, await sessionDiff(store, session, flags.at), flags);
    }
    const diff = { store: url.text, ...(await itemsDiff(store, flags, names)) };
    if (flags.json === true) return context.json(diffAnswerSchema, { items: diff });
    await showItems(context, diff);
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'diff',
    summary: "Show what changed in an agent's items, or between two requests.",
    examples: [
      'ctx diff <checkpoint>',
      'ctx diff <checkpoint> <later-checkpoint>',
      'ctx diff --since 2h --agent ada',
      'ctx diff <session> --at 40',
      'ctx diff --requests before.json after.json',
    ],
  })
    .argument('[from]', 'id or label of a checkpoint, or id of a session; with --requests a file')
    .argument('[to]', 'the same (default: now)')
    .option('--since <time>', 'what changed since 2h, 1d or an ISO time', momentBefore(Date.now))
    .option('--requests', 'compare the newest requests of two files')
    .option('--at <number>', 'request of a session (default: the last)', wholeNumber(2));
  return withStoreFlag(withAgentFlag(command)).action(
    (from: string | undefined, to: string | undefined, flags: DiffFlags) =>
      runDiff(context, [from, to], flags),
  );
}
