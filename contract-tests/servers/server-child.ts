/**
 * One server of several over a store. Arguments: the store's URL, the schema, `newer` for a version of ctx that knows more than this
 * one, the requests that a key may send in a minute, how often it looks for works that are shared, ms, and where requests of agents go.
 * Says its port, then what it does of such works, and stops at SIGTERM.
 */

import { serve } from '@ctx/server';
import type { CollectionDefinition, StoreBackend } from '@ctx/store/backend';
import { backendAt } from './backend-at.ts';

/** Long enough for a client that looks at `/readyz` ten times a second, also on a busy machine. */
const drainMs = 1500;

/** What a later version may add to a collection, and beside it. */
function grown(collections: readonly CollectionDefinition[]): readonly CollectionDefinition[] {
  const later = collections.map((one) =>
    one.name === 'items'
      ? {
          ...one,
          columns: { ...one.columns, colour: { type: 'text', nullable: true } as const },
          indexes: [...one.indexes, { name: 'by_colour', fields: ['tenant', 'colour'] }],
        }
      : one,
  );
  const added = {
    name: 'later_things',
    key: ['tenant', 'id'],
    columns: {},
    indexes: [],
    search: [],
  };
  return [...later, { ...added, key: ['tenant', 'id'] }];
}

function newer(backend: StoreBackend): StoreBackend {
  return { ...backend, open: (collections, options) => backend.open(grown(collections), options) };
}

const [url = '', schema = '', version = '', ...more] = process.argv.slice(2);
const [requestsPerMinute = '', worksEveryMs = '', upstream = ''] = more;
const backend = backendAt(url, schema);
const logStream = {
  write: (line: string): void => {
    if (line.includes('"work":')) console.log(line.trim());
  },
};
const server = await serve({
  backend: version === 'newer' ? newer(backend) : backend,
  port: 0,
  limits: {
    ...{ maxLagMs: 0, drainMs },
    requestsPerMinute: Number(requestsPerMinute),
    worksEveryMs: Number(worksEveryMs),
  },
  ...(upstream === '' ? {} : { proxy: { upstreams: { anthropic: new URL(upstream) } } }),
  logLevel: 'info',
  logStream,
});
console.log(String(server.port));
process.once('SIGTERM', () => {
  void server.stop().then(() => {
    process.exit(0);
  });
});
