import type { HistoryCall } from '../history.ts';
import { commandParts } from './command-parts.ts';

/** Programs that answer a question by their exit code: 1 says no. */
const asks =
  /^(?:(?:command -v|which|type|test|\[|pgrep|cmp|diff|grep|rg|ag|ack) |git (?:grep|show-ref|diff --quiet))/;

/** How no is said. */
const saysNo = /^(?:exit code:? 1|(?:\w+: )?type: .* not found)$/i;

/** Whether a command only asked something, and was answered no: that stands in nobody's way. */
export function isAnsweredNo({ command = '', result = '' }: HistoryCall): boolean {
  return (
    result.split('\n').every((line) => saysNo.test(line)) &&
    commandParts(command).some((part) => asks.test(part))
  );
}
