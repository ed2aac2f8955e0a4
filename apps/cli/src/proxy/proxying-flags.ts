import type { WindowMode } from '@ctx/truncation';
import type { Command } from 'commander';
import type { StoreFlags } from '../command-context.ts';
import { oneOf, shareOf } from '../make-command.ts';

/** How the requests of an agent are kept small. */
export interface ProxyingFlags extends StoreFlags {
  readonly policy: WindowMode | 'watch';
  readonly tool?: boolean;
  readonly holdout: number;
}

/** Adds the flags of {@link ProxyingFlags}. */
export function withProxyingFlags(command: Command): Command {
  return command
    .option(
      '--policy <name>',
      'default, thrifty, evidence, or watch: change nothing, only count',
      oneOf(['default', 'thrifty', 'evidence', 'watch']),
      'default',
    )
    .option(
      '--holdout <share>',
      'send this share of new conversations as the agent writes them, to measure what is saved: 0.1',
      shareOf,
      0,
    )
    .option(
      '--tool',
      'let the model read back with a tool of ctx instead of its shell; calls are answered in the next request',
    );
}
