import { type ContextManager, createContextManager } from '@ctx/agent-adapter';
import type { Message } from '@ctx/core';
import { openStore } from '@ctx/store';
import type { StoreBackend } from '@ctx/store/backend';
import { countedBackend } from './counted-backend.ts';
import { type CallCost, createMeter, type Meter } from './measure-calls.ts';

/** About 600 tokens, unlike those of any other turn. */
function resultOf(turn: number): string {
  const line = (at: number) =>
    `${String(at)}: part${String(turn)} value ${String((turn * 7919 + at) % 1009)} of module ${String(turn % 83)}`;
  return Array.from({ length: 60 }, (_, at) => line(at)).join('\n');
}

/** A session on its way. */
interface Session {
  readonly manager: ContextManager;
  readonly meter: Meter;
  readonly history: Message[];
  turn: number;
}

/** One turn: a tool runs, its result is recorded, the next request is made, and the provider reports it. */
async function takeTurn({ manager, meter, history, turn }: Session): Promise<void> {
  const call = {
    id: `call-${String(turn)}`,
    name: 'Bash',
    input: { command: `make ${String(turn)}` },
  };
  let text = '';
  await meter.run('recordToolOutput', async () => {
    text = (await manager.recordToolOutput(call, resultOf(turn))).content;
  });
  history.push(
    { role: 'assistant', content: [{ type: 'tool_use', ...call }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: call.id, content: [{ type: 'text', text }] }],
    },
  );
  let inputTokens = 0;
  await meter.run('prepare', async () => {
    inputTokens = (await manager.prepare(history)).receipt.tokens;
  });
  await meter.run('observe', () => manager.observe({ inputTokens, outputTokens: 20 }));
}

/** How many calls a median is of. */
const looked = 21;

/** Goes on with one session and returns, for each of these turns, what the calls of the 21 turns from it on took. */
export async function callsOfTurns(
  backend: StoreBackend,
  turns: readonly number[],
): Promise<ReadonlyMap<number, readonly CallCost[]>> {
  const meter = createMeter();
  const { count, countTokens: tokenCounter } = meter;
  const store = await openStore(countedBackend(backend, count), { tokenCounter });
  const manager = createContextManager({ store, sessionId: 'long', model: 'claude-sonnet' });
  const start: Message = { role: 'user', content: [{ type: 'text', text: 'Mend it.' }] };
  const session: Session = { manager, meter, history: [start], turn: 0 };
  const found = new Map<number, readonly CallCost[]>();
  for (const goal of turns) {
    for (; session.turn < goal; session.turn += 1) await takeTurn(session);
    meter.take();
    for (let time = 0; time < looked; time += 1, session.turn += 1) await takeTurn(session);
    for (let time = 0; time < looked; time += 1) {
      await meter.run('why', () => manager.why());
      await meter.run('relevant', () => manager.relevant(`value of part${String(time)}`));
    }
    found.set(goal, meter.take());
  }
  await manager.end();
  await store.close();
  return found;
}
