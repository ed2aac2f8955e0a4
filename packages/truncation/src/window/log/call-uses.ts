import type { ToolUseBlock } from '@ctx/core';
import type { CallUse, DescribeCall } from '../../calls/describe-call.ts';
import { createFileNames, type FileNames } from '../../calls/file-names.ts';

/** Knows what the calls of one log do to files, each file under one name. */
export interface CallUses {
  /**
   * What a call does, told by its input alone: results are not whole any more when a log is read again, and the same log has to
   * give the same view.
   */
  useOf(call: ToolUseBlock): CallUse | undefined;
}

function renamed(use: CallUse, { nameOf }: FileNames): CallUse {
  const { path, shown, edited } = use;
  return {
    ...use,
    path: path === '' ? '' : nameOf(path),
    ...(shown && { shown: shown.map((file) => ({ ...file, path: nameOf(file.path) })) }),
    ...(edited && { edited: edited.map(nameOf) }),
  };
}

/** Starts without any. Takes time linear in the call. */
export function createCallUses(describeCall: DescribeCall): CallUses {
  const names = createFileNames();
  let hasReadTool = false;
  return {
    useOf: (call) => {
      const use = describeCall(call);
      if (use === undefined) return undefined;
      hasReadTool ||= use.access === 'read' && use.shows === undefined;
      // Who has a tool that reads searches to find places; who has none reads by searching.
      return use.shows === 'search' && hasReadTool ? undefined : renamed(use, names);
    },
  };
}
