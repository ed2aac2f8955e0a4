import type { ContentBlock, Message } from '@ctx/core';
import type { ContextStore } from '@ctx/store';
import { lastViewOf, viewAt } from '@ctx/transcripts';
import { limitTokensOf, type SessionLog, windowModes } from '@ctx/truncation';
import type { ReadTranscript } from './read-sizes.ts';
import { type CarriedSegment, carriedBy } from './recorded-carried.ts';
import { type RecordedRequest, requestsFrom } from './recorded-requests.ts';
import { type Place, type Recording, readRecording, seenAt, sumsInOrder } from './recording.ts';

type SessionView = Awaited<ReturnType<SessionLog['view']>>;
type ShownSegment = SessionView['segments'][number];

/** A view and its blocks as they arrived. */
export interface RecordedView {
  readonly view: SessionView;
  readonly blocks: readonly ContentBlock[];
}

/** What the agent of an imported session sent itself. */
export interface RecordedWindow {
  readonly requests: readonly RecordedRequest[];
  /** Messages that its model no longer saw at the end. */
  readonly messagesAside: number;
  /** The view for a request, from 1; left out: as it stood at the end. */
  view(at?: number): RecordedView;
  /** What its model saw at the end. */
  messages(): readonly Message[];
  /** Where the tokens of the last request went. */
  readonly use: Recording['use'];
  /** What the requests carried of each block, by its counted size. */
  carried(): Promise<readonly CarriedSegment[]>;
}

function kindOf({ block, event }: Place): ShownSegment['kind'] {
  if (block.type === 'tool_use') return 'call';
  if (block.type === 'tool_result') return 'result';
  if (block.type === 'opaque') return 'other';
  return event.message?.role === 'assistant' ? 'assistant' : 'user';
}

function segmentOf(
  recording: Recording,
  place: Place,
  shown: ContentBlock | undefined,
): ShownSegment {
  const { block, segment, event } = place;
  const { sizeOf, names, pointers } = recording;
  const call = block.type === 'tool_result' ? block.toolUseId : '';
  const toolName = block.type === 'tool_use' ? block.name : names.get(call);
  const isWhole = shown === block;
  const fate = isWhole
    ? ({ form: 'whole', why: 'in the window, unchanged' } as const)
    : ({
        form: shown === undefined ? 'cut' : 'short',
        cause: 'compaction',
        why:
          shown === undefined
            ? 'its agent had compacted it away, or gone back before it'
            : 'its agent had cleared it',
      } as const);
  return {
    ...{ segment, message: event.seq, ...fate, kind: kindOf(place) },
    givenTokens: sizeOf(block),
    tokens: shown === undefined ? 0 : sizeOf(shown),
    pointer: pointers.get(call) ?? `ctx://messages/${String(event.seq)}`,
    ...(toolName === undefined ? {} : { toolName }),
    ...(shown === undefined ? {} : { block: shown }),
  };
}

function segmentsAt(recording: Recording, seq: number): ShownSegment[] {
  const seen = seenAt(recording, seq);
  return recording.places
    .filter(({ event }) => event.seq <= seq)
    .map((place) => segmentOf(recording, place, seen.get(place.event.seq)?.[place.index]));
}

/** The parts of what was sent beside the messages: none where the provider counted hardly more than these. */
function fixedWithin({ fixed, fixedTokens }: Recording, sent: number): Pick<SessionView, 'fixed'> {
  if (fixed === undefined || sent < fixedTokens / 2) return {};
  const scale = Math.min(1, sent / fixedTokens);
  const scaled = ({ name, tokens }: { readonly name: string; readonly tokens: number }) => ({
    ...{ name, tokens: tokens * scale },
  });
  const { system, tools, unnamed } = fixed;
  const rest = unnamed && { unnamed: { ...unnamed, tokens: unnamed.tokens * scale } };
  return { fixed: { system: system * scale, tools: tools.map(scaled), ...rest } };
}

/** The view after the event `seq`. `tokens`: what was sent, where that is known; else what `beside` adds to the messages. */
function viewOf(
  recording: Recording,
  seq: number,
  { tokens, beside }: { readonly tokens?: number; readonly beside: number },
): RecordedView {
  const { windowTokens, places } = recording;
  const counted = segmentsAt(recording, seq);
  const shown = counted.reduce((sum, one) => sum + one.tokens, 0);
  const sent = tokens ?? shown + beside;
  // The provider counts what the transcript does not hold: the prompt and the tools.
  const fixedTokens = Math.max(0, sent - shown);
  const scale = shown > sent ? sent / shown : 1;
  const segments = counted.map((one) => ({
    ...one,
    ...{ givenTokens: one.givenTokens * scale, tokens: one.tokens * scale },
  }));
  return {
    view: {
      ...{ segments, scale, windowTokens, tokens: sent },
      ...{ fixedTokens, ...fixedWithin(recording, fixedTokens) },
      limitTokens: limitTokensOf(windowModes.default, windowTokens),
    },
    blocks: places.slice(0, segments.length).map(({ block }) => block),
  };
}

/**
 * Reads what the agent of an imported session sent itself: its requests, and the view of each. Writes nothing. Of `sizes`, the texts of
 * results are missing.
 */
export async function readRecordedWindow(
  store: ContextStore,
  sessionId: string,
  sizes?: ReadTranscript,
): Promise<RecordedWindow> {
  const recording = await readRecording(store, sessionId, sizes);
  const { fixedTokens, events } = recording;
  const requests = requestsFrom(recording);
  const last = requests.at(-1);
  const counted = last === undefined ? 0 : sumsInOrder(recording)(last.sequence - 1);
  // The window as it stands is as `ctx status` has it.
  const asUsed = recording.use === undefined ? {} : { tokens: recording.use.tokens };
  let carried: Promise<readonly CarriedSegment[]> | undefined;
  // A view is asked for page by page.
  let newest: { readonly seq: number; readonly view: RecordedView } | undefined;
  const beside = fixedTokens + Math.max(0, (last?.tokens ?? 0) - counted);
  return {
    ...{ requests, use: recording.use },
    messagesAside: lastViewOf(events).asideMessages,
    messages: () => viewAt(events, Number.POSITIVE_INFINITY).entries.map(({ message }) => message),
    carried: () => (carried ??= carriedBy(recording, requests)),
    view: (at) => {
      const request = at === undefined ? undefined : requests[at - 1];
      const seq = request === undefined ? Number.POSITIVE_INFINITY : request.sequence - 1;
      if (newest?.seq === seq) return newest.view;
      const sent = request === undefined ? asUsed : { tokens: request.tokens };
      const view = viewOf(recording, seq, { beside, ...sent });
      newest = { seq, view };
      return view;
    },
  };
}
