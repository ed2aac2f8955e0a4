import { defaultUpstreams } from '../../http/upstreams.ts';
import { parsed, textAt } from '../../json/values.ts';
import { type AgentPlace, type AgentRun, withoutVersion } from './agent.ts';

const configName = 'OPENCODE_CONFIG_CONTENT';

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

export function planOpenCode(base: string, { env }: AgentPlace): AgentRun {
  const before = parsed(env[configName] ?? '{}');
  const own = textAt(before, 'provider', 'anthropic', 'options', 'baseURL');
  const upstreams = own === undefined ? {} : { anthropic: withoutVersion(own) };
  const config = merged(before, {
    provider: { anthropic: { options: { baseURL: `${base}/v1` } } },
  });
  return {
    command: 'opencode',
    args: [],
    env: { [configName]: JSON.stringify(config) },
    upstreams: { ...defaultUpstreams, ...upstreams },
  };
}
