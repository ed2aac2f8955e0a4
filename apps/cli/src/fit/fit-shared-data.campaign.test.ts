import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCtxError, type Message, repairMessages, validateMessages } from '@ctx/core';
import { createRedactor } from '@ctx/redact';
import { conversationOf } from '@ctx/replay';
import { openStore } from '@ctx/store';
import { memoryBackend } from '@ctx/store/backend';
import { tokenCounterFor } from '@ctx/tokens';
import { approximateTokens } from '@ctx/tokens/approximate';
import {
  readTranscript,
  type TranscriptEvent,
  toolsOf,
  viewAt,
  writeFitted,
} from '@ctx/transcripts';
import { conversationMeter, fitConversation } from '@ctx/truncation';
import { describe, expect, it } from 'vitest';
import { checkReadsBack } from '../test-support/check-reads-back.ts';
import { fitPolicies } from './policies.ts';

const root =
  process.env['CTX_SHARED_DATA'] ??
  join(fileURLToPath(new URL('../../../..', import.meta.url)), '../shared/data');

/** `all` goes through every file, and prints what came out. */
const isAll = process.env['CTX_FIT_FILES'] === 'all';
/** Policies to go through, by name. */
const names = (process.env['CTX_FIT_POLICIES'] ?? 'ctx,ctx-evidence').split(',');
const budgets = [100_000, 20_000, 4000, 1000, 300, 200];

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const found = ['transcripts', 'native'].flatMap((folder) => filesIn(join(root, folder)));
const files = isAll ? found : found.filter((_, index) => index % 24 === 0);

interface Source {
  readonly bytes: Uint8Array;
  readonly events: readonly TranscriptEvent[];
  readonly format: string;
  readonly messages: readonly Message[];
}

async function readSource(file: string): Promise<Source | undefined> {
  const bytes = readFileSync(file);
  try {
    const { events, receipt } = await readTranscript(bytes);
    if (receipt.lanes.filter((lane) => lane.startsWith('session-')).length > 1) return undefined;
    const view = viewAt(events, Number.POSITIVE_INFINITY);
    const { messages } = repairMessages(view.entries.map(({ message }) => message));
    return { bytes, events, format: receipt.format, messages };
  } catch (error) {
    if (isCtxError(error, 'CTX_TRANSCRIPT_UNKNOWN_FORMAT')) return undefined;
    throw error;
  }
}

const countTokens = isAll ? tokenCounterFor() : approximateTokens;
const counts = new Map<string, number>();

function note(budget: number, what: string): void {
  const key = `${String(budget)} ${what}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

async function check(source: Source, budgetTokens: number, name: string): Promise<void> {
  const { events, messages, bytes, format } = source;
  const policy = fitPolicies.find((each) => each.name === name);
  if (policy === undefined) throw new TypeError(`no policy ${name}`);
  const store = await openStore(memoryBackend(), { tokenCounter: countTokens });
  const { system } = conversationOf(name, events).session;
  const frame = { system, tools: toolsOf(events), budgetTokens, countTokens, policy };
  const redactor = createRedactor({ mode: 'off' });
  const keep = { sessionId: 's', createdAt: 0, store, redactor };
  try {
    const fitted = await fitConversation(messages, { ...frame, ...keep });
    const list = fitted.messages.map(({ message }) => message);
    expect(validateMessages(list)).toEqual([]);
    expect(conversationMeter(frame, countTokens).total(list)).toBe(fitted.tokensAfter);
    expect(fitted.tokensAfter).toBeLessThanOrEqual(budgetTokens);
    await checkReadsBack(store, messages, fitted);
    const log = { events, source: bytes, format, messages: fitted.messages, given: messages };
    const { receipt } = await writeFitted({ ...log, sessionId: 's' });
    note(budgetTokens, fitted.tokensBefore <= budgetTokens ? 'fits already' : 'fitted');
    if (receipt.losses['time of a message'] !== undefined) note(budgetTokens, 'loses times');
  } catch (error) {
    if (!isCtxError(error, 'CTX_WINDOW_OVERFLOW')) throw error;
    expect(error.message).toMatch(/least budget that works is \d+/);
    note(budgetTokens, 'too small');
  } finally {
    await store.close();
  }
}

describe.skipIf(files.length === 0)('fit on recorded sessions', () => {
  it.each(names)(
    'makes every one valid and small enough under %s, and all that left reads back',
    async (name) => {
      for (const file of files) {
        const source = await readSource(file);
        if (source === undefined) note(0, `not read: ${file.split('/').slice(-2).join('/')}`);
        else for (const budget of budgets) await check(source, budget, name);
      }
      if (isAll) console.log(name, Object.fromEntries(counts));
      counts.clear();
    },
    // Grows with the number of recorded sessions and budgets; only a hang should end it.
    3_600_000,
  );
});
