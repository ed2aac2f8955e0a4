import { runConformance } from '@ctx/store/testing';
import { distributePostgresStore, dropPostgresStore, postgresBackend } from '@ctx/store-postgres';

/** What an error says, and what it came of. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${messageOf(error.cause)}`;
}

/** The kit of the store's contract; each of its stores is distributed as it is opened. */
export async function runKit(
  { url, schema }: { readonly url: string; readonly schema: string },
  log: (line: string) => void,
) {
  let places = 0;
  const report = await runConformance({
    caseLimitMs: 300_000,
    create: ({ place }) => {
      const backend = postgresBackend({ url, schema: place, maxConnections: 4 });
      return {
        ...backend,
        open: async (...given) => {
          await backend.open(...given);
          await distributePostgresStore({ url, schema: place });
        },
      };
    },
    places: {
      make: () => {
        places += 1;
        return Promise.resolve(`${schema}_kit_${String(places)}`);
      },
      remove: (place) => dropPostgresStore({ url, schema: place }),
    },
    onResult: ({ case: { id }, status, error }) => {
      if (status === 'failed') log(`failed ${id}: ${messageOf(error)}`);
    },
  });
  log(
    `the kit on distributed tables: ${String(report.passed)} passed, ${String(report.failed)} failed`,
  );
  return { passed: report.passed, failed: report.failed };
}
