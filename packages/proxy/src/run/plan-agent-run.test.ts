import { describe, expect, it } from 'vitest';
import { planAgentRun } from './plan-agent-run.ts';

const base = 'http://127.0.0.1:4780/t/token';

function planOf(lines: readonly string[]) {
  const { args, upstreams } = planAgentRun('codex', base, {
    env: {},
    settings: [lines.join('\n')],
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
