import type { ContextStore } from '@ctx/store';
import { messageCounter } from '@ctx/tokens';
import { describeCall } from '../calls/describe-call.ts';
import { previewTexts } from '../window/insert/plain-preview.ts';
import type { WindowOptions } from '../window/window.ts';
import { windowModes } from '../window/window-policy.ts';
import type { SessionWindowOptions } from './session-window.ts';

/** Where nothing else is said. Source: Anthropic's prices for a cache of five minutes. */
const usualPrice = { read: 0.1, write: 1.25, lifetimeMs: 300_000 } as const;
const usualWindowTokens = 200_000;

/** The options of a window with their defaults. */
export function windowOptions(
  { countTokens }: Pick<ContextStore, 'countTokens'>,
  given: Omit<SessionWindowOptions, 'sessionId'>,
): WindowOptions {
  return {
    policy: given.policy ?? windowModes.default,
    price: given.price ?? usualPrice,
    windowTokens: given.windowTokens ?? usualWindowTokens,
    fixedTokens: given.fixedTokens ?? 0,
    tokensOf: given.tokensOf ?? messageCounter({ counter: countTokens }),
    previewText: given.previewText ?? previewTexts(),
    describeCall: given.describeCall ?? describeCall,
    namesMessages: given.namesMessages ?? true,
    sharesMessages: given.sharesMessages ?? false,
  };
}
