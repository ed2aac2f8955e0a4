import { checkMessages, type Message, type ToolUseBlock } from '@ctx/core';
import type { SessionCompaction } from '@ctx/store';
import type { Window } from '../window/window.ts';
import { type RecordedResults, saveResults } from './log/save-results.ts';
import { inTurn, type OpenSessionState, saySizes } from './session.ts';
import type { SessionWindow } from './session-window.ts';

/** What goes on. */
export type SessionSteps = Pick<
  SessionWindow,
  'insert' | 'request' | 'resize' | 'observe' | 'overflowed' | 'reset' | 'compact'
>;

function isList(messages: Message | readonly Message[]): messages is readonly Message[] {
  return Array.isArray(messages);
}

/** What the caller knows about one message. */
interface KnownMessage {
  readonly stored: RecordedResults | undefined;
  readonly key: string | undefined;
}

/** Stores the results of a message, then takes it. Gives the event that stands for it. */
async function insertOne(
  session: OpenSessionState,
  message: Message,
  { stored, key }: KnownMessage,
): Promise<number> {
  const callOf = (id: string): ToolUseBlock | undefined => session.state.openCalls.get(id)?.call;
  const saved = await saveResults(session.place, message, { callOf, stored });
  session.outputs = saved.outputs;
  session.window.insert(saved.message, saved.pointers, key);
  return session.sequence;
}

/** Makes the calls that go on. */
export function sessionSteps(session: OpenSessionState): SessionSteps {
  const run = <Result>(act: (window: Window) => Result | Promise<Result>): Promise<Result> =>
    inTurn(session, () => {
      saySizes(session);
      return act(session.window);
    });
  return {
    insert: (messages, { keys = [], stored } = {}) =>
      run(async () => {
        const list = isList(messages) ? messages : [messages];
        checkMessages(list);
        const sequences: number[] = [];
        for (const [index, message] of list.entries()) {
          sequences.push(await insertOne(session, message, { stored, key: keys[index] }));
        }
        return sequences;
      }),
    request: (at = session.place.store.clock(), parts = {}) =>
      run((window) => {
        const request = window.request(at, parts);
        return { ...request, sequence: session.sequence };
      }),
    resize: (size) =>
      run((window) => {
        window.resize(size);
      }),
    observe: (usage) => run((window) => window.observe(usage)),
    overflowed: (error) => run((window) => window.overflowed(error)),
    reset: () =>
      run((window) => {
        window.reset();
      }),
    compact: async (compaction, recordOf) => {
      const written: number[] = [];
      const made = await run((window) => {
        const logged = { ...window.compact(compaction), sequence: session.sequence };
        if (logged.done && recordOf !== undefined) {
          const onWritten = ({ sequence }: SessionCompaction): void => void written.push(sequence);
          session.writer.attach({ draft: recordOf(logged), onWritten });
        }
        return logged;
      });
      const [record] = written;
      return record === undefined ? made : { ...made, record };
    },
  };
}
