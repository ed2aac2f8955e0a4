import { defaultUpstreams, type Upstreams } from '../http/upstreams.ts';
import { parsed, textAt } from '../json/values.ts';

/** The agents whose settings are known. */
export const knownAgents = ['claude', 'opencode'] as const;

export type KnownAgent = (typeof knownAgents)[number];

/** What is known of the user's machine. */
export interface AgentPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The texts of the agent's own settings files, those that count most first. */
  readonly settings: readonly string[];
}

/** How an agent is started so that it asks the proxy. No file changes. */
export interface AgentRun {
  readonly command: string;
  /** Before the user's own arguments. */
  readonly args: readonly string[];
  /** Beside the environment as it is. */
  readonly env: Readonly<Record<string, string>>;
  /** Where its requests would have gone. */
  readonly upstreams: Upstreams;
}

const urlName = 'ANTHROPIC_BASE_URL';

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

function withoutVersion(url: string): URL {
  return new URL(url.replace(/\/v1\/?$/, ''));
}

function planClaude(base: string, { env, settings }: AgentPlace): AgentRun {
  const named = settings
    .map((text) => given(textAt(parsed(text), 'env', urlName)))
    .find((url) => url !== undefined);
  const url = named ?? given(env[urlName]);
  const upstreams = {
    ...defaultUpstreams,
    ...(url === undefined ? {} : { anthropic: new URL(url) }),
  };
  const isOwn = upstreams.anthropic.host === defaultUpstreams.anthropic.host;
  // Off for any other address, which costs 8,800 tokens of tools in each request; other providers refuse it.
  const search = isOwn && given(env['ENABLE_TOOL_SEARCH']) === undefined;
  const override = JSON.stringify({ env: { [urlName]: base } });
  return {
    command: 'claude',
    // Settings beat the environment.
    args: named === undefined ? [] : ['--settings', override],
    env: { [urlName]: base, ...(search ? { ENABLE_TOOL_SEARCH: 'true' } : {}) },
    upstreams,
  };
}

const openCodeName = 'OPENCODE_CONFIG_CONTENT';

function planOpenCode(base: string, { env }: AgentPlace): AgentRun {
  const before = parsed(env[openCodeName] ?? '{}');
  const own = textAt(before, 'provider', 'anthropic', 'options', 'baseURL');
  const upstreams = own === undefined ? {} : { anthropic: withoutVersion(own) };
  const config = merged(before, {
    provider: { anthropic: { options: { baseURL: `${base}/v1` } } },
  });
  return {
    command: 'opencode',
    args: [],
    env: { [openCodeName]: JSON.stringify(config) },
    upstreams: { ...defaultUpstreams, ...upstreams },
  };
}

/** An object with the members of another put over its own, at every depth. */
function merged(under: unknown, over: unknown): unknown {
  const isBoth = [under, over].every((one) => typeof one === 'object' && one !== null);
  if (!isBoth) return over;
  const entries = Object.entries({ ...(under as object), ...(over as object) }); // Both are objects.
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const [a, b]: unknown[] = [under, over].map(
        (one) => Reflect.get(one as object, name) as unknown,
      );
      return [name, a !== undefined && b !== undefined ? merged(a, b) : value];
    }),
  );
}

/** Says how an agent is started in front of a proxy. `base`: the proxy's address with its token. */
export function planAgentRun(agent: KnownAgent, base: string, place: AgentPlace): AgentRun {
  return agent === 'claude' ? planClaude(base, place) : planOpenCode(base, place);
}
