import { problemOf } from '../../packages/proxy/src/test-support/judge-anthropic.ts';
import { anthropicApi } from './apis/anthropic.ts';
import { clientsFolder } from './clients.ts';
import type { RealClient } from './real-client.ts';
import type { Turn } from './scripted-provider.ts';

export const folder = clientsFolder('claude');
export const dummyKey = 'sk-ant-api03-dummy-key-of-a-test';

export const flags = ['--model', 'claude-sonnet-4-5', '--dangerously-skip-permissions'];

/** Claude Code with a model that follows these turns, by default with a key and no login. */
export function claude(
  script: readonly Turn[],
  keys: RealClient['env'] = { ANTHROPIC_API_KEY: dummyKey },
): RealClient {
  return {
    command: 'claude',
    folder: folder ?? '',
    api: anthropicApi,
    judge: (body) => problemOf(body, new Set()),
    script,
    args: ['-p', 'Do the chores.', ...flags],
    env: {
      ...keys,
      IS_SANDBOX: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    pointAt: (url) => ({ ANTHROPIC_BASE_URL: url }),
  };
}
