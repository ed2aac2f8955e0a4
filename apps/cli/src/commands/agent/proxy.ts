import { defaultUpstreams, serveProxy } from '@ctx/proxy';
import { createRedactor } from '@ctx/redact';
import type { Command } from 'commander';
import { type CommandContext, untilStopped } from '../../command-context.ts';
import { shellWord } from '../../follow-up.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { lastLine } from '../../proxy/last-line.ts';
import { askedOf, type ProxyingFlags, withProxyingFlags } from '../../proxy/proxying-flags.ts';
import { upstreamsOf, withUpstreamFlag } from '../../proxy/upstream-flag.ts';
import { proxyAnswerSchema } from '../../schemas/server.ts';
import { withStore } from '../../store/open-store-url.ts';

interface ProxyFlags extends ProxyingFlags {
  readonly port: number;
  readonly upstream?: readonly string[];
}

async function runProxy(context: CommandContext, flags: ProxyFlags): Promise<void> {
  const upstreams = { ...defaultUpstreams, ...upstreamsOf(flags.upstream) };
  const use = { create: true, redactor: createRedactor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const onFailure = (line: string): void => void context.say(`ctx: ${line}`);
    const served = await serveProxy({ store, port: flags.port, ...askedOf(flags, url), onFailure });
    served.upstreams = upstreams;
    try {
      const answer = { url: served.url, port: served.port, store: url.text };
      if (flags.json === true) await context.json(proxyAnswerSchema, answer);
      else {
        const [base, isLocal] = [served.url, url.scheme === 'sqlite' || url.scheme === 'fs'];
        await context.print(
          `export ANTHROPIC_BASE_URL=${base}\nexport OPENAI_BASE_URL=${base}/v1\n`,
        );
        await context.print(`export GOOGLE_GEMINI_BASE_URL=${base}\n`);
        // The address of a database is not printed: it may hold a password.
        if (isLocal) await context.print(`export CTX_STORE=${shellWord(url.text)}\n`);
        const codex = 'codex -c openai_base_url="$OPENAI_BASE_URL" -c allow_login_shell=false';
        await context.print(`# Codex: ${codex}\n`);
        await context.print('# opencode: ANTHROPIC_BASE_URL="$ANTHROPIC_BASE_URL/v1" opencode\n');
        await context.say(`Keeping sessions in ${url.text}. Stop with Ctrl-C.`);
      }
      await untilStopped(context);
    } finally {
      await served.stop();
    }
    await context.say(lastLine(context.host, served, url));
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'proxy',
    summary:
      'Serve a proxy that keeps the requests of any agent on this machine small, until Ctrl-C.',
    examples: [
      'ctx proxy',
      'ctx proxy --port 4780 --watch',
      'ctx proxy --upstream anthropic=https://gateway.example',
    ],
  }).option('--port <number>', '0 for a free one', wholeNumber(0, 65_535), 0);
  return withStoreFlag(withUpstreamFlag(withProxyingFlags(command))).action((flags: ProxyFlags) =>
    runProxy(context, flags),
  );
}
