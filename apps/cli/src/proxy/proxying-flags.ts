import type { StoreUrl } from '@ctx/agent-adapter/store';
import type { WindowMode } from '@ctx/truncation';
import { type Command, Option } from 'commander';
import type { StoreFlags } from '../command-context.ts';
import { oneOf, shareOf } from '../make-command.ts';

/** How the requests of an agent are kept small. */
export interface ProxyingFlags extends StoreFlags {
  readonly policy: WindowMode | 'watch';
  readonly watch?: boolean;
  readonly tool?: boolean;
  readonly holdout: number;
}

/** What the flags ask of a proxy. A store in memory is out of reach of a shell, so that the model reads back with the tool. */
export function askedOf({ policy, watch, tool, holdout }: ProxyingFlags, { scheme }: StoreUrl) {
  const asked = { holdout, tool: tool === true || scheme === 'memory', ownsProcess: true };
  return { ...asked, policy: watch === true ? ('watch' as const) : policy };
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
    .addOption(new Option('--watch', 'the same as --policy watch').conflicts('policy'))
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
