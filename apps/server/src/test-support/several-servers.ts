import { createMemoryPlace, memoryBackend } from '@ctx/store/backend';
import { openTenants, type TenantStores } from '../tenants/open-tenants.ts';

export const hour = 3_600_000;

/** Servers over one store, whose clock a test sets. */
export async function openServers(count: number) {
  const place = createMemoryPlace();
  const state = { now: Date.UTC(2026, 0, 1) };
  const clock = (): number => state.now;
  const open = (): Promise<TenantStores> => openTenants(memoryBackend({ place }), { clock });
  const servers = await Promise.all(Array.from({ length: count }, open));
  const [first] = servers;
  if (first === undefined) throw new TypeError('one server at least');
  const fill = async (outputs: number, tenant = 't'): Promise<void> => {
    const store = await first.store(tenant);
    for (let number = 0; number < outputs; number += 1) {
      await store.outputs.save({
        sessionId: 's',
        toolName: 'read',
        args: {},
        result: String(number),
      });
    }
  };
  const left = async (tenant = 't'): Promise<number> => {
    const { outputs } = await first.store(tenant);
    return (await outputs.planRetention({ maxTotalBytes: 0 })).leaving.length;
  };
  return { place, clock, servers, state, fill, left, first };
}

export const policy = { maxAgeMs: hour };
