import { parseEnv } from 'node:util';
import { CtxError } from '@ctx/core';
import { defaultUpstreams } from '../../http/upstreams.ts';
import { textAt } from '../../json/values.ts';
import { type AgentPlace, type AgentRun, given, upstreamAt } from './agent.ts';
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

/** An address in a file that a project may bring along must not decide where a key goes: the user has to name it. */
function checkEnvFiles({ env, envFiles = [] }: AgentPlace): void {
  if (given(env[urlName]) !== undefined) return;
  if (!envFiles.some((text) => given(parseEnv(text)[urlName]) !== undefined)) return;
  throw new CtxError(
    'CTX_INVALID_INPUT',
    `${urlName} stands in an .env file, which ctx does not follow; set it in the environment of ctx run, or take it out of the file`,
  );
}

export function planGemini(base: string, place: AgentPlace): AgentRun {
  const { env, settings } = place;
  checkEnvFiles(place);
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
    ...(url === undefined ? {} : { gemini: upstreamAt(urlName, url) }),
  };
  return { command: 'gemini', args: [], env: { [urlName]: base }, upstreams };
}
