import type { ContextPointer } from '@ctx/core';
import { argsText } from '../words/args-text.ts';
import { toolAccess } from '../calls/file-access.ts';
import type { RelevanceDocument } from './relevance-document.ts';

/** What is read of a tool output or of its pointer. */
export type DescribedOutput = Pick<
  ContextPointer,
  'id' | 'toolName' | 'args' | 'path' | 'sequence'
>;

export interface OutputDocumentOptions {
  /** Text of the result; left out where a backend's full text has it. */
  readonly body?: string;
  /** The user's turn in which the tool was called. */
  readonly turn?: number;
}

/** Turns a tool output into what can be ranked. A path counts only where the tool reads or edits that file. */
export function documentOfOutput(
  output: DescribedOutput,
  { body, turn }: OutputDocumentOptions = {},
): RelevanceDocument {
  const { path } = output;
  const access = path === undefined ? undefined : toolAccess(output.toolName, output.args);
  return {
    id: output.id,
    args: argsText(output.args),
    sequence: output.sequence,
    ...(body === undefined ? {} : { body }),
    ...(turn === undefined ? {} : { turn }),
    ...(path === undefined || access === undefined ? {} : { path, ...access }),
  };
}
