import type { ContextStore } from '@ctx/store';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anthropic } from '../dialects/anthropic/anthropic.ts';
import { isPrefix, testStore } from '../test-support/anthropic-conversation.ts';
import {
  messagesIn,
  openTestConversation,
  type TestConversation,
} from '../test-support/client-requests.ts';
import { prefixOf, problemOf } from '../test-support/judge-anthropic.ts';
import { type AnthropicMessage, fileText, messagesAfter } from '../test-support/scripted-agent.ts';

/** Raise it for a longer look, which also looks for the shortest conversation that fails: `CTX_TEST_RUNS=1000`. */
const runs = process.env['CTX_TEST_RUNS'];
const numRuns = Number(runs ?? 12);

/** What a client does before it asks again. */
type Move =
  | { readonly kind: 'say'; readonly words: string }
  | { readonly kind: 'read'; readonly name: string; readonly lines: number }
  | { readonly kind: 'run'; readonly lines: number; readonly isError: boolean }
  | { readonly kind: 'back'; readonly messages: number };

/** Which process gets the request, after how long, and whether it was started again before. */
interface Ask {
  readonly moves: readonly Move[];
  readonly process: number;
  readonly minutes: number;
  readonly isRestarted: boolean;
}

const words = fc.constantFrom('Go on.', 'ok', `Long: ${'word '.repeat(200)}`);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('say'), words }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('read'),
      name: fc.constantFrom('a', 'b'),
      lines: fc.constantFrom(5, 60),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('run'),
      lines: fc.constantFrom(3, 80),
      isError: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('back'), messages: fc.nat(5) }) },
);
const asks: fc.Arbitrary<readonly Ask[]> = fc.array(
  fc.record({
    moves: fc.array(move, { minLength: 1, maxLength: 3 }),
    process: fc.nat(1),
    minutes: fc.constantFrom(0, 0, 1, 30),
    isRestarted: fc.boolean(),
  }),
  { minLength: 3, maxLength: 12 },
);

/** Calls that the client of the running trial has made, and after how many it uses its ids again. */
let calls = 0;
let idCount = 1;

/** The client's history after a move; it ends with words of the user or results. */
function moved(history: readonly AnthropicMessage[], given: Move): readonly AnthropicMessage[] {
  if (given.kind === 'back')
    return history.slice(0, Math.max(1, history.length - 2 * given.messages));
  if (given.kind === 'say') {
    const { words: content } = given;
    return [...history, { role: 'assistant', content }, { role: 'user', content }];
  }
  const isRead = given.kind === 'read';
  const name = isRead ? given.name : `run${String(calls)}`;
  const [, asked, answered] = messagesAfter([
    {
      tool: isRead ? 'Read' : 'Bash',
      input: isRead ? { file_path: `/p/${name}.ts` } : { command: `make ${name}` },
      result: fileText(name, given.lines),
      isError: !isRead && given.isError,
    },
  ]);
  const id = `toolu_${String(calls++ % idCount)}`;
  const named = (message: AnthropicMessage | undefined): AnthropicMessage[] =>
    message === undefined
      ? []
      : [JSON.parse(JSON.stringify(message).replace('toolu_0', id)) as AnthropicMessage];
  return [...history, ...named(asked), ...named(answered)];
}

const windowTokens = 5000;

/** Two processes over one store, of which each follows what the other did, as the registry has it. */
async function openProcesses(store: ContextStore) {
  const processes: (TestConversation | undefined)[] = [undefined, undefined];
  return async ({ process, isRestarted }: Ask): Promise<TestConversation> => {
    const open = isRestarted ? undefined : processes[process];
    const isCurrent = open !== undefined && (await open.conversation.follow());
    const current = isCurrent ? open : await openTestConversation(store, { windowTokens });
    processes[process] = current;
    return current;
  };
}

const bodyIn = (elements: readonly string[]) => ({
  messages: elements.map((element): unknown => JSON.parse(element)),
});

const unmarked = (part: string): string => part.replaceAll(/,"cache_control":\{[^}]*\}/g, '');

/** The blocks that say what the client says, and not in its bytes. */
function rewrittenIn(sent: readonly string[], given: readonly string[]): string[] {
  const partsOf = (elements: readonly string[]): string[] =>
    messagesIn(anthropic, elements).flatMap(({ parts }) => parts);
  const known = new Set(partsOf(given));
  const said = new Set([...known].map(unmarked));
  return partsOf(sent).filter((part) => !known.has(part) && said.has(unmarked(part)));
}

it('whatever happens: what was sent stays, what is not changed is the client’s, and any process sends the same', async () => {
  const seen = { flushes: 0, rewinds: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(asks, fc.constantFrom(1, 1000), async (given, ids) => {
      [calls, idCount] = [0, ids];
      const clock = { now: 1e12 };
      const store = await testStore(clock);
      const processFor = await openProcesses(store);
      let history: readonly AnthropicMessage[] = [{ role: 'user', content: 'Do the chores.' }];
      let before: readonly string[] = [];
      for (const ask of given) {
        history = ask.moves.reduce(moved, history);
        clock.now += ask.minutes * 60_000;
        const { conversation, ...client } = await processFor(ask);
        const { messages } = client.read(history);
        const { sent, flush, rewound, elements } = await client.ask(history);
        const body = bodyIn(sent);
        const prefix = prefixOf(body);
        expect(problemOf(body, new Set())).toBeUndefined();
        if (flush === undefined && rewound === 0) {
          expect(isPrefix(before, prefix)).toBe(true);
        }
        expect(
          rewrittenIn(
            sent,
            messages.flatMap(({ raw }) => raw),
          ),
        ).toEqual([]);
        expect(sent.at(-1)).toContain('cache_control');
        expect(conversation.length).toBe(history.length);
        const fresh = await openTestConversation(store, { windowTokens });
        expect((await fresh.ask(history)).sent).toEqual(sent);
        before = prefix;
        seen.flushes += flush === undefined ? 0 : 1;
        seen.rewinds += rewound > 0 ? 1 : 0;
        seen.changed += elements === undefined ? 0 : 1;
      }
    }),
    { numRuns, endOnFailure: runs === undefined },
  );
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(numRuns / 5);
});
