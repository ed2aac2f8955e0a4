import { type AgentStart, readAgentPlace } from './agent-files.ts';
import type { AgentPlace, AgentRun, KnownAgent } from './agents/agent.ts';
import { planClaude } from './agents/claude.ts';
import { planCodex } from './agents/codex.ts';
import { planGemini } from './agents/gemini.ts';
import { planOpenCode } from './agents/opencode.ts';

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

/** Reads the settings of an agent and says how it is started in front of a proxy, as {@link planAgentRun} does. */
export async function prepareAgentRun(
  agent: KnownAgent,
  base: string,
  start: AgentStart,
): Promise<AgentRun> {
  return planAgentRun(agent, base, await readAgentPlace(agent, start));
}
