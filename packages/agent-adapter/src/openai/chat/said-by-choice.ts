import type { Json, OwnCall, Said } from '../../with-context/wire.ts';
import { inputOf, listOf, recordOf, textOf } from '../body-parts.ts';

const nameOf = (call: Json): string => String(recordOf(call['function'])['name']);

/** Returns the message with only some of its calls. */
function withCalls(message: Json, calls: readonly Json[]): Json {
  const { tool_calls: _calls, ...rest } = message;
  return calls.length === 0 ? rest : { ...rest, tool_calls: calls };
}

/** Returns what a message of the model says. */
export function saidByChoice(message: Json, own: ReadonlySet<string>): Said {
  const calls = listOf(message['tool_calls']);
  const ownCalls = calls.filter((call) => own.has(nameOf(call)));
  const others = calls.filter((call) => !own.has(nameOf(call)));
  return {
    whole: [message],
    visible: [ownCalls.length === 0 ? message : withCalls(message, others)],
    own: ownCalls.map((call): OwnCall => {
      const input = inputOf(recordOf(call['function'])['arguments']);
      return { id: String(call['id']), name: nameOf(call), input };
    }),
    callsHost: others.length > 0,
  };
}

/** Returns one message for those of several rounds. */
export function joinedChoices(visible: readonly Json[]): Json {
  const [only, ...others] = visible;
  if (only !== undefined && others.length === 0) return only;
  const text = visible.map(({ content }) => textOf(content)).join('');
  const calls = visible.flatMap((message) => listOf(message['tool_calls']));
  const last = visible.at(-1) ?? { role: 'assistant' };
  return withCalls({ ...last, content: text === '' ? null : text }, calls);
}

/** Returns the reason why the host's answer ended: calls of ctx's tools are none of its own. */
export function finishReason(reason: unknown, message: Json): unknown {
  const hasCalls = listOf(message['tool_calls']).length > 0;
  return reason === 'tool_calls' && !hasCalls ? 'stop' : reason;
}
