import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { sqliteBackend } from '@ctx/store-sqlite';
import type { LawOptions, ResumableAgent } from '../with-context-laws.ts';
import { agents, type UseAgent } from './agents.ts';
import { scenarios } from './scenario.ts';

/** A host that saves its history after each step, and continues where the one before it was killed. */
const [sdk = '', way, url = '', folder = '', scenarioName, moment, at] = process.argv.slice(2);
const { windowTokens, rounds, said } = scenarios[scenarioName === 'hard' ? 'hard' : 'light'];

/** Dies at one write to the store, or asks to be killed there. */
function mortal(backend: StoreBackend): StoreBackend {
  let writes = 0;
  return {
    ...backend,
    write: async (operations, options) => {
      writes += 1;
      const due = writes === Number(at) ? moment : undefined;
      if (due === 'before') process.kill(process.pid, 'SIGKILL');
      if (due === 'during') console.log('writing');
      await backend.write(operations, options);
      if (due === 'after') process.kill(process.pid, 'SIGKILL');
    },
  };
}

interface Saved<History> {
  readonly round: number;
  readonly isAsked: boolean;
  readonly history?: History;
}

const file = join(folder, 'history.json');

function save(saved: Saved<unknown>): void {
  writeFileSync(`${file}.new`, JSON.stringify(saved));
  renameSync(`${file}.new`, file);
}

const converse: UseAgent = async <History>(agent: ResumableAgent<History>) => {
  let saved: Saved<History> = { round: 0, isAsked: false };
  if (existsSync(file)) saved = JSON.parse(readFileSync(file, 'utf8')) as Saved<History>;
  while (saved.round < rounds) {
    const { round, isAsked } = saved;
    const asking = isAsked ? undefined : said(round);
    const { history } = await agent.round(saved.history, asking, (stepped) => {
      save({ round, isAsked: true, history: stepped });
    });
    saved = { round: round + 1, isAsked: false, history };
    save(saved);
  }
  await agent.end();
};

const store = await openStore(mortal(sqliteBackend({ path: join(folder, 'ctx.db') })));
const profile = { name: 'm', windowTokens, price: 'anthropic-5m' };
const options: LawOptions = { session: 's', store, profile };
/** Tells the process that may kill this one what it heard of an answer. */
function hear(piece: string): void {
  console.log(`heard ${JSON.stringify(piece)}`);
}

const place = { url, options };
await agents[sdk]?.(way === 'streamed' ? { ...place, hear } : place, converse);
await store.close();
console.log('done');
