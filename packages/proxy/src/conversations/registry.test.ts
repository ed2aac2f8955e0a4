import { windowModes } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { anthropic } from '../dialects/anthropic/anthropic.ts';
import { testStore } from '../test-support/anthropic-conversation.ts';
import { createRegistry, type LaneRequest } from './registry.ts';

function requestOf(conversation: string, text: string): LaneRequest {
  return {
    dialect: anthropic,
    caller: { client: 'test', conversation },
    firstKey: 'first',
    model: 'claude-sonnet-4-5',
    body: text,
    isHour: false,
    isLargeWindow: false,
    keepsThinking: false,
    canHaveTool: false,
  };
}

async function keptOf(conversations: number, text: string): Promise<number> {
  const store = await testStore();
  const registry = createRegistry({ store, policy: windowModes.default, isOffering: false });
  const requests = Array.from({ length: conversations }, (_, at) => requestOf(String(at), text));
  const lanes = requests.map((request) => registry.laneOf(request));
  // From the newest on, so that asking lets none go that is still to be asked for.
  const newestFirst = requests.toReversed();
  return newestFirst.filter((request, at) => registry.laneOf(request) === lanes.at(-1 - at)).length;
}

it('the conversations of a team stay open', async () => {
  expect(await keptOf(200, 'short')).toBe(200);
});

it('no more than 256 stay open, and of long ones fewer', async () => {
  expect(await keptOf(300, 'short')).toBe(256);
  expect(await keptOf(10, 'x'.repeat(20_000_000))).toBe(3);
  expect(await keptOf(1, 'x'.repeat(70_000_000))).toBe(1);
});
