import { cutText } from '@ctx/core';
import type { History, HistoryCall } from './history.ts';
import { joinedLines } from './outcomes/command-parts.ts';
import { onlyReads, outcomeOf, outcomeText } from './outcomes/outcomes.ts';

/** A shell command and how its newest run ended. */
export interface RanCommand {
  /** One line. */
  readonly command: string;
  /** How its newest run ended, in words. */
  readonly outcome: string;
  readonly pointer?: string;
  /** Whether it only printed what it read or found. */
  readonly onlyRead: boolean;
}

/** Longest command that is kept, characters. */
const maxCommand = 200;

/** Whether a call went wrong, as far as its result tells. */
export function hasFailed(call: HistoryCall): boolean {
  return outcomeOf(call) === 'failed';
}

/** A command on one line. */
export function commandLine(command: string): string {
  const line = joinedLines(command);
  return line.length <= maxCommand ? line : `${cutText(line, { maxCharacters: maxCommand - 1 })}…`;
}

/** The commands that ran, the newest first, each once. Makes one pass. */
export function ranCommands({ calls }: History): RanCommand[] {
  const commands = new Map<string, RanCommand>();
  for (const call of calls) {
    if (call.command === undefined) continue;
    const command = commandLine(call.command);
    commands.delete(command);
    commands.set(command, {
      command,
      outcome: outcomeText(call),
      onlyRead: onlyReads(call.command),
      ...(call.pointer === undefined ? {} : { pointer: call.pointer }),
    });
  }
  return [...commands.values()].reverse();
}
