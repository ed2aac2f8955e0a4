import type { Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { messageCounter } from '@ctx/tokens';
import {
  cachePriceOf,
  openSessionWindow,
  previewTexts,
  type RecordedCalls,
  sessionLog,
  type SessionWindow,
  type WindowEvent,
  type WindowPolicy,
} from '@ctx/truncation';
import {
  type AutomaticCompaction,
  automaticCompaction,
} from '../compaction/automatic-compaction.ts';
import { type HostHistory, hostHistory } from './history/host-history.ts';
import type { ResumedNotes } from './history/resumed-notes.ts';
import type { ManagerSettings } from './manager-settings.ts';
import { type FlushHold, holdablePolicy } from './request/holdable-policy.ts';
import type { WindowSizes } from './window-types.ts';

/** A window that is open, what keeps it in step with the host, and what compacts it. */
export interface ManagerWindow {
  readonly window: SessionWindow;
  readonly history: HostHistory;
  readonly compaction?: AutomaticCompaction;
  readonly hold: FlushHold;
  /** Whether an earlier process, or an earlier window of this one, wrote the log. */
  readonly isResumed: boolean;
  /** What is told first of a history that the host does not have. */
  notes?: ResumedNotes;
  /** Sizes that this process has told the window. */
  sizes: WindowSizes | undefined;
}

function policyOf({ policy, offload }: ManagerSettings): WindowPolicy {
  const { offloadFromTokens, previewTokens } = offload;
  return { ...policy, offloadFromTokens, previewTokens };
}

/** Results are redacted by the store; everything else here. */
function redactMessage({ redactor }: ContextStore, message: Message): Message {
  let found = 0;
  const content = message.content.map((block) => {
    if (block.type === 'tool_result') return block;
    const { value, receipt } = redactor.redact(block);
    if (receipt.mode !== 'on' || receipt.total === 0) return block;
    found += receipt.total;
    return value;
  });
  return found === 0 ? message : { ...message, content };
}

/** How the window of a manager is opened, by whoever opens it. */
export function windowOptionsOf(
  settings: ManagerSettings,
  hold: FlushHold,
): Omit<Parameters<typeof openSessionWindow>[0], 'sessionId' | 'store'> {
  const { store, profile, countTokens } = settings;
  const { read, write, lifetimeMs, minimumTokens } = cachePriceOf(profile.price);
  return {
    policy: holdablePolicy(policyOf(settings), hold),
    windowTokens: profile.windowTokens,
    price: { read, write, lifetimeMs, minimumTokens },
    tokensOf: messageCounter({ counter: countTokens }),
    previewText: previewTexts({ countTokens: store.countTokens }),
    sharesMessages: true,
  };
}

/** Opens the window of a manager's session where it left off. Reads the log. */
export async function openManagerWindow(
  settings: ManagerSettings,
  calls: RecordedCalls,
  onEvent: (event: WindowEvent) => void,
): Promise<ManagerWindow> {
  const { store, sessionId } = settings;
  const hold: FlushHold = { isHeld: false };
  const options = windowOptionsOf(settings, hold);
  const window = await openSessionWindow({ ...options, store, sessionId, onEvent });
  const marks = await sessionLog(store, sessionId).history();
  const history = hostHistory(window, marks, {
    redact: (message) => redactMessage(store, message),
    storedResult: (callId, text) => calls.storedResult(callId, text),
    findStored: (call, text) => calls.findStored(call, text),
  });
  const opened: ManagerWindow = {
    window,
    history,
    hold,
    isResumed: marks.length > 0,
    sizes: undefined,
  };
  if (settings.compaction === false) return opened;
  return { ...opened, compaction: automaticCompaction(window, settings.compaction) };
}
