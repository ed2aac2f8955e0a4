import type { AgentPlace, AgentRun } from './agents/agent.ts';
import { planClaude } from './agents/claude.ts';
import { planCodex } from './agents/codex.ts';
import { planGemini } from './agents/gemini.ts';
import { planOpenCode } from './agents/opencode.ts';

/** The agents whose settings are known. */
export const knownAgents = ['claude', 'codex', 'opencode', 'gemini'] as const;

export type KnownAgent = (typeof knownAgents)[number];

const plans: Readonly<Record<KnownAgent, (base: string, place: AgentPlace) => AgentRun>> = {
  claude: planClaude,
  codex: planCodex,
  opencode: planOpenCode,
  gemini: planGemini,
};

/**
 * Says how an agent is started in front of a proxy. `base`: the proxy's address with its token.
 * @throws CtxError `CTX_INVALID_INPUT` if its settings do not tell where its requests go.
 */
export function planAgentRun(agent: KnownAgent, base: string, place: AgentPlace): AgentRun {
  return plans[agent](base, place);
}
