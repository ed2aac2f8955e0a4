import { CtxError } from '@ctx/core';
import { type WindowPolicy, windowModes, windowPolicy } from '@ctx/truncation';

/** A word for what was given. */
function shown(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value;
}

/** @throws `CTX_INVALID_OPTION`, saying what is wanted and what was given. */
export function refuse(name: string, wanted: string, value: unknown): never {
  throw new CtxError('CTX_INVALID_OPTION', `${name} must be ${wanted}, got ${shown(value)}`);
}

/** A text that names something. */
export function checkName(name: string, value: unknown): void {
  if (typeof value !== 'string') refuse(name, 'a text', value);
  if (value === '') throw new CtxError('CTX_INVALID_OPTION', `${name} must not be empty`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object where it is not left out; `orFalse`: or turned off. */
function checkObject(name: string, value: unknown, orFalse = false): void {
  if (value === undefined || isObject(value) || (orFalse && value === false)) return;
  refuse(name, orFalse ? 'an object or false' : 'an object', value);
}

function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') refuse(name, 'a function', value);
}

function checkSummarizer(name: string, value: unknown): void {
  const { summarize } = Object(value) as { readonly summarize?: unknown };
  if (value === undefined || typeof summarize === 'function') return;
  refuse(name, 'a summariser with a method summarize', value);
}

/** Longest time that a timer can be set to, ms; a longer one would be over at once. */
const longestMs = 2_147_483_647;

function checkTimeout(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value === 'number' && value > 0 && value <= longestMs) return;
  refuse(name, `above 0 and at most ${String(longestMs)}`, value);
}

function checkCompaction(compaction: unknown): void {
  checkObject('compaction', compaction, true);
  const { timeoutMs, sizes, summarizer, countTokens, pinned } = Object(compaction) as Readonly<
    Record<string, unknown>
  >;
  checkTimeout('compaction.timeoutMs', timeoutMs);
  checkObject('compaction.sizes', sizes);
  for (const [name, size] of Object.entries(Object(sizes) as object) as [string, unknown][]) {
    if (typeof size === 'number' && size >= 0) continue;
    refuse(`compaction.sizes.${name}`, 'a number from 0', size);
  }
  checkSummarizer('compaction.summarizer', summarizer);
  checkFunction('compaction.countTokens', countTokens);
  checkFunction('compaction.pinned', pinned);
}

/** What a caller without types may get wrong and would hear of late, or never. */
export function checkParts(options: object): void {
  const { tokenCounter, summarizer, offload, memory, flashSave, compaction, model } =
    options as Readonly<Record<string, unknown>>;
  checkFunction('tokenCounter', tokenCounter);
  checkSummarizer('summarizer', summarizer);
  checkObject('offload', offload);
  checkObject('memory', memory);
  checkObject('flashSave', flashSave, true);
  checkCompaction(compaction);
  if (model !== undefined && typeof model !== 'string' && !isObject(model)) {
    refuse('model', 'a name or an object', model);
  }
}

/** Numbers of one's own: with one of them missing, no request would be kept within the window. */
export function checkNumbers(policy: unknown): void {
  if (!isObject(policy)) refuse('policy', 'a name or an object', policy);
  for (const [name, usual] of Object.entries(windowModes.default) as [string, unknown][]) {
    const value = policy[name];
    if (name === 'smallWindow' || typeof value === typeof usual) continue;
    refuse(`policy.${name}`, `a ${typeof usual}`, value);
  }
  // Every member has its type, as was just seen.
  const numbers = policy as unknown as WindowPolicy;
  windowPolicy('default', { ...numbers, smallWindow: numbers.smallWindow });
}
