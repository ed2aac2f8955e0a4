import { describe, expect, it } from 'vitest';
import { planAgentRun } from './plan-agent-run.ts';

const base = 'http://127.0.0.1:4780/t/token';

function planOf(lines: readonly string[]) {
  const { args, upstreams } = planAgentRun('codex', base, {
    env: {},
    settings: [lines.join('\n')],
    args: [],
  });
  return { setting: args[1], openai: upstreams.openai.href };
}

describe('the plan for Codex', () => {
  it('points its own provider at the proxy, and the proxy where that pointed', () => {
    const setting = `openai_base_url="${base}/v1"`;
    expect(planOf([])).toEqual({ setting, openai: 'https://api.openai.com/' });
    expect(planOf(["openai_base_url = 'https://gateway.example/v1/' # ours"])).toEqual({
      setting,
      openai: 'https://gateway.example/',
    });
  });

  it('points the provider that the configuration names, or its profile', () => {
    const provider = [
      '[model_providers."gate.way"]',
      'base_url = "https://gateway.example/openai"',
    ];
    const inUse = {
      setting: `model_providers.x.base_url="${base}"`,
      openai: 'https://x.example/openai',
    };
    const own = ['[model_providers.x]', 'base_url = "https://x.example/openai"'];
    expect(planOf(['model_provider = "x"', ...provider, ...own])).toEqual(inUse);
    const profile = ['profile = "work"', '[profiles.work]', 'model_provider = "x"'];
    expect(planOf([...profile, ...own])).toEqual(inUse);
  });

  it('says what is missing if the configuration does not tell where requests go', () => {
    expect(() => planOf(['model_provider = "x"'])).toThrow('model_providers.x.base_url');
  });
});

function planOfConfigs(settings: readonly string[], args: readonly string[] = []) {
  const env = { GATEWAY: 'https://gateway.example/v1' };
  const plan = planAgentRun('opencode', base, { env, settings, args });
  const { provider } = JSON.parse(plan.env['OPENCODE_CONFIG_CONTENT'] ?? '') as {
    provider: Record<string, { options: { baseURL: string } }>;
  };
  const pointed = Object.entries(provider).map(([name, one]) => [name, one.options.baseURL]);
  const { anthropic, openai } = plan.upstreams;
  return { pointed: Object.fromEntries(pointed) as object, urls: [anthropic.href, openai.href] };
}

describe('the plan for opencode', () => {
  it('points its own providers at the proxy, and the proxy where those pointed', () => {
    const both = { anthropic: `${base}/v1`, openai: `${base}/v1` };
    const own = ['https://api.anthropic.com/', 'https://api.openai.com/'];
    expect(planOfConfigs([])).toEqual({ pointed: both, urls: own });
    const text = `{ // ours
      "provider": { "openai": { "options": { "baseURL": "{env:GATEWAY}", }, }, /* more */ },
    }`;
    expect(planOfConfigs([text])).toEqual({
      pointed: both,
      urls: [own[0], 'https://gateway.example/'],
    });
  });

  it('points the provider in use, and leaves others that speak the same API alone', () => {
    const options = { baseURL: 'https://acme.example/api/v4' };
    const acme = { npm: '@ai-sdk/openai-compatible', options };
    const config = JSON.stringify({ model: 'acme/large', provider: { acme } });
    const urls = ['https://api.anthropic.com/', 'https://acme.example/api/v4'];
    const pointed = { anthropic: `${base}/v1`, acme: base };
    expect(planOfConfigs([config])).toEqual({ pointed, urls });
    const named = planOfConfigs([config], ['run', '-m', 'openai/gpt-5']);
    expect(named.urls[1]).toBe('https://api.openai.com/');
    expect(Object.keys(named.pointed)).toEqual(['anthropic', 'openai']);
  });

  it('says so if a configuration cannot be read, instead of sending its keys elsewhere', () => {
    expect(() => planOfConfigs(['{ "provider": '])).toThrow('cannot be read');
    const odd = { provider: { openai: { options: { baseURL: '{file:./url}' } } } };
    expect(() => planOfConfigs([JSON.stringify(odd)])).toThrow('{file:./url}');
  });
});

describe('the plan for Gemini CLI', () => {
  const name = 'GOOGLE_GEMINI_BASE_URL';
  const plan = (env: Record<string, string>, ...envFiles: string[]) =>
    planAgentRun('gemini', base, { env, envFiles, settings: [], args: [] });

  it('lets no address of an .env file decide where a key goes', () => {
    const file = `# ours\nGEMINI_API_KEY=k\nexport ${name}="https://gateway.example"\n`;
    expect(() => plan({}, '', file)).toThrow(`set it in the environment of ctx run`);
    const { env, upstreams } = plan({ [name]: 'https://gateway.example' }, file);
    expect([env[name], upstreams.gemini.href]).toEqual([base, 'https://gateway.example/']);
    expect(plan({}, 'GEMINI_API_KEY=k').upstreams.gemini.host).toBe(
      'generativelanguage.googleapis.com',
    );
  });
});

it.each([
  ['claude', 'ANTHROPIC_BASE_URL', 'localhost:4000'],
  ['gemini', 'GOOGLE_GEMINI_BASE_URL', 'nonsense'],
] as const)('names the setting of %s if it is no address', (agent, name, url) => {
  const plan = () => planAgentRun(agent, base, { env: { [name]: url }, settings: [], args: [] });
  expect(plan).toThrow(`${name} must be an address such as https://gateway.example, got ${url}`);
});

it('names the setting of Codex if it is no address', () => {
  expect(() => planOf(['openai_base_url = "gateway/v1"'])).toThrow('openai_base_url must be');
});
