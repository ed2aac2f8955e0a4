import { CtxError } from '@ctx/core';
import { defaultUpstreams, type Upstreams } from '../../http/upstreams.ts';
import { textAt } from '../../json/values.ts';
import { type AgentPlace, type AgentRun, given, isVersioned, withoutVersion } from './agent.ts';
import { parseWithComments } from './json-with-comments.ts';

const configName = 'OPENCODE_CONFIG_CONTENT';

type Env = AgentPlace['env'];

function readConfig(text: string): unknown {
  try {
    return parseWithComments(text);
  } catch (cause) {
    const message =
      'a configuration of opencode cannot be read, so that ctx cannot tell where its requests go; mend it, or start opencode without ctx run';
    throw new CtxError('CTX_INVALID_INPUT', message, { cause });
  }
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

/** The model that the arguments name, as in `-m acme/large`. */
function namedModel(args: readonly string[]): string | undefined {
  const place = args.findIndex((arg) => arg === '-m' || arg === '--model');
  const joined = args.find((arg) => arg.startsWith('--model='));
  return place < 0 ? joined?.slice('--model='.length) : args[place + 1];
}

/** An address with the variables of the environment in their places. */
function resolved(url: string, env: Env): string {
  const text = url.replace(/\{env:(\w+)\}/g, (_, name: string) => env[name] ?? '');
  if (URL.canParse(text)) return text;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `opencode is configured with the address ${url}, which ctx cannot read; write it out, or start opencode without ctx run`,
  );
}

/** Which API the package of a provider speaks. */
function apiOf(provider: string, npm: string | undefined): keyof Upstreams | undefined {
  const name = npm ?? provider;
  if (name === 'anthropic' || name === '@ai-sdk/anthropic') return 'anthropic';
  const isOpenAi = ['openai', '@ai-sdk/openai', '@ai-sdk/openai-compatible'].includes(name);
  return isOpenAi ? 'openai' : undefined;
}

interface Pointed {
  readonly upstreams: Partial<Upstreams>;
  readonly provider: Readonly<Record<string, { options: { baseURL: string } }>>;
}

/** Points a provider of the configuration at the proxy; nothing if its address or its API is unknown. */
function pointed(
  name: string,
  base: string,
  { config, env }: { config: unknown; env: Env },
): Pointed {
  const provider = ['provider', name] as const;
  const api = apiOf(name, textAt(config, ...provider, 'npm'));
  const own = given(textAt(config, ...provider, 'options', 'baseURL'));
  const isOwn = name === 'anthropic' || name === 'openai';
  if (api === undefined || (own === undefined && !isOwn)) return { upstreams: {}, provider: {} };
  const url = own === undefined ? undefined : resolved(own, env);
  const baseURL = isVersioned(url) ? `${base}/v1` : base;
  return {
    upstreams:
      url === undefined ? {} : { [api]: withoutVersion(`provider.${name}.options.baseURL`, url) },
    provider: { [name]: { options: { baseURL } } },
  };
}

export function planOpenCode(base: string, { env, settings, args }: AgentPlace): AgentRun {
  const before = readConfig(given(env[configName]) ?? '{}');
  const config = settings.map(readConfig).reduceRight(merged, {});
  const all = merged(config, before);
  const model = namedModel(args) ?? textAt(all, 'model') ?? '';
  const active = model.includes('/') ? model.slice(0, model.indexOf('/')) : '';
  // The provider in use comes last: of two that speak the same API, the proxy goes where that one points.
  const names = [...new Set(['anthropic', 'openai', active])].filter((name) => name !== active);
  const wanted = [...names, active].map((name) => ({
    name,
    ...pointed(name, base, { config: all, env }),
  }));
  const taken = apiOf(active, textAt(all, 'provider', active, 'npm'));
  const kept = wanted.filter(({ name }) => name === active || name !== taken);
  const provider = Object.assign({}, ...kept.map((one) => one.provider)) as Pointed['provider'];
  const upstreams = Object.assign({}, ...kept.map((one) => one.upstreams)) as Partial<Upstreams>;
  return {
    command: 'opencode',
    args: [],
    env: { [configName]: JSON.stringify(merged(before, { provider })) },
    upstreams: { ...defaultUpstreams, ...upstreams },
  };
}
