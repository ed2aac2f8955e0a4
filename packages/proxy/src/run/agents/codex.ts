import { CtxError } from '@ctx/core';
import { defaultUpstreams, type Upstreams } from '../../http/upstreams.ts';
import { type AgentPlace, type AgentRun, isVersioned, withoutVersion } from './agent.ts';
import { tomlTexts } from './toml-texts.ts';

const ownKey = 'openai_base_url';

/** Which setting holds the address that Codex asks, and what stands there. */
function addressOf(settings: ReadonlyMap<string, string>): { key: string; url?: string } {
  const profile = settings.get('profile');
  const inProfile =
    profile === undefined ? undefined : settings.get(`profiles.${profile}.model_provider`);
  const provider = inProfile ?? settings.get('model_provider') ?? 'openai';
  if (provider === 'openai') {
    const url = settings.get(ownKey);
    return url === undefined ? { key: ownKey } : { key: ownKey, url };
  }
  const key = `model_providers.${provider}.base_url`;
  const url = settings.get(key);
  if (url !== undefined) return { key, url };
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `the configuration of codex names the provider ${provider} without a ${key}, so that ctx cannot tell where its requests go; set it, or start codex without ctx run`,
  );
}

export function planCodex(base: string, { settings: [text = ''] }: AgentPlace): AgentRun {
  const { key, url } = addressOf(tomlTexts(text));
  const openai = url === undefined ? defaultUpstreams.openai : withoutVersion(key, url);
  const upstreams: Upstreams = { ...defaultUpstreams, openai };
  return {
    command: 'codex',
    args: [
      '-c',
      `${key}=${JSON.stringify(isVersioned(url) ? `${base}/v1` : base)}`,
      // A login shell sets PATH again, and the command that reads results back would not be found.
      '-c',
      'allow_login_shell=false',
    ],
    env: {},
    upstreams,
  };
}
