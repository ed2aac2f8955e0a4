import assert from 'node:assert/strict';
import type { StoreBackend, WriteWatch } from '../../../backend/store-backend.ts';
import { putThing, thingKey, things } from '../../case-collections.ts';
import { numbered } from '../../case-support.ts';
import { type CaseHarness, type ConformanceCase, caseGroup } from '../../conformance-case.ts';

/** How long a case waits for what must be told, ms: far longer than it may take. */
const patienceMs = 5000;

/** What a watch was told, and a way to wait for more. */
interface Told {
  readonly watch: WriteWatch;
  readonly tenants: (string | undefined)[];
  isOn: boolean;
  /** Resolves with the next that is told from here on; rejects where nothing comes. */
  next(): Promise<void>;
}

function createTold(): Told {
  const waiting = new Set<() => void>();
  const told: Told = {
    tenants: [],
    isOn: true,
    watch: {
      collection: things.name,
      isOn: () => told.isOn,
      onWrite: (tenant) => {
        told.tenants.push(tenant);
        for (const go of waiting) go();
      },
    },
    next: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new assert.AssertionError({ message: 'what another wrote is told' }));
        }, patienceMs);
        waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
  return told;
}

/** A backend that is told what others write, and one that tells. */
async function openPair(open: CaseHarness['open']): Promise<readonly [Told, StoreBackend]> {
  const told = createTold();
  await open(undefined, { watch: told.watch });
  return [told, await open(undefined, { watch: createTold().watch })];
}

export const watchCases: readonly ConformanceCase[] = caseGroup(
  'watch',
  (add) => {
    add('tells what another instance writes', async ({ open }) => {
      const [told, other] = await openPair(open);
      const next = told.next();
      await other.write([putThing('a')]);
      await next;
    });
    add('tells of the tenant that was written to, or names none', async ({ open }) => {
      const [told, other] = await openPair(open);
      const next = told.next();
      await other.write([putThing('a', { tenant: 'u' })]);
      await next;
      assert.ok(told.tenants.every((tenant) => tenant === undefined || tenant === 'u'));
    });
    add('tells each of ten writes that follow one another', async ({ open }) => {
      const [told, other] = await openPair(open);
      for (const id of numbered(10)) {
        const next = told.next();
        await other.write([putThing(id)]);
        await next;
      }
    });
    add('tells changes and deletions, too', async ({ open }) => {
      const [told, other] = await openPair(open);
      await other.write([putThing('a')]);
      const next = told.next();
      await other.write([{ type: 'delete', collection: things.name, key: thingKey('a') }]);
      await next;
    });
    add('tells who began to wait later', async ({ open }) => {
      const [told, other] = await openPair(open);
      told.isOn = false;
      await other.write([putThing('a')]);
      told.isOn = true;
      const next = told.next();
      await other.write([putThing('b')]);
      await next;
    });
    add('tells nothing once it is closed, and goes on telling others', async ({ open }) => {
      const closed = createTold();
      const left = await open(undefined, { watch: closed.watch });
      const [told, other] = await openPair(open);
      await left.close();
      const before = closed.tenants.length;
      const next = told.next();
      await other.write([putThing('a')]);
      await next;
      assert.equal(closed.tenants.length, before);
    });
  },
  { needs: ['sharedBetweenProcesses', 'watch'] },
);
