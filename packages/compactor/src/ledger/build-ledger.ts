import type { Trust } from '@ctx/core';
import { cutText, type Message, type TokenCounter } from '@ctx/core';
import { speech } from '@ctx/store';
import { ranCommands } from '../reading/commands.ts';
import { touchedFiles } from '../reading/files.ts';
import type { History } from '../reading/history.ts';
import { openErrors, succeededSubjects } from '../reading/outcomes/open-errors.ts';
import { isFinishedStatus, latestSteps } from '../reading/plans.ts';
import { type PointersByCall, surveyHistory } from '../reading/read-history.ts';
import { type Sentence, saidSentences } from '../reading/said/sentences.ts';
import { checkMessages, checkOptions } from '../summary/check-inputs.ts';
import { carryUserTexts } from './carry-user-texts.ts';
import { isDecision } from './decisions.ts';
import { stillHolds } from './ended-rules.ts';
import { type Ledger, type LedgerEntry, type LedgerPart, ledgerParts } from './ledger.ts';
import { literalsUsedLater } from './used-afterwards.ts';

/** How large a ledger may become. */
export interface LedgerPolicy {
  /** Tokens of the user's texts that are carried on. Default 20,000. */
  readonly carryTokens: number;
  /** Tokens of all entries. Default 2,000. */
  readonly entryTokens: number;
}

/** The only place where these numbers stand. Source: design; entries: an eighth of a large summary. */
export const defaultLedgerPolicy: LedgerPolicy = { carryTokens: 20_000, entryTokens: 2000 };

/** What {@link buildLedger} needs beside the messages. */
export interface LedgerOptions extends Partial<LedgerPolicy> {
  readonly countTokens: TokenCounter;
  /** Pointers by call id. */
  readonly pointers?: PointersByCall;
  /** The ledger of the compaction before this one; its entries live on. */
  readonly earlier?: Ledger;
  /** The lists that are wanted; the others stay empty, and what they would read is not read. Default: all. */
  readonly parts?: readonly LedgerPart[];
}

/** The share of the entries' tokens that each list may take; what one leaves the next ones may use. */
const shares: Readonly<Record<LedgerPart, number>> = {
  constraints: 0.25,
  decisions: 0.15,
  tasks: 0.1,
  files: 0.2,
  commands: 0.1,
  errors: 0.1,
  literals: 0.1,
};

/** Longest entry, characters. */
const maxEntry = 300;

/**
 * Collects what must outlive a compaction, without a model.
 * Pure and deterministic; within its budgets; entries of the earlier ledger stay unless newer ones took their room.
 * Takes time linear in the text.
 */
export function buildLedger(messages: readonly Message[], options: LedgerOptions): Ledger {
  checkOptions(options);
  checkMessages(messages);
  return ledgerOfHistory(surveyHistory(messages, options.pointers), options);
}

/** The same for a conversation that was read already. */
export function ledgerOfHistory(history: History, options: LedgerOptions): Ledger {
  const { countTokens, earlier } = options;
  const policy = { ...defaultLedgerPolicy, ...options };
  const said = [...(earlier?.userTexts ?? []), ...saidByUser(history)];
  const carried = carryUserTexts(said, policy.carryTokens, countTokens);
  const found = entriesIn(history, options.parts ?? ledgerParts);
  let room = 0;
  let leftOut = (earlier?.leftOut ?? 0) + said.length - carried.length;
  const fill = (part: LedgerPart): readonly LedgerEntry[] => {
    room += shares[part] * policy.entryTokens;
    const before = earlier === undefined ? [] : stillValid(part, { found, history, earlier });
    const all = newestOfEach([...found[part], ...before]);
    const kept = all.filter((entry) => {
      const tokens = countTokens(entry.text) + 2;
      if (tokens > room) return false;
      room -= tokens;
      return true;
    });
    leftOut += all.length - kept.length;
    return kept;
  };
  const entries = Object.fromEntries(ledgerParts.map((part) => [part, fill(part)])) as Record<
    LedgerPart,
    readonly LedgerEntry[]
  >; // `fromEntries` forgets the keys.
  const userTexts = carried.map(({ text, entry, isShortened }) => ({
    text,
    isShortened: isShortened || entry.isShortened,
  }));
  return { userTexts, ...entries, leftOut };
}

