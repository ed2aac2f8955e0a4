import { isCtxError, type Message, repairMessages, validateMessages } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { approximateTokens } from '@ctx/tokens/approximate';
import {
  lastViewOf,
  readTranscript,
  type TranscriptEvent,
  writeFitted,
  writeTranscript,
} from '@ctx/transcripts';
import { conversationMeter, fitConversation } from '@ctx/truncation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReadsBack } from '../test-support/check-reads-back.ts';
import { deepFreeze } from '../test-support/deep-freeze.ts';
import { nativeFormats } from '../test-support/native/native-formats.ts';
import { anyScript } from '../test-support/native/script.ts';
import { fitPolicies } from './policies.ts';

/** The campaigns try many more. Raise it for a longer look: `CTX_TEST_RUNS=10000`. */
const numRuns = Number(
  process.env['CTX_TEST_RUNS'] ?? (process.env['CTX_TEST_CAMPAIGN'] === '1' ? 2000 : 30),
);

interface Read {
  readonly events: readonly TranscriptEvent[];
  readonly source: Uint8Array;
  readonly format: string;
  readonly messages: readonly Message[];
  readonly notes: Readonly<Record<string, number>>;
}

async function read(source: Uint8Array, format: string): Promise<Read> {
  const { events, receipt } = await readTranscript(source, { format });
  return { events, source, format, messages: lastViewOf(events).messages, notes: receipt.notes };
}

/** Writes messages in a format and reads the request that this is. */
async function asRequest(
  messages: readonly Message[],
  format: string,
): Promise<readonly Message[]> {
  const { bytes } = await writeTranscript(messages, { format });
  return sentOf(await read(bytes, format));
}

/** What a file says that a model is sent: reading would give a call id that stands in it twice a suffix. */
function sentOf({ messages, notes }: Read): readonly Message[] {
  expect(notes['call id used twice']).toBeUndefined();
  return messages;
}

/** Fits what was read, checks that all that left comes back, and gives what the written file says. */
async function fitAndRead(given: Read, share: number, policyName: string): Promise<void> {
  const { events, source, format, messages } = given;
  const policy = fitPolicies.find(({ name }) => name === policyName);
  if (policy === undefined) throw new TypeError(`no policy ${policyName}`);
  const store = await openStore(memoryBackend(), { tokenCounter: approximateTokens });
  const countTokens = approximateTokens;
  const frame = { system: undefined, countTokens, policy, store };
  const total = conversationMeter(frame, countTokens).total(messages);
  const budgetTokens = Math.ceil(total * share);
  const keep = { sessionId: 's', createdAt: 0, redactor: createRedactor({ mode: 'off' }) };
  try {
    const fitted = await fitConversation(messages, { ...frame, ...keep, budgetTokens });
    expect(fitted.tokensAfter).toBeLessThanOrEqual(budgetTokens);
    const list = fitted.messages.map(({ message }) => message);
    expect(validateMessages(list)).toEqual([]);
    await checkReadsBack(store, messages, fitted);
    const log = { events, source, format, messages: fitted.messages, given: messages };
    const { bytes } = await writeFitted({ ...log, sessionId: 's' });
    const written = sentOf(await read(bytes, format));
    expect(validateMessages(repairMessages(written).messages)).toEqual([]);
    expect(validateMessages(await asRequest(list, format))).toEqual([]);
  } catch (error) {
    if (!isCtxError(error, 'CTX_WINDOW_OVERFLOW')) throw error;
    expect(budgetTokens).toBeLessThan(100);
  }
}

describe.each(nativeFormats)('any session in the format $name', ({ format, documentOf }) => {
  it('is a valid request after the repair, also when it is written again; nothing that was read changes', async () => {
    const property = fc.asyncProperty(anyScript, async (script) => {
      const bytes = new TextEncoder().encode(JSON.stringify(documentOf(script)));
      const { messages } = await read(bytes, format);
      deepFreeze(messages);
      const mended = repairMessages(messages);
      expect(validateMessages(mended.messages)).toEqual([]);
      expect(repairMessages(mended.messages).repairs).toEqual([]);
      expect(validateMessages(await asRequest(mended.messages, format))).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  }, 600_000);

  it('fits a budget, valid in its own format, and everything that left comes back byte for byte', async () => {
    const anyPolicy = fc.constantFrom('ctx', 'ctx-evidence', 'none', 'recipe');
    const anyShare = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    const property = fc.asyncProperty(anyScript, anyShare, anyPolicy, async (script, ...how) => {
      const bytes = new TextEncoder().encode(JSON.stringify(documentOf(script)));
      const given = await read(bytes, format);
      const { messages } = repairMessages(given.messages);
      if (messages.length === 0) return;
      await fitAndRead({ ...given, messages: deepFreeze(messages) }, ...how);
    });
    await fc.assert(property, { numRuns: Math.ceil(numRuns / 4) });
  }, 1_200_000);
});

it('tries everything that providers refuse: the sessions are as broken as they come', async () => {
  const found = new Set<string>();
  for (const { format, documentOf } of nativeFormats) {
    for (const script of fc.sample(anyScript, { numRuns: Math.min(300, 2 * numRuns), seed: 1 })) {
      const bytes = new TextEncoder().encode(JSON.stringify(documentOf(script)));
      const { messages, notes } = await read(bytes, format);
      // The reader gives each call an id of its own, and says so.
      if (notes['call id used twice'] !== undefined) found.add('duplicate-call');
      for (const { kind } of validateMessages(messages)) found.add(kind);
    }
  }
  const broken = ['missing-result', 'orphan-result', 'late-result', 'duplicate-call'];
  const misplaced = ['duplicate-result', 'results-not-first', 'first-not-user'];
  expect([...found]).toEqual(
    expect.arrayContaining([...broken, ...misplaced, 'empty-text', 'empty-message']),
  );
});
