import { isRecord } from '../anthropic/plain-values.ts';

/** Adds the numbers of two reports of the same form; everything else is that of the later one. */
export function addUsage(before: unknown, later: unknown): unknown {
  if (typeof before === 'number' && typeof later === 'number') return before + later;
  if (!isRecord(before) || !isRecord(later)) return later ?? before;
  const names = [...new Set([...Object.keys(before), ...Object.keys(later)])];
  return Object.fromEntries(names.map((name) => [name, addUsage(before[name], later[name])]));
}