interface Renewal {
  readonly found: Readonly<Record<LedgerPart, readonly LedgerEntry[]>>;
  readonly history: History;
  readonly earlier: Ledger;
}

/** What of the earlier ledger lives on: a new plan replaces the old tasks, a later success mends an error. */
function stillValid(
  part: LedgerPart,
  { found, history, earlier }: Renewal,
): readonly LedgerEntry[] {
  if (part === 'tasks' && found.tasks.length > 0) return [];
  if (part === 'constraints') {
    const since = saidSentences(history).flatMap(({ role, text }) =>
      role === 'user' ? [text] : [],
    );
    return earlier.constraints.filter(({ text }) => stillHolds(text, since));
  }
  if (part !== 'errors') return earlier[part];
  const mended = succeededSubjects(history).map((subject) => `${oneLine(subject)}: `);
  return earlier.errors.filter(({ text }) => !mended.some((start) => text.startsWith(start)));
}

function newestOfEach(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const byKey = new Map<string, LedgerEntry>();
  for (const entry of entries) if (!byKey.has(entry.key)) byKey.set(entry.key, entry);
  return [...byKey.values()];
}

function saidByUser({
  texts,
}: History): { readonly text: string; readonly isShortened: boolean }[] {
  return texts
    .filter(({ role }) => role === 'user')
    .map(({ text }) => ({ text, isShortened: false }));
}

type Entries = Record<LedgerPart, readonly LedgerEntry[]>;

function entriesIn(history: History, parts: readonly LedgerPart[]): Entries {
  let said: readonly Sentence[] | undefined;
  const sentences = () => (said ??= saidSentences(history).reverse());
  const saidSince = (message: number) =>
    sentences().flatMap(({ role, messageIndex, text }) =>
      role === 'user' && messageIndex > message ? [text] : [],
    );
  const find: Record<LedgerPart, () => readonly LedgerEntry[]> = {
    constraints: () =>
      sentences()
        .filter(({ role, text }) => role === 'user' && speech.isRule(text))
        .filter((one) => stillHolds(one.text, saidSince(one.messageIndex)))
        .map(saidEntry),
    decisions: () =>
      sentences()
        .filter(({ text }) => isDecision(text))
        .map(saidEntry),
    tasks: () =>
      latestSteps(history)
        .filter(({ status }) => !isFinishedStatus(status))
        .map(({ text, status }) => entryOf(text, `[${oneLine(status)}] ${oneLine(text)}`)),
    files: () =>
      touchedFiles(history).map(({ path, wasChanged, pointer }) =>
        entryOf(path, withPointer(`${wasChanged ? 'changed' : 'read'} ${oneLine(path)}`, pointer)),
      ),
    commands: () =>
      ranCommands(history).map(({ command, outcome, pointer }) =>
        entryOf(command, withPointer(`${oneLine(command)} ${outcome}`, pointer)),
      ),
    errors: () =>
      openErrors(history).map(({ text, subject, pointer }) =>
        entryOf(text, withPointer(`${oneLine(subject)}: ${oneLine(text)}`, pointer), 'untrusted'),
      ),
    literals: () =>
      literalsUsedLater(history).map((literal) => entryOf(literal, literal, 'untrusted')),
  };
  const entries = ledgerParts.map((part) => [part, parts.includes(part) ? find[part]() : []]);
  return Object.fromEntries(entries) as Entries; // `fromEntries` forgets the keys.
}

function saidEntry({ text, role }: Sentence): LedgerEntry {
  return entryOf(text, oneLine(text), role === 'user' ? 'trusted' : 'derived');
}

function entryOf(key: string, text: string, trust: Trust = 'derived'): LedgerEntry {
  return { key: oneLine(key), text, trust };
}

function oneLine(text: string): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), { maxCharacters: maxEntry });
}

function withPointer(text: string, pointer: string | undefined): string {
  return pointer === undefined ? text : `${text} → ${pointer}`;
}
