import { canonicalJson, encodeValue, fingerprintText } from '@ctx/core/encoding';

import { type ModelProfile, modelProfile } from '@ctx/truncation';
import { type ManagerSettings, unnamedModel } from '../manager-settings.ts';
import type { RequestSettings } from './prepared.ts';
import type { RequestParts, WindowSizes } from '../window-types.ts';

type FixedSizes = NonNullable<WindowSizes['fixed']>;

/** What of a request is not messages: its size, and names that change with it. */
export interface FixedParts {
  readonly fixedTokens: number;
  /** The parts of them; the same object where they are the same. */
  readonly fixed: FixedSizes;
  readonly profile: ModelProfile;
  readonly answerTokens: number | undefined;
  readonly parts: RequestParts;
}

/** What has to be known of a manager's model. */
type ModelSettings = Pick<ManagerSettings, 'countTokens' | 'profile' | 'isProfileGiven'>;

interface Measured {
  readonly text: string;
  readonly tokens: number;
  readonly print: string;
}

const nothing: Measured = { text: '', tokens: 0, print: '' };

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : canonicalJson(encodeValue(value));
}

/** How long an answer may be, where that is a number of tokens. */
function answerOf(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
}

/**
 * Measures what is sent with each request again. What the user said of the model holds, whatever name a request has.
 * Counts what changed and compares the rest.
 */
export function createFixedMeter({
  countTokens,
  profile: model,
  isProfileGiven,
}: ModelSettings): (settings: RequestSettings) => FixedParts {
  let system = nothing;
  let tools = nothing;
  let fixed: FixedSizes = { system: 0, tools: 0 };
  const measure = (value: unknown, last: Measured): Measured => {
    const text = textOf(value);
    if (text === last.text) return last;
    return { text, tokens: countTokens(text), print: fingerprintText(text).slice(0, 16) };
  };
  const profileOf = (name: string = model.name): ModelProfile => {
    if (name === model.name) return model;
    return isProfileGiven ? { ...model, name } : modelProfile(name);
  };
  return (settings) => {
    const before = tools.print;
    system = measure(settings.system, system);
    tools = measure(settings.tools, tools);
    if (tools.print !== before || system.tokens !== fixed.system) {
      fixed = { system: system.tokens, tools: tools.tokens, definitions: settings.tools };
    }
    const { model: name } = settings;
    const profile = profileOf(name);
    const named = profile.name === unnamedModel ? {} : { model: profile.name };
    return {
      fixedTokens: system.tokens + tools.tokens,
      fixed,
      profile,
      answerTokens: answerOf(settings.answerTokens),
      parts: { ...named, system: system.print, tools: tools.print },
    };
  };
}
