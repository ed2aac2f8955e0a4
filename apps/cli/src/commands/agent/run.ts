import { rm } from 'node:fs/promises';
import { knownAgents, prepareAgentRun, runProgram, serveProxy } from '@ctx/proxy';
import { createRedactor } from '@ctx/redact';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { makeCommand, oneOf, withStoreFlag } from '../../make-command.ts';
import { pathWithCommand } from '../../proxy/command-folder.ts';
import { lastLine } from '../../proxy/last-line.ts';
import { askedOf, type ProxyingFlags, withProxyingFlags } from '../../proxy/proxying-flags.ts';
import { runAnswerSchema } from '../../schemas/server.ts';
import { withStore } from '../../store/open-store-url.ts';

type KnownAgent = (typeof knownAgents)[number];

async function runAgent(
  context: CommandContext,
  { agent, args }: { readonly agent: KnownAgent; readonly args: readonly string[] },
  flags: ProxyingFlags,
): Promise<void> {
  const { host } = context;
  const failures: string[] = [];
  const use = { create: true, redactor: createRedactor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const onFailure = (line: string): void => void failures.push(line);
    const serving = await serveProxy({ store, port: 0, ...askedOf(flags, url), onFailure });
    const { env: given, cwd } = host;
    const { home } = await host.folders();
    const plan = await prepareAgentRun(agent, serving.url, { env: given, cwd, home, args });
    serving.upstreams = plan.upstreams;
    const { path, folder } = await pathWithCommand(host);
    // Hooks of the agent start no process that stays, and name `ctx` as it stands on PATH.
    const named = url.scheme === 'postgres' ? url.connection : url.text;
    const own = { PATH: path, CTX_STORE: named, CTX_HOOK_RESIDENT: 'off' };
    const env = { ...given, ...plan.env, ...own, npm_lifecycle_event: undefined };
    host.endAtOnce(); // From here on signals are the agent's.
    try {
      context.finish(await runProgram({ ...plan, args: [...plan.args, ...args], env, folder }));
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
      await serving.stop();
    }
    for (const line of new Set(failures)) await context.say(`ctx: ${line}`);
    const answer = { ...serving.proxy.totals(), sessions: serving.proxy.sessions() };
    const json = () => JSON.stringify(runAnswerSchema.parse(answer));
    await context.say(flags.json === true ? json() : lastLine(host, serving, url));
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'run',
    summary:
      'Run an agent behind its own proxy, which keeps its requests small. None of your files changes; the proxy ends with the agent.',
    examples: [
      'ctx run claude',
      'ctx run claude -- -p "fix the failing test"',
      'ctx run codex -- exec "fix the failing test"',
      'ctx run claude --watch',
      'ctx run claude --tool',
    ],
  })
    .argument('<agent>', knownAgents.join(', '), oneOf(knownAgents))
    .argument('[arguments...]', 'arguments of the agent, after --');
  return withStoreFlag(withProxyingFlags(command)).action(
    (agent: KnownAgent, args: readonly string[], flags: ProxyingFlags) =>
      runAgent(context, { agent, args }, flags),
  );
}
