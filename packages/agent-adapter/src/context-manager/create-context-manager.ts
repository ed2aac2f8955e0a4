import { checkMessages, type Message } from '@ctx/core';
import { copyData } from '@ctx/core/encoding';
import { outputIdOf, recordedCalls } from '@ctx/truncation';
import { checkName, refuse } from './check-options.ts';
import { checkSignal } from './check-signal.ts';
import { forkManagerSession, managerMoments } from './checkpoints/checkpoint-methods.ts';
import type { ContextManager } from './context-manager.ts';
import { isKnownToGrow } from './history/grown-lists.ts';
import { createEventHub } from './manager-events.ts';
import { managerSession } from './manager-session.ts';
import { type ContextManagerOptions, managerSettings } from './manager-settings.ts';
import { forgetWindow, inManagerTurn, type Managing, open } from './managing.ts';
import { managedMemory } from './memory/managed-memory.ts';
import { managerItems } from './memory/manager-items.ts';
import { managerTools } from './memory/manager-tools.ts';
import { type RecordedContent, recordCall } from './outputs/record-call.ts';
import { storedOutputs } from './outputs/stored-outputs.ts';
import { codeOf } from './request/degradation.ts';
import { registerSharedPrepare } from './request/prepare-shared.ts';
import type { createFlashSaver, prepareOrDegrade } from './request/prepare-steps.ts';
import type { Prepared } from './request/prepared.ts';
import { createFixedMeter } from './request/request-settings.ts';

interface Steps {
  readonly prepareOrDegrade: typeof prepareOrDegrade;
  readonly saveIfFull: ReturnType<typeof createFlashSaver>;
}

/** What makes requests is loaded with the first one. */
async function loadSteps({ settings, hub }: Managing): Promise<Steps> {
  const steps = await import('./request/prepare-steps.ts');
  return {
    prepareOrDegrade: steps.prepareOrDegrade,
    saveIfFull: steps.createFlashSaver(settings, hub),
  };
}

type Prepare = ContextManager['prepare'];

/** Warns once: each turn throws away what the window and the provider's cache hold of the other history. */
function turnWarner(sessionId: string): () => void {
  let isWarned = false;
  return () => {
    if (isWarned) return;
    isWarned = true;
    const fix = "give each loop a manager of its own: manager.lane('name')";
    process.emitWarning(`two histories take turns in session ${sessionId}; ${fix}`, {
      code: 'CTX_SHARED_MANAGER',
    });
  };
}

/** Checks the messages of a history that were not there in the last request. A list that is known to grow was made by an adapter. */
function newMessageCheck(): (messages: readonly Message[]) => void {
  let checked = 0;
  return (messages) => {
    if (!isKnownToGrow(messages)) checkMessages(messages, checked);
    checked = messages.length;
  };
}

/** Making requests, and learning from them. */
function requests(
  managing: Managing,
): Pick<ContextManager, 'prepare' | 'observe' | 'overflowed'> & { readonly shared: Prepare } {
  const { settings, hub } = managing;
  const { store, sessionId } = settings;
  const measure = createFixedMeter(settings);
  let steps: Promise<Steps> | undefined;
  const warnOfTurns = turnWarner(sessionId);
  const checkNew = newMessageCheck();
  const tell = ({ receipt }: Prepared): void => {
    if (receipt.alternates === true) warnOfTurns();
    if (receipt.compaction !== undefined) hub.tell('compacted', receipt.compaction);
    if (receipt.degraded !== undefined) hub.tell('degraded', receipt.degraded);
    hub.tell('prepared', receipt);
  };
  const shared: Prepare = (messages, request = {}) =>
    inManagerTurn(managing, async () => {
      const { prepareOrDegrade: make, saveIfFull } = await (steps ??= loadSteps(managing));
      const input = { messages, settings: request, fixed: measure(request) };
      const prepared = await make(() => open(managing), settings, input);
      if (prepared.receipt.degraded !== undefined) forgetWindow(managing);
      else await saveIfFull(prepared.receipt);
      tell(prepared);
      managing.observer?.noted(messages);
      return prepared;
    });
  return {
    shared,
    prepare: async (messages, request) => {
      checkNew(messages);
      const prepared = await shared(messages, request);
      return { ...prepared, messages: copyData(prepared.messages) };
    },
    observe: (usage) =>
      inManagerTurn(managing, async () => {
        const { inputTokens, outputTokens = 0 } = usage;
        store.sessions.observe(sessionId, { usage: { input: inputTokens, output: outputTokens } });
        try {
          const { window } = await open(managing);
          return await window.observe(usage);
        } catch (error) {
          hub.tell('degraded', { during: 'observe', code: codeOf(error), error });
          forgetWindow(managing);
          return undefined;
        }
      }),
    overflowed: (error) =>
      inManagerTurn(managing, async () => (await open(managing)).window.overflowed(error)),
  };
}

