import { CtxError } from '@ctx/core';
import { defaultUpstreams, summaryLine, type Upstreams } from '@ctx/proxy';
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
import { serveProxy } from '../../proxy/serve-proxy.ts';
import { proxyAnswerSchema } from '../../schemas/agent/run.ts';
import { withStore } from '../../store/open-store-url.ts';

interface ProxyFlags extends StoreFlags {
  readonly port: number;
  readonly policy: WindowMode | 'watch';
  readonly upstream?: readonly string[];
}

/** Reads `anthropic=URL`. Throws: `CTX_USAGE`. */
function upstreamsOf(given: readonly string[] = []): Upstreams {
  const named = given.map((text) => {
    const end = text.indexOf('=');
    const [name, url] = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)] as const;
    if (Object.hasOwn(defaultUpstreams, name) && URL.canParse(url)) {
      return [name, new URL(url)] as const;
    }
    const names = Object.keys(defaultUpstreams).join(', ');
    throw new CtxError(
      'CTX_USAGE',
      `--upstream must be name=URL with one of ${names}, got ${text}`,
    );
  });
  return { ...defaultUpstreams, ...Object.fromEntries(named) };
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
  const upstreams = upstreamsOf(flags.upstream);
  const use = { create: true, redactor: createRedactor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const onFailure = (line: string): void => void writeErr(context, `ctx: ${line}`);
    const serving = await serveProxy({ store, port: flags.port, policy: flags.policy, onFailure });
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
      '--upstream <name=url>',
      'where requests of an API go: anthropic, openai or gemini. Repeat for more',
      (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
    )
    .option(
      '--policy <name>',
      'default, thrifty, evidence, or watch: change nothing, only count',
      oneOf(['default', 'thrifty', 'evidence', 'watch']),
      'default',
    );
  return withStoreFlag(command).action((flags: ProxyFlags) => runProxy(context, flags));
}
