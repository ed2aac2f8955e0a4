import { CtxError } from '@ctx/core';
import { defaultUpstreams } from '../../http/upstreams.ts';
import { textAt } from '../../json/values.ts';
import { type AgentPlace, type AgentRun, given } from './agent.ts';
import { parseWithComments } from './json-with-comments.ts';

const urlName = 'GOOGLE_GEMINI_BASE_URL';
const byKey = 'gemini-api-key';

/** Settings that cannot be read are gemini's to complain about. */
function settingsIn(text: string): unknown {
  try {
    return parseWithComments(text);
  } catch {
    return undefined;
  }
}

export function planGemini(base: string, { env, settings }: AgentPlace): AgentRun {
  const [login = byKey] = settings.flatMap(
    (text) => textAt(settingsIn(text), 'security', 'auth', 'selectedType') ?? [],
  );
  if (login !== byKey) {
    throw new CtxError(
      'CTX_INVALID_INPUT',
      `gemini logs in with ${login}, whose requests do not pass through a proxy; choose an API key in its settings (security.auth.selectedType "${byKey}"), or start gemini without ctx run`,
    );
  }
  const url = given(env[urlName]);
  const upstreams = {
    ...defaultUpstreams,
    ...(url === undefined ? {} : { gemini: new URL(url) }),
  };
  return { command: 'gemini', args: [], env: { [urlName]: base }, upstreams };
}
