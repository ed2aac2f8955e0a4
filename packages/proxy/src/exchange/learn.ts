import { setImmediate } from 'node:timers/promises';
import { createUsageReader, type ReportedUsage, type UsageReader } from '../answers/read-usage.ts';
import { inTurn, type Lane } from '../conversations/registry.ts';
import { nextCallId } from '../read-back/number-calls.ts';
import { createCallReader } from '../read-back/read-calls.ts';
import type { AnswerReader, Exchange, OpenProxy, Shaped } from './types.ts';

const silent: AnswerReader = { write: () => undefined, end: () => Promise.resolve() };

/** Says of what conversation an answer could not be counted. */
const sayUnread =
  ({ options }: OpenProxy, { sessionId }: Lane) =>
  (why: string): void =>
    options.onFailure?.(`${sessionId}: ${why}, and what it cost is not counted`, undefined);

/** Says why requests of a conversation go out as the client writes them, and counts one. */
export function countFailed(proxy: OpenProxy, lane: Lane, error: unknown): void {
  const errors = [error, error instanceof Error ? error.cause : undefined];
  const why = errors.flatMap((one) => (one instanceof Error ? [one.message] : [])).join(': ');
  const line = `${lane.sessionId}: requests go out as the client writes them: ${why}`;
  proxy.options.onFailure?.(line, error);
  proxy.count({ failedOpen: 1 });
}

/** Goes out as it came, and is not looked at. */
export const passed: Exchange = { refused: () => Promise.resolve(undefined), answer: () => silent };

/** Whether the provider's cache had less than the window expected of it. */
function isBreak(
  { flush, rewound }: Sent,
  miss: { predictedTokens: number; reportedTokens: number } | undefined,
): boolean {
  if (miss === undefined || flush !== undefined || rewound > 0) return false;
  return miss.reportedTokens < miss.predictedTokens * 0.9 - 1024;
}

/** Adds to the sums of the session what the provider says. */
function noteUse({ options }: OpenProxy, { sessionId }: Lane, usage: ReportedUsage): void {
  const { input, output = 0 } = usage;
  options.store.sessions.observe(sessionId, { usage: { input, output } });
}

/** What is learned from of a request that was sent: neither its body nor its messages, which an answer may outlive. */
interface Sent extends Pick<Shaped['result'], 'flush' | 'rewound' | 'segments'> {
  readonly lane: Lane;
  readonly fixedTokens: number;
  readonly isChanged: boolean;
}

async function learn(proxy: OpenProxy, sent: Sent, usage: ReportedUsage): Promise<void> {
  const { lane } = sent;
  const { store } = proxy.options;
  const { input, cached, tellsCache, hour, output } = usage;
  const shares = lane.account.add({
    time: store.clock(),
    fixedTokens: sent.fixedTokens,
    segments: sent.segments(),
  });
  const dollars = lane.account.dollarsOf(usage);
  const paid = lane.account.dollarsOf({ ...usage, output: 0 });
  proxy.count({
    inputTokens: input,
    plainTokens: sent.isChanged ? Math.round(input * shares.tokens) : input,
    dollars,
    plainDollars: dollars - paid + paid * shares.cost,
  });
  noteUse(proxy, lane, usage);
  const cache = tellsCache ? { cachedTokens: cached } : {};
  const answer = output === undefined ? {} : { outputTokens: output };
  const kept = hour === undefined ? {} : { hourTokens: hour };
  const told = { inputTokens: input, ...cache, ...kept, ...answer };
  const report = await lane.conversation?.observe(told);
  if (isBreak(sent, report?.miss)) proxy.count({ breaks: 1 });
}

/** Keeps the calls of the tool that an answer makes, for the client that does not send them back. */
function callReaderOf({ lane, opened, request }: Shaped) {
  if (!lane.hasTool || opened.caller.client !== 'opencode') return undefined;
  const idOf = nextCallId(request.messages.map(({ message }) => message));
  return createCallReader((id, args) => lane.calls.set(idOf(id), args));
}

/** Reads what an answer tells, and keeps it. */
export function answerOf(
  proxy: OpenProxy,
  shaped: Shaped,
  contentType: string | undefined,
): AnswerReader {
  const { lane, request, result } = shaped;
  const { fixedTokens } = request;
  const { elements, ...rest } = result;
  const sent = { ...rest, lane, fixedTokens, isChanged: elements !== undefined };
  const calls = callReaderOf(shaped);
  const reader: UsageReader = createUsageReader(contentType, calls?.take);
  return {
    write: (chunk) => {
      reader.write(chunk);
    },
    unread: sayUnread(proxy, lane),
    // In the turn of the lane, so that the next request finds it done. The bytes that are on their way to the client go first.
    end: (read) =>
      inTurn(lane, async () => {
        await (read ?? setImmediate());
        const usage = reader.end();
        calls?.end();
        if (usage === undefined) return;
        try {
          await learn(proxy, sent, usage);
        } catch (error) {
          proxy.options.onFailure?.(`${lane.sessionId}: the usage could not be kept`, error);
        }
      }),
  };
}

/** A request that goes out as the client wrote it, and counts. */
export function watched(proxy: OpenProxy, lane: Lane): Exchange {
  const keep = (usage: ReportedUsage): void => {
    noteUse(proxy, lane, usage);
  };
  return { ...counted(proxy, lane, keep), sessionId: lane.sessionId };
}

/** A request of a conversation that is kept as it is, to compare. */
export function heldOut(proxy: OpenProxy, lane: Lane): Exchange {
  const { sessionId } = lane;
  proxy.count({ heldOut: 1 });
  const keep = (usage: ReportedUsage): void => {
    proxy.count({ heldOutDollars: lane.account.dollarsOf(usage) });
    noteUse(proxy, lane, usage);
  };
  return { ...counted(proxy, lane, keep), sessionId };
}

/** A request that no window follows, because there is no session yet or the store failed. It counts. */
export function unfollowed(proxy: OpenProxy, lane: Lane): Exchange {
  return counted(proxy, lane, () => undefined);
}

function counted(proxy: OpenProxy, lane: Lane, keepMore: (usage: ReportedUsage) => void): Exchange {
  proxy.count({ requests: 1 });
  const keep = (usage: ReportedUsage): void => {
    const dollars = lane.account.dollarsOf(usage);
    const { input } = usage;
    proxy.count({ inputTokens: input, plainTokens: input, dollars, plainDollars: dollars });
    keepMore(usage);
  };
  return {
    ...passed,
    answer: (contentType) => {
      const reader = createUsageReader(contentType);
      return {
        write: (chunk) => {
          reader.write(chunk);
        },
        unread: sayUnread(proxy, lane),
        end: (read) =>
          inTurn(lane, async () => {
            await read;
            const usage = reader.end();
            if (usage !== undefined) keep(usage);
          }),
      };
    },
  };
}
