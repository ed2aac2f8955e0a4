import { CtxError } from '@ctx/core';
import type { ScanQuery } from '@ctx/store/backend';
import type { ListNamespacesShape, MatchShape } from './host-types.ts';

/** Stands after each label. LangGraph has no labels with it. */
const separator = ':';

/** The sign after the separator: no namespace with a prefix comes after it. */
const behindSeparator = ';';

function problemOf(label: unknown): string | undefined {
  if (typeof label !== 'string') return 'is no text';
  if (label === '') return 'is empty';
  if (label.includes('.')) return 'holds a period';
  if (label.includes(separator)) return 'holds a colon';
  return label.includes('\0') ? 'holds a NUL' : undefined;
}

function checkLabels(namespace: readonly string[]): void {
  for (const label of namespace) {
    const problem = problemOf(label);
    if (problem === undefined) continue;
    const name = JSON.stringify(namespace);
    throw new CtxError('CTX_INVALID_INPUT', `a label of the namespace ${name} ${problem}`);
  }
}

/**
 * A namespace as it stands in keys.
 * @throws `CTX_INVALID_INPUT` for labels that LangGraph refuses, and for none.
 */
export function namespaceText(namespace: readonly string[]): string {
  checkLabels(namespace);
  if (namespace.length === 0) throw new CtxError('CTX_INVALID_INPUT', 'a namespace needs a label');
  return `${namespace.join(separator)}${separator}`;
}

/** The labels of a namespace that stands in a key. */
export function labelsOf(text: string): string[] {
  return text.split(separator).slice(0, -1);
}

/** The namespaces that begin with these labels: they themselves and all below them. */
export function namespacesUnder(prefix: readonly string[]): {
  readonly range?: NonNullable<ScanQuery['range']>;
} {
  checkLabels(prefix);
  if (prefix.length === 0) return {};
  const from = namespaceText(prefix);
  return { range: { from, to: `${from.slice(0, -1)}${behindSeparator}`, toExclusive: true } };
}

function matches(namespace: readonly string[], { matchType, path }: MatchShape): boolean {
  if (path.length > namespace.length) return false;
  const start = matchType === 'suffix' ? namespace.length - path.length : 0;
  return path.every((label, index) => label === '*' || label === namespace[start + index]);
}

/** The part of all matches that can be read as a range: labels up to the first star. */
export function prefixOf(conditions: readonly MatchShape[] = []): readonly string[] {
  const prefixes = conditions
    .filter(({ matchType }) => matchType === 'prefix')
    .map(({ path }) => {
      const star = path.indexOf('*');
      return star < 0 ? path : path.slice(0, star);
    });
  return prefixes.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

/**
 * Picks the namespaces that are asked for, in order, each once.
 * @throws `CTX_INVALID_INPUT` for an unknown kind of match.
 */
export function pickNamespaces(
  namespaces: readonly string[],
  { matchConditions = [], maxDepth, limit, offset = 0 }: ListNamespacesShape,
): string[][] {
  for (const { matchType } of matchConditions) {
    if (matchType === 'prefix' || matchType === 'suffix') continue;
    throw new CtxError('CTX_INVALID_INPUT', `there is no match ${matchType}`);
  }
  const matching = namespaces
    .map(labelsOf)
    .filter((labels) => matchConditions.every((condition) => matches(labels, condition)));
  const cut = matching.map((labels) =>
    (maxDepth === undefined ? labels : labels.slice(0, maxDepth)).join(separator),
  );
  const end = limit === undefined ? undefined : offset + limit;
  const sorted = [...new Set(cut)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.slice(offset, end).map((text) => text.split(separator));
}
