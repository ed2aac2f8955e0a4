import type { RecordKey } from '@ctx/store/backend';

/** Keys of one tenant. No statement names records of two: the tables may be spread over machines by it. */
export interface TenantKeys {
  readonly tenant: string;
  readonly keys: readonly RecordKey[];
}

/** Puts what belongs to one tenant together, tenant after tenant in the order of their names. */
export function groupByTenant<One>(
  all: readonly One[],
  keyOf: (one: One) => RecordKey,
): { readonly tenant: string; readonly group: readonly One[] }[] {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const [tenant = ''] = keyOf(one);
    const group = groups.get(tenant);
    if (group === undefined) groups.set(tenant, [one]);
    else group.push(one);
  }
  const sorted = [...groups].sort(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([tenant, group]) => ({ tenant, group }));
}

/** As {@link groupByTenant}, of keys. */
export function keysByTenant(keys: readonly RecordKey[]): TenantKeys[] {
  return groupByTenant(keys, (key) => key).map(({ tenant, group }) => ({ tenant, keys: group }));
}
