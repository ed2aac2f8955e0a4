import { automaticCompaction } from '@ctx/agent-adapter';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import type { TranscriptEvent } from '@ctx/transcripts';
import { sessionLog } from '@ctx/truncation';
import { expect, it } from 'vitest';
import { ctxPolicies } from '../policies/ctx.ts';
import { replaySession } from '../replay.ts';
import type { ReplaySession } from '../replay-session.ts';
import { user } from '../test-support/long-session.ts';
import { testPrice } from '../test-support/test-context.ts';
import { conversationOf } from './conversation.ts';
import { playConversation } from './play-conversation.ts';

const options = {
  windowTokens: 20_000,
  countTokens: approximateTokens,
  price: testPrice,
  compactWindow: automaticCompaction,
};

/** A conversation of long answers: more than its window holds, and no result can leave for them. */
function longTalk(turns: number): ReplaySession {
  const messages = [user('Fix everything')];
  for (let turn = 0; turn < turns; turn += 1) {
    const words = Array.from(
      { length: 120 },
      (_, word) => `reason ${String(turn * 37 + word * 11)}`,
    );
    const texts = [`Because of ${words.join(', ')}.`, 'What now?'];
    const content = texts.map((text) => ({ type: 'text' as const, text }));
    messages.push({ role: 'assistant', content }, user(`Go on with step ${String(turn)}`));
  }
  return { id: 'talk', messages };
}

/**
 * What each request of `ctx replay` holds, as a window counts it: each block as a message, which has 4 tokens of its own; a summary as
 * one message.
 */
async function replayedSizes(session: ReplaySession): Promise<number[]> {
  const sizes: number[] = [];
  await replaySession(session, {
    ...options,
    store: await openStore(memoryBackend(), { tokenCounter: approximateTokens }),
    policies: ctxPolicies.filter(({ name }) => name === 'ctx'),
    onRequest: ({ inputTokens, messages }) => {
      const received = messages.filter(({ extra }) => extra === undefined);
      const blocks = received.reduce((sum, { content }) => sum + content.length - 1, 0);
      sizes.push(inputTokens + 4 * blocks);
    },
  });
  return sizes;
}

it('sends in each request what `ctx replay` sends, compactions among it', async () => {
  const session = longTalk(100);
  const conversation = { session, tools: [], pointers: new Map(), asideMessages: 0 };
  const played = await playConversation(conversation, options);
  const { timeline } = await sessionLog(played, session.id).sent();
  expect(timeline.filter(({ compaction }) => compaction !== undefined).length).toBeGreaterThan(1);
  expect(timeline.map(({ tokens }) => tokens)).toEqual(await replayedSizes(session));
});

/** A recording in which each of these models answered once; '' where the record names none. */
function recordedBy(...models: readonly string[]): TranscriptEvent[] {
  const said = models.flatMap((model) => [
    { message: user('Go on'), model: '' },
    { message: { role: 'assistant', content: [{ type: 'text', text: 'Done' }] } as const, model },
  ]);
  const place = { kind: 'message', lane: 'main' } as const;
  return said.map(({ message, model }, seq) => {
    const source = { offset: seq, length: 1, sha256: '' };
    return { ...place, ...{ seq, message, source }, ...(model === '' ? {} : { model }) };
  });
}

it.each([
  [['claude-sonnet-4-5', 'claude-sonnet-4-5'], 'claude-sonnet-4-5'],
  [['claude-sonnet-4-5', 'gpt-5'], undefined],
  [['claude-sonnet-4-5', ''], undefined],
])('names the model of its requests where one answered all: %j', async (models, model) => {
  const played = await playConversation(conversationOf('talk', recordedBy(...models)), options);
  const { timeline } = await sessionLog(played, 'talk').sent();
  expect(timeline.map((request) => request.model)).toEqual(models.map(() => model));
});
