import { defaultUpstreams } from '../../http/upstreams.ts';
import { parsed, textAt } from '../../json/values.ts';
import { type AgentPlace, type AgentRun, given, upstreamAt } from './agent.ts';

const urlName = 'ANTHROPIC_BASE_URL';

export function planClaude(base: string, { env, settings }: AgentPlace): AgentRun {
  const named = settings
    .map((text) => given(textAt(parsed(text), 'env', urlName)))
    .find((url) => url !== undefined);
  const url = named ?? given(env[urlName]);
  const upstreams = {
    ...defaultUpstreams,
    ...(url === undefined ? {} : { anthropic: upstreamAt(urlName, url) }),
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
