import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentPlace, KnownAgent } from './agents/agent.ts';

/** Where an agent is started, and by whom. */
export interface AgentStart extends Pick<AgentPlace, 'env' | 'args'> {
  readonly cwd: string;
  readonly home: string;
}

/** Returns a folder and those that hold it, the innermost first. */
function foldersUp(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUp(above)];
}

function openCodeFiles({ cwd, env, home }: AgentStart): string[] {
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

/** The settings files of each agent, those that count most first. */
const settingsFiles: Readonly<Record<KnownAgent, (start: AgentStart) => string[]>> = {
  claude: ({ cwd, env, home }) => [
    join(cwd, '.claude', 'settings.local.json'),
    join(cwd, '.claude', 'settings.json'),
    join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'settings.json'),
  ],
  codex: ({ env, home }) => [join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml')],
  gemini: ({ cwd, home }) => [cwd, home].map((folder) => join(folder, '.gemini', 'settings.json')),
  opencode: openCodeFiles,
};

/** The `.env` files that an agent may load. */
function envFilesOf(agent: KnownAgent, { cwd, home }: AgentStart): string[] {
  if (agent !== 'gemini') return [];
  const folders = [...foldersUp(cwd), home];
  return folders.flatMap((folder) => [join(folder, '.gemini', '.env'), join(folder, '.env')]);
}

/** Returns the texts of those files that can be read. */
async function textsOf(files: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(
    files.map((file) => readFile(file, 'utf8').catch(() => undefined)),
  );
  return texts.filter((text) => text !== undefined);
}

/** Reads what the plan of an agent's run looks at. */
export async function readAgentPlace(agent: KnownAgent, start: AgentStart): Promise<AgentPlace> {
  const { env, args } = start;
  return {
    env,
    args,
    settings: await textsOf(settingsFiles[agent](start)),
    envFiles: await textsOf(envFilesOf(agent, start)),
  };
}
