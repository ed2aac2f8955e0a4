import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Listening, SqlDriver, SqlValue } from '../driver/sql-driver.ts';
import { channelOf, hearPayload, payloadsOf, startNotices } from './notify-writes.ts';

/** What a watch is told of payloads. */
function heard(payloads: readonly string[], own = 'me'): (string | undefined)[] {
  const told: (string | undefined)[] = [];
  const watch = {
    collection: 'papers',
    isOn: () => true,
    onWrite: (tenant?: string) => {
      told.push(tenant);
    },
  };
  for (const payload of payloads) hearPayload(watch, own, payload);
  return told;
}

describe('payloads', () => {
  it('name every tenant once, in pieces that PostgreSQL takes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 300 })), (tenants) => {
        const many = [...tenants, ...tenants.map((tenant) => tenant.repeat(3))];
        const payloads = payloadsOf('you', new Set(many));
        for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000);
        expect(heard(payloads)).toEqual([...new Set(many)]);
      }),
    );
  });

  it('are none where there is no tenant', () => {
    expect(payloadsOf('you', [])).toEqual([]);
  });

  it('go in several where the names are long, and lose none at the border', () => {
    const tenants = Array.from({ length: 100 }, (_, at) => `${String(at)}${'t'.repeat(1000)}`);
    const payloads = payloadsOf('you', tenants);
    // Seven of such names fit into one.
    expect(payloads).toHaveLength(15);
    expect(heard(payloads)).toEqual(tenants);
  });

  it('of this process say nothing', () => {
    expect(heard(payloadsOf('me', ['a']))).toEqual([]);
  });

  it('that nobody of ours sent may stand for anything', () => {
    expect(heard(['', 'x', '{"a":1}', '["you",1]', 'null'])).toEqual(Array(5).fill(undefined));
  });
});

it('a channel is a plain name of its schema', () => {
  const names = ['ctx', 'Ctx', 'a'.repeat(63), '"; --'].map(channelOf);
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^ctx_[0-9a-f]{32}$/);
});

/** A driver that keeps what is sent, and answers when it is told to. */
function holdingDriver() {
  const sent: string[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const heardBy: Listening[] = [];
  let stops = 0;
  const deaf: SqlDriver = {
    name: 'holding',
    query: (_sql: string, values: readonly SqlValue[] = []) => {
      sent.push(String(values[1]));
      return new Promise((resolve, reject) => {
        answers.push((error) => {
          if (error === undefined) resolve([]);
          else reject(error);
        });
      });
    },
    lists: () => Promise.reject(new Error('not used')),
    script: () => Promise.resolve(),
    session: () => Promise.reject(new Error('not used')),
    close: () => Promise.resolve(),
  };
  const driver: SqlDriver = {
    ...deaf,
    listen: (listening) => {
      heardBy.push(listening);
      return Promise.resolve(() => {
        stops += 1;
      });
    },
  };
  return { driver, deaf, sent, answers, heardBy, stops: () => stops };
}

const wrote = (tenant: string, collection = 'papers') =>
  [{ type: 'delete', collection, key: [tenant, 'a', 'b'] }] as const;

describe('notices', () => {
  const quiet = { collection: 'papers', isOn: () => true, onWrite: () => undefined };

  it('gather while one is on its way, and speak of the collection alone', async () => {
    const { driver, sent, answers } = holdingDriver();
    const notices = await startNotices({ driver, schemaName: 'ctx' }, quiet);
    notices.tell(wrote('a', 'other'));
    expect(sent).toEqual([]);
    notices.tell(wrote('a'));
    for (const tenant of ['b', 'c', 'b']) notices.tell(wrote(tenant));
    expect(sent).toHaveLength(1);
    const ending = notices.end();
    answers[0]?.(new Error('lost'));
    while (answers.length < 2) await Promise.resolve();
    answers[1]?.();
    await ending;
    expect(heard(sent)).toEqual(['a', 'b', 'c']);
    expect(sent).toHaveLength(2);
  });

  it('tell of what is appended, too, where it is of the collection', async () => {
    const { driver, sent, answers } = holdingDriver();
    const notices = await startNotices({ driver, schemaName: 'ctx' }, quiet);
    const records = [{ columns: {}, body: '{}' }];
    notices.tell([], [{ collection: 'other', place: ['a'], records }]);
    expect(sent).toEqual([]);
    notices.tell([], [{ collection: 'papers', place: ['b', 's'], records }]);
    answers[0]?.();
    await notices.end();
    expect(heard(sent)).toEqual(['b']);
  });

  it('begin anew after a rest, and end with the listening', async () => {
    const { driver, sent, answers, stops } = holdingDriver();
    const notices = await startNotices({ driver, schemaName: 'ctx' }, quiet);
    for (const [at, tenant] of ['a', 'b'].entries()) {
      notices.tell(wrote(tenant));
      answers[at]?.();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
    await notices.end();
    expect(heard(sent)).toEqual(['a', 'b']);
    expect(stops()).toBe(1);
  });

  it('tell of everything behind a gap', async () => {
    const { driver, heardBy } = holdingDriver();
    const told: (string | undefined)[] = [];
    const onWrite = (tenant?: string): void => {
      told.push(tenant);
    };
    await startNotices({ driver, schemaName: 'ctx' }, { ...quiet, onWrite });
    heardBy[0]?.onGap();
    expect(told).toEqual([undefined]);
  });

  it('are none where nobody waits, and where the driver cannot listen', async () => {
    const { driver, deaf, sent, heardBy } = holdingDriver();
    for (const notices of [
      await startNotices({ driver, schemaName: 'ctx' }, undefined),
      await startNotices({ driver: deaf, schemaName: 'ctx' }, quiet),
    ]) {
      notices.tell(wrote('a'));
      await notices.end();
    }
    expect([sent, heardBy]).toEqual([[], []]);
  });
});
