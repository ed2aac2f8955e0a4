import type { Message, ToolUseBlock } from '@ctx/core';
import type { Window } from '../window/window.ts';
import { saveResults } from './save-results.ts';
import { inTurn, saySizes, type Session } from './session.ts';
import type { SessionWindow } from './session-window.ts';

/** What goes on. */
export type SessionSteps = Pick<
  SessionWindow,
  'insert' | 'request' | 'resize' | 'observe' | 'overflowed' | 'reset' | 'compact'
>;

function isList(messages: Message | readonly Message[]): messages is readonly Message[] {
  return Array.isArray(messages);
}

/** Stores the results of a message, then takes it. */
async function insertOne(session: Session, message: Message): Promise<void> {
  const callOf = (id: string): ToolUseBlock | undefined => session.state.openCalls.get(id)?.call;
  const saved = await saveResults(session.place, message, callOf);
  session.outputs = saved.outputs;
  session.window.insert(saved.message, saved.pointers);
}

/** Makes the calls that go on. */
export function sessionSteps(session: Session): SessionSteps {
  const run = <Result>(act: (window: Window) => Result | Promise<Result>): Promise<Result> =>
    inTurn(session, () => {
      saySizes(session);
      return act(session.window);
    });
  return {
    insert: (messages) =>
      run(async () => {
        const list = isList(messages) ? messages : [messages];
        for (const message of list) await insertOne(session, message);
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
    compact: (compaction) =>
      run((window) => {
        const receipt = window.compact(compaction);
        return { ...receipt, sequence: session.sequence };
      }),
  };
}
