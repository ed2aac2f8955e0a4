import type { TokenCounter } from '@ctx/core';
import { canonicalJson, encodeValue, fingerprintText } from '@ctx/core/encoding';
import type { RequestParts } from '@ctx/truncation';
import { type ModelProfile, modelProfile } from '@ctx/truncation/cost';
import type { RequestSettings } from './prepared.ts';

/** What of a request is not messages: its size, and names that change with it. */
export interface FixedParts {
  readonly fixedTokens: number;
  readonly profile: ModelProfile;
  readonly parts: RequestParts;
}

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

/** Measures what is sent with each request again. Cost: what changed is counted, the rest is compared. */
export function createFixedMeter(
  countTokens: TokenCounter,
  model: ModelProfile,
): (settings: RequestSettings) => FixedParts {
  let system = nothing;
  let tools = nothing;
  const measure = (value: unknown, last: Measured): Measured => {
    const text = textOf(value);
    if (text === last.text) return last;
    return { text, tokens: countTokens(text), print: fingerprintText(text).slice(0, 16) };
  };
  return (settings) => {
    system = measure(settings.system, system);
    tools = measure(settings.tools, tools);
    const { model: name } = settings;
    const profile = name === undefined || name === model.name ? model : modelProfile(name);
    return {
      fixedTokens: system.tokens + tools.tokens,
      profile,
      parts: { model: profile.name, system: system.print, tools: tools.print },
    };
  };
}
