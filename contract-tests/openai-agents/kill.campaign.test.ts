import { createSession } from '@ctx/agent-adapter/openai-agents';
import { expect, it } from 'vitest';
import { bundleProgram, inFolder, startProgram } from '../child-program.ts';
import { durableKinds, openDurableStore } from '../open-durable-store.ts';

/** How often the writer is killed: CTX_KILLS=100 for the long run. */
const kills = Number(process.env['CTX_KILLS'] ?? 8);

const say = (text: string): object => ({ type: 'message', role: 'user', content: text });

/** The pairs that a history holds, or says that it held. */
function pairsOf(items: readonly object[]): number[] {
  const texts = items.map((item) => ('content' in item ? String(item.content) : ''));
  const start = /^to (\d+)$/.exec(texts[0] ?? '');
  const before = start === null ? 0 : Number(start[1]) + 1;
  const shown = start === null ? texts : texts.slice(1);
  const numbers = shown.map((text) => Number(text.split(' ')[0]));
  // Whole pairs, one after the other, from where the compaction ends.
  const pairs = Array.from({ length: shown.length / 2 }, (_, index) => before + index);
  expect(shown).toEqual(pairs.flatMap((pair) => [`${String(pair)} a`, `${String(pair)} b`]));
  expect(numbers).toHaveLength(pairs.length * 2);
  return Array.from({ length: before + pairs.length }, (_, index) => index);
}

it.each(durableKinds)(
  'a session on %s is old or new after each kill, and an operation that comes again changes nothing',
  { timeout: 30_000 + kills * 5000 },
  async (kind) => {
    const program = await bundleProgram(new URL('write-until-killed-child.ts', import.meta.url));
    await inFolder(async (folder) => {
      let next = 0;
      for (let round = 0; round < kills; round += 1) {
        let heard = 0;
        const { lines, ended } = startProgram(
          program,
          [kind, folder, String(next)],
          (_line, child) => {
            heard += 1;
            if (heard > round % 7) child.kill('SIGKILL');
          },
        );
        await ended;
        const acknowledged = lines.filter((line) => /^\d+$/.test(line)).map(Number);
        const store = await openDurableStore(kind, folder);
        const session = createSession<object>({ store, sessionId: 's' });
        const items = await session.getItems();
        const pairs = pairsOf(items);
        for (const number of acknowledged) expect(pairs).toContain(number);
        const last = pairs.at(-1) ?? -1;
        // What was written, acknowledged or not, is known by its name.
        const again = [say(`${String(last)} a`), say(`${String(last)} b`)];
        const transaction = { type: 'append_items', items: again } as const;
        await session.applyHistoryTransaction({ operationId: String(last), transaction });
        expect(await session.getItems()).toEqual(items);
        await store.close();
        next = last + 1;
      }
      expect(next).toBeGreaterThanOrEqual(kills);
    });
  },
);