/** Recording results. The same call at the same time is one call. */
function recording(managing: Managing): Pick<ContextManager, 'recordToolOutput'> {
  const { settings, hub, calls } = managing;
  const { store, sessionId, offload } = settings;
  const running = new Map<string, Promise<RecordedContent>>();
  return {
    recordToolOutput: (call, result, options = {}) => {
      const recorder = { store, sessionId, calls, hub };
      const input = { call, result, options: { ...offload, ...options } };
      const before = running.get(call.id);
      const start = () => recordCall(recorder, input);
      const recorded = before === undefined ? start() : before.then(start, start);
      running.set(call.id, recorded);
      return recorded.finally(() => {
        if (running.get(call.id) === recorded) running.delete(call.id);
      });
    },
  };
}

type Memory = Pick<ContextManager, 'relevant' | 'remember' | 'recall' | 'forget' | 'pin'>;

/** What is known beyond the window. */
function memory({ settings }: Managing): Memory {
  const { store, agentId, sessionId } = settings;
  return {
    relevant: async (prompt, { signal, ...budget } = {}) => {
      checkSignal(signal);
      return store.outputs.relevant({ sessionId, prompt, ...budget });
    },
    remember: (text, { source = 'assistant', ...options } = {}) =>
      store.facts.remember({ text, source, agentId, sessionId, ...options }),
    recall: (query, options = {}) => store.facts.recall({ query, agentId, ...options }),
    forget: (text) => store.facts.forget({ text, agentId }),
    pin: (itemId) => store.items.pin(agentId, itemId),
  };
}

async function statusOf(managing: Managing): Promise<string> {
  const { window } = await open(managing);
  const parts = window.explain();
  const left = parts.filter(
    ({ pointer, form }) => form !== 'whole' && form !== 'thin' && pointer !== '',
  );
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const given = parts.reduce((sum, part) => sum + part.givenTokens, 0);
  const { windowTokens } = managing.settings.profile;
  return [
    `The messages take ${String(Math.round(tokens))} of ${String(windowTokens)} tokens of the window.`,
    `${String(left.length)} parts are shown shortened or by an address; whole, the conversation has ${String(Math.round(given))} tokens.`,
    'Read what left with ctx_read_output and its address, or find it with ctx_search_outputs.',
  ].join('\n');
}

/** The managers of further loops, each made once. */
function lanesOf(options: ContextManagerOptions) {
  const lanes = new Map<string, ContextManager>();
  return {
    lane: (name: string): ContextManager => {
      checkName('the name of a lane', name);
      const sessionId = `${options.sessionId}/${name}`;
      const lane = lanes.get(name) ?? createContextManager({ ...options, sessionId });
      lanes.set(name, lane);
      return lane;
    },
    end: (keep: boolean) => Promise.all([...lanes.values()].map((lane) => lane.end({ keep }))),
  };
}

async function end(managing: Managing, keep: boolean): Promise<void> {
  if (managing.isEnded) return;
  const { store, sessionId } = managing.settings;
  await managing.last;
  managing.isEnded = true;
  const opened = await managing.opened?.catch(() => undefined);
  if (keep) await managing.observer?.finish();
  await opened?.window.close();
  await store.sessions.flush(sessionId);
  if (!keep) {
    await store.outputs.clear(sessionId);
    await store.events.clear(sessionId);
  }
  managing.hub.tell('ended', { keep });
}

/**
 * Makes the context manager of a session. Nothing is read before the first call; a session that exists goes on.
 * @throws `CTX_INVALID_OPTION` for options that make no sense.
 */
export function createContextManager(options: ContextManagerOptions): ContextManager {
  const settings = managerSettings(options);
  const { store, sessionId, agentId } = settings;
  const hub = createEventHub();
  const calls = recordedCalls(store, sessionId);
  const observer = settings.memory && managedMemory(settings, settings.memory, hub);
  const managing: Managing = {
    ...(observer === undefined ? {} : { observer }),
    ...{ settings, hub, calls, opened: undefined, isEnded: false },
    last: Promise.resolve(),
  };
  const stored = storedOutputs(store, sessionId, calls);
  hub.on('recorded', ({ output }) => {
    stored.noted(outputIdOf(output.pointer));
  });
  const status = () => inManagerTurn(managing, () => statusOf(managing));
  const { shared, ...requesting } = requests(managing);
  const lanes = lanesOf({ ...options, agentId });
  const manager: ContextManager = {
    ...{ sessionId, agentId },
    on: (name, listener) => hub.on(name, listener),
    ...requesting,
    ...recording(managing),
    ...managerMoments(managing),
    fork: async (name, fork) => {
      checkName('agentId', fork.agentId ?? agentId);
      await forkManagerSession(managing, name, fork);
      return createContextManager({ ...options, agentId, ...fork });
    },
    lane: lanes.lane,
    session: managerSession(store, sessionId),
    items: managerItems(store, agentId),
    ...(observer === undefined ? {} : { memory: observer.memory }),
    ...memory(managing),
    ...stored.methods,
    get size() {
      return stored.size();
    },
    tools: () => managerTools({ store, agentId, sessionId, status, memory: observer?.memory }),
    end: async (given) => {
      const { keep = true } = Object(given) as NonNullable<typeof given>;
      // Only `false` itself deletes.
      if (typeof keep !== 'boolean') refuse('keep', 'true or false', keep);
      await lanes.end(keep);
      await end(managing, keep);
    },
  };
  registerSharedPrepare(manager, shared);
  return manager;
}
