import { defaultUpstreams, summaryLine } from '@ctx/proxy';
import { createRedactor } from '@ctx/redact';
import type { WindowMode } from '@ctx/truncation';
import type { Command } from 'commander';
import {
  type CommandContext,
  type StoreFlags,
  writeErr,
  writeJson,
  writeOut,
} from '../../command-context.ts';
import { makeCommand, oneOf, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { shareOf } from '../../proxy/share-flag.ts';
import { serveProxy } from '../../proxy/serve-proxy.ts';
import { upstreamsOf, withUpstreamFlag } from '../../proxy/upstream-flag.ts';
import { proxyAnswerSchema } from '../../schemas/agent/run.ts';
import { withStore } from '../../store/open-store-url.ts';

interface ProxyFlags extends StoreFlags {
  readonly port: number;
  readonly policy: WindowMode | 'watch';
  readonly tool?: boolean;
  readonly holdout: number;
  readonly upstream?: readonly string[];
}

function untilStopped({ host: { signal } }: CommandContext): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}

async function runProxy(context: CommandContext, flags: ProxyFlags): Promise<void> {
  const upstreams = { ...defaultUpstreams, ...upstreamsOf(flags.upstream) };
  const use = { create: true, redactor: createRedactor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const onFailure = (line: string): void => void writeErr(context, `ctx: ${line}`);
    const { port, policy, tool = false, holdout } = flags;
    const serving = await serveProxy({ store, port, policy, tool, holdout, onFailure });
    serving.upstreams = upstreams;
    try {
      const answer = { url: serving.url, port: serving.port, store: url.text };
      if (flags.json === true) await writeJson(context, proxyAnswerSchema, answer);
      else {
        await writeOut(context, `export ANTHROPIC_BASE_URL=${serving.url}\n`);
        await writeOut(context, `export OPENAI_BASE_URL=${serving.url}/v1\n`);
        await writeOut(context, `export GOOGLE_GEMINI_BASE_URL=${serving.url}\n`);
        await writeErr(context, `Keeping sessions in ${url.text}. Stop with Ctrl-C.`);
      }
      await untilStopped(context);
    } finally {
      await serving.stop();
    }
    await writeErr(context, summaryLine(serving.proxy.totals()));
  });
}

/** `ctx proxy` */
export function proxyCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'proxy',
    summary:
      'Serve a proxy that keeps the requests of any agent on this machine small, until Ctrl-C.',
    examples: [
      'ctx proxy',
      'ctx proxy --port 4780 --policy watch',
      'ctx proxy --upstream anthropic=https://gateway.example',
    ],
  })
    .option('--port <number>', '0 for a free one', wholeNumber(0, 65_535), 0)
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
  return withStoreFlag(withUpstreamFlag(command)).action((flags: ProxyFlags) =>
    runProxy(context, flags),
  );
}
