import type { ContextPointer, Message } from '@ctx/core';
import type { RecordedOutput } from '@ctx/truncation';
import {
  describeCall,
  offloadText,
  openWindow,
  outputIdOf,
  pointerUri,
  type WindowEvent,
  type WindowPolicy,
  windowModes,
} from '@ctx/truncation';
import { compactionOf } from '../replay-compaction.ts';
import type { PolicyContext, PolicyRun, ReplayPolicy } from '../replay-policy.ts';
import { asCommands } from './as-commands.ts';

/** Builds previews with the pointers of the outputs that were recorded. */
function previewsOf(
  known: ReadonlyMap<string, ContextPointer>,
  { countTokens }: PolicyContext,
): Parameters<typeof openWindow>[0]['previewText'] {
  return ({ text, pointer: uri, tokens, ...limits }) => {
    const pointer = known.get(uri);
    if (pointer !== undefined) return offloadText({ pointer, text, countTokens, ...limits });
    return `[ctx: ${String(tokens)} tokens are kept at ${uri}]`;
  };
}

function outputIds(uris: ReadonlySet<string>, known: ReadonlyMap<string, unknown>): Set<string> {
  return new Set([...uris].filter((uri) => known.has(uri)).map(outputIdOf));
}

/** What is shown of a result that stood in the view already. */
const dedupeForms: ReadonlySet<string> = new Set(['same', 'diff', 'overlap']);

/** Adds up what results were spared when they came in. */
function createSavings() {
  const saved = { atInsertion: 0, byDedupe: 0 };
  return {
    take: (event: WindowEvent) => {
      if (event.type !== 'received' && event.type !== 'settled') return;
      for (const { form, givenTokens, tokens = givenTokens } of event.segments ?? []) {
        if (form === undefined) continue;
        saved[dedupeForms.has(form) ? 'byDedupe' : 'atInsertion'] += givenTokens - tokens;
      }
    },
    total: () => ({ ...saved }),
  };
}

/** What a policy of the window is made of. */
export interface CtxPolicyOptions {
  readonly name: string;
  readonly description: string;
  readonly policy: WindowPolicy;
  /** When it is compacted. */
  readonly compacts: 'never' | 'when full' | 'when it pays';
  /** What addresses in lines of ctx are: as a tool takes them, or commands of a shell, as a proxy sends them. Default: as a tool takes them. */
  readonly addresses?: 'commands';
}

function startCtx(
  context: PolicyContext,
  { policy, compacts, addresses }: CtxPolicyOptions,
): PolicyRun {
  const known = new Map<string, ContextPointer>();
  const savings = createSavings();
  const window = openWindow({
    policy: { ...policy, ...context.numbers },
    onEvent: savings.take,
    windowTokens: context.windowTokens,
    fixedTokens: context.fixedTokens,
    price: context.price,
    tokensOf: context.tokensOf,
    previewText: previewsOf(known, context),
    describeCall,
    // As a session in a store names them.
    namesMessages: true,
    sharesMessages: true,
  });
  const sent = addresses === 'commands' ? asCommands() : (given: readonly Message[]) => given;
  const compaction = compactionOf(window, context, { whenItPays: compacts === 'when it pays' });
  const addressOf = ({ receipt: { pointer } }: RecordedOutput): string => {
    const uri = pointerUri(pointer.id);
    known.set(uri, pointer);
    return uri;
  };
  return {
    insert: (message: Message, outputs) => {
      const pointers = [...outputs].map(([id, output]) => [id, addressOf(output)] as const);
      window.insert(message, Object.fromEntries(pointers));
    },
    prepare: async () => {
      if (compacts !== 'never') await compaction.beforeRequest();
    },
    render: (now) => sent(window.request(now).messages),
    saved: savings.total,
    pointers: () => outputIds(window.pointers(), known),
  };
}

/** Makes a policy that works as the window manager does. */
export function ctxPolicy(options: CtxPolicyOptions): ReplayPolicy {
  const { name, description } = options;
  return { name, description, start: (context) => startCtx(context, options) };
}

/** The window manager in its three modes, compacted by itself without a model, and as the proxy has it. */
export const ctxPolicies: readonly ReplayPolicy[] = [
  ctxPolicy({
    name: 'ctx',
    description: 'the window manager: what is old leaves for a pointer when that pays',
    policy: windowModes.default,
    compacts: 'when it pays',
  }),
  ctxPolicy({
    name: 'ctx-thrifty',
    description: 'the window manager with a shorter tail',
    policy: windowModes.thrifty,
    compacts: 'when it pays',
  }),
  ctxPolicy({
    name: 'ctx-evidence',
    description: 'the window manager with a longer tail',
    policy: windowModes.evidence,
    compacts: 'when it pays',
  }),
  ctxPolicy({
    name: 'ctx-proxy',
    description:
      'the window manager as ctx run has it: errors and images stay, nothing is summed up',
    policy: { ...windowModes.default, exceptions: 'stay' },
    compacts: 'never',
    addresses: 'commands',
  }),
];
