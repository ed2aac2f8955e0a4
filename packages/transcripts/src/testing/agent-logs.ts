/** One line of a Claude Code log. */
function line(uuid: string, parent: string | null, rest: object): string {
  const common = { uuid, parentUuid: parent, sessionId: 'live', isSidechain: false, cwd: '/p' };
  const timestamp = '2026-03-01T10:00:00.000Z';
  return `${JSON.stringify({ ...common, timestamp, version: '2.1.0', ...rest })}\n`;
}

/** The lines of one turn of Claude Code: a prompt, a response of two lines, its result. */
export function claudeTurn(turn: number, output = `result ${String(turn)}`): string {
  const [prompt, text, call, result] = ['p', 't', 'c', 'r'].map((sign) => `${sign}${String(turn)}`);
  const usage = { input_tokens: 10, output_tokens: 5 };
  const response = (block: object): object => ({
    type: 'assistant',
    message: { id: `m${String(turn)}`, role: 'assistant', model: 'm', content: [block], usage },
  });
  const toolCall = {
    type: 'tool_use',
    id: `call${String(turn)}`,
    name: 'Bash',
    input: { n: turn },
  };
  const answer = { type: 'tool_result', tool_use_id: `call${String(turn)}`, content: output };
  const before = turn === 0 ? null : `r${String(turn - 1)}`;
  return [
    line(prompt ?? '', before, {
      type: 'user',
      message: { role: 'user', content: `do ${String(turn)}` },
    }),
    line(text ?? '', prompt ?? '', response({ type: 'text', text: `I do ${String(turn)}` })),
    line(call ?? '', text ?? '', response(toolCall)),
    line(result ?? '', call ?? '', { type: 'user', message: { role: 'user', content: [answer] } }),
  ].join('');
}

/** So many turns. */
export function claudeLog(turns: number): string {
  return Array.from({ length: turns }, (_, turn) => claudeTurn(turn)).join('');
}

/** A line of a rollout of Codex. */
export function codexLine(type: string, payload: object): string {
  return `${JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type, payload })}\n`;
}
