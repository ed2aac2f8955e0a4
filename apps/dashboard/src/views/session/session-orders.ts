import type { CostOrder } from '../../api/cost-queries.ts';

/** Sort orders of the list, by their name in the address. */
export const sessionOrders: Readonly<Record<string, string>> = {
  '': 'newest first',
  cost: 'most expensive first',
  fill: 'fullest first',
};

/** The order that an address names. Pure. */
export function orderNamed(name: string): CostOrder {
  return name === 'cost' || name === 'fill' ? name : 'time';
}
