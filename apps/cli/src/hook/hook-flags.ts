import type { handleHook } from '@ctx/claude-code';
import { CtxError } from '@ctx/core';
import type { RedactionMode } from '@ctx/redact';

/** How a hook does its work. */
export interface HookFlags extends Omit<NonNullable<Parameters<typeof handleHook>[2]>, 'shell'> {
  readonly store?: string;
  /** Default `on`. */
  readonly redact: RedactionMode;
}

/** The flags of `ctx hook claude-code`, as they stand on the command line. */
export const hookFlagNames = ['--store', '--redact', '--offload-from', '--host-version'] as const;

function redactOf(text: string): RedactionMode {
  if (text === 'on' || text === 'report' || text === 'off') return text;
  throw new CtxError('CTX_USAGE', '--redact must be one of on, report, off');
}

function tokensOf(text: string): number {
  const tokens = Number(text);
  if (/^\d{1,9}$/.test(text) && tokens > 0) return tokens;
  throw new CtxError('CTX_USAGE', '--offload-from must be a number of tokens');
}

/** Reads the arguments after `ctx hook claude-code`, without the library for those of other commands; throws `CTX_USAGE`. */
export function readHookFlags(args: readonly string[]): HookFlags {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) {
    const [name = '', value] = args.slice(at, at + 2);
    if (!hookFlagNames.some((known) => known === name) || value === undefined) {
      throw new CtxError('CTX_USAGE', `ctx hook claude-code does not take ${name.slice(0, 40)}`);
    }
    values.set(name, value);
  }
  const store = values.get('--store');
  const offloadFrom = values.get('--offload-from');
  const hostVersion = values.get('--host-version');
  return {
    redact: redactOf(values.get('--redact') ?? 'on'),
    ...(store === undefined ? {} : { store }),
    ...(offloadFrom === undefined ? {} : { offloadFrom: tokensOf(offloadFrom) }),
    ...(hostVersion === undefined ? {} : { hostVersion }),
  };
}
