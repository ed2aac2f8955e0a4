import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type KnownAgent, knownAgents, planAgentRun, runProgram, summaryLine } from '@ctx/proxy';
import { createRedactor } from '@ctx/redact';
import type { WindowMode } from '@ctx/truncation';
import type { Command } from 'commander';
import { type CommandContext, type StoreFlags, writeErr } from '../../command-context.ts';
import { makeCommand, oneOf, withStoreFlag } from '../../make-command.ts';
import { pathWithCommand } from '../../proxy/command-folder.ts';
import { shareOf } from '../../proxy/share-flag.ts';
import { type ServingProxy, serveProxy } from '../../proxy/serve-proxy.ts';
import { runAnswerSchema } from '../../schemas/agent/run.ts';
import { withStore } from '../../store/open-store-url.ts';

interface RunFlags extends StoreFlags {
  readonly policy: WindowMode | 'watch';
  readonly tool?: boolean;
  readonly holdout: number;
}

/** A folder and those that hold it, the innermost first. */
function foldersUp(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}

function openCodeFiles({ host: { cwd, env } }: CommandContext, home: string): string[] {
  const names = ['opencode.jsonc', 'opencode.json'];
  const near = foldersUp(cwd).flatMap((folder) => [join(folder, '.opencode'), folder]);
  const own = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode');
  const filesOf = (folder: string): string[] => names.map((name) => join(folder, name));
  const named = env['OPENCODE_CONFIG'];
  return [
    ...near.flatMap(filesOf),
    ...(named === undefined ? [] : [named]),
    ...filesOf(own),
    join(own, 'config.json'),
  ];
}

/** The settings files of an agent, those that count most first. */
async function settingsFiles(context: CommandContext, agent: KnownAgent): Promise<string[]> {
  const { host } = context;
  const { home } = await host.folders();
  const { env, cwd } = host;
  if (agent === 'codex') return [join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml')];
  if (agent === 'gemini') {
    return [cwd, home].map((folder) => join(folder, '.gemini', 'settings.json'));
  }
  if (agent === 'opencode') return openCodeFiles(context, home);
  return [
    join(cwd, '.claude', 'settings.local.json'),
    join(cwd, '.claude', 'settings.json'),
    join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'settings.json'),
  ];
}

/** The `.env` files that an agent may load. */
async function envFiles({ host }: CommandContext, agent: KnownAgent): Promise<string[]> {
  if (agent !== 'gemini') return [];
  const { home } = await host.folders();
  const folders = [...foldersUp(host.cwd), home];
  return folders.flatMap((folder) => [join(folder, '.gemini', '.env'), join(folder, '.env')]);
}

/** The texts of those files that can be read. */
async function textsOf(files: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(
    files.map((file) => readFile(file, 'utf8').catch(() => undefined)),
  );
  return texts.filter((text) => text !== undefined);
}

async function tell(
  context: CommandContext,
  { proxy }: ServingProxy,
  flags: RunFlags,
): Promise<void> {
  const totals = proxy.totals();
  const sessions = proxy.sessions();
  if (flags.json === true) {
    await writeErr(context, JSON.stringify(runAnswerSchema.parse({ ...totals, sessions })));
    return;
  }
  const [first] = sessions;
  const look = first === undefined ? '' : `; see: ctx status ${first}`;
  await writeErr(context, `${summaryLine(totals)}${look}`);
}

async function runAgent(
  context: CommandContext,
  { agent, args }: { readonly agent: KnownAgent; readonly args: readonly string[] },
  flags: RunFlags,
): Promise<void> {
  const { host } = context;
  const failures: string[] = [];
  const use = { create: true, redactor: createRedactor() };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const onFailure = (line: string): void => void failures.push(line);
    const { policy, tool = false, holdout } = flags;
    const serving = await serveProxy({ store, port: 0, policy, tool, holdout, onFailure });
    const plan = planAgentRun(agent, serving.url, {
      env: host.env,
      settings: await textsOf(await settingsFiles(context, agent)),
      envFiles: await textsOf(await envFiles(context, agent)),
      args,
    });
    serving.upstreams = plan.upstreams;
    const { path, folder } = await pathWithCommand(host);
    const env = { ...host.env, ...plan.env, PATH: path, CTX_STORE: url.text };
    host.endAtOnce(); // From here on signals are the agent's.
    try {
      context.finish(await runProgram({ ...plan, args: [...plan.args, ...args], env, folder }));
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
      await serving.stop();
    }
    for (const line of new Set(failures)) await writeErr(context, `ctx: ${line}`);
    await tell(context, serving, flags);
  });
}

/** `ctx run` */
export function runCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'run',
    summary:
      'Run an agent with a proxy of its own that keeps its requests small. No file of yours changes; it ends with the agent.',
    examples: [
      'ctx run claude',
      'ctx run claude -- -p "fix the failing test"',
      'ctx run codex -- exec "fix the failing test"',
      'ctx run claude --policy watch',
      'ctx run claude --tool',
    ],
  })
    .argument('<agent>', knownAgents.join(', '), oneOf(knownAgents))
    .argument('[arguments...]', "the agent's own, after --")
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
  return withStoreFlag(command).action(
    (agent: KnownAgent, args: readonly string[], flags: RunFlags) =>
      runAgent(context, { agent, args }, flags),
  );
}
