import { automaticCompaction } from '@ctx/agent-adapter';
import { encodeValue } from '@ctx/core/encoding';
import { playImported } from '@ctx/replay';
import type { ContextStore } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import { sessionLog } from '@ctx/truncation';
import type {
  LogPiece,
  PlayedAsk,
  PlayedResult,
  ReplayEvent,
  ReplayNews,
  WhatIfStep,
} from './thread-messages.ts';

/** Events of a log that are told at once, so that the server takes them in between other work. */
const pieceSize = 100;

/** Yields the log of a played session in pieces. */
async function* piecesOf({ events }: ContextStore, sessionId: string): AsyncGenerator<LogPiece> {
  let piece: LogPiece[number][] = [];
  for await (const { type, at, tokens, payload } of events.read(sessionId)) {
    piece.push({ type, at, tokens, payloadJson: JSON.stringify(encodeValue(payload)) });
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = [];
  }
  yield piece;
}

/** What is played, and how it is told. */
interface Playing {
  readonly read: readonly ReplayEvent[];
  readonly onStep: (step: WhatIfStep) => void;
  readonly tell: (news: ReplayNews) => void;
}

/** Plays the window that ctx would have kept of an imported session, and tells its log before it returns what else is read from it. */
export async function playWindow(
  sessionId: string,
  ask: PlayedAsk,
  { read, onStep, tell }: Playing,
): Promise<PlayedResult | undefined> {
  const session = {
    read: read.map(({ event, results = [], counts = [] }) => ({ event, results, counts })),
    countTokens: tokenCounterFor(),
  };
  const played = await playImported(session, sessionId, {
    ...ask,
    compactWindow: automaticCompaction,
    onStep,
  });
  if (played === undefined) return undefined;
  const { store, messagesAside } = played;
  const sent = await sessionLog(store, sessionId).sent();
  for await (const piece of piecesOf(store, sessionId)) tell({ log: piece });
  return { messagesAside, sent };
}
