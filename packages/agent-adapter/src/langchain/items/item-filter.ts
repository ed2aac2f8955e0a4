import { isSameValue } from '../../context-manager/history/compare-messages.ts';

type Compare = (value: unknown, other: unknown) => boolean;

/** -1, 0 or 1; `undefined` where the two have no order. Numbers and what reads as one go by value, other texts by their signs. */
function orderOf(value: unknown, other: unknown): number | undefined {
  const [a, b] = [Number(value), Number(other)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return Math.sign(a - b);
  if (typeof value !== 'string' || typeof other !== 'string') return undefined;
  return value < other ? -1 : value > other ? 1 : 0;
}

const isIn: Compare = (value, list) =>
  Array.isArray(list) && list.some((each) => isSameValue(each, value));

const operators: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['$eq', (value, other) => isSameValue(value, other)],
  ['$ne', (value, other) => !isSameValue(value, other)],
  ['$gt', (value, other) => orderOf(value, other) === 1],
  ['$gte', (value, other) => (orderOf(value, other) ?? -1) >= 0],
  ['$lt', (value, other) => orderOf(value, other) === -1],
  ['$lte', (value, other) => (orderOf(value, other) ?? 1) <= 0],
  ['$in', isIn],
  ['$nin', (value, list) => !isIn(value, list)],
]);

/** The conditions of an object that holds operators and nothing else. */
function conditionsOf(wanted: unknown): readonly (readonly [Compare, unknown])[] | undefined {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return undefined;
  const entries = Object.entries(wanted).map(
    ([name, other]) => [operators.get(name), other] as const,
  );
  const known = entries.flatMap(([compare, other]) =>
    compare === undefined ? [] : [[compare, other] as const],
  );
  return known.length > 0 && known.length === entries.length ? known : undefined;
}

/**
 * Whether a value has the members that a filter names: equal ones, or such that its operators hold (`$eq`, `$ne`, `$gt`, `$gte`,
 * `$lt`, `$lte`, `$in`, `$nin`). Pure; a missing member is undefined; objects and lists are compared by what they hold.
 */
export function matchesFilter(
  value: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>> = {},
): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const conditions = conditionsOf(wanted);
    if (conditions === undefined) return isSameValue(member, wanted);
    return conditions.every(([compare, other]) => compare(member, other));
  });
}
