import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claudeLog, claudeTurn, codexLine } from '../test-support/agent-logs.ts';
import { makeTestHome } from '../test-support/run-bin.ts';

// A real command is started.
test('the command follows the logs of Claude Code and Codex, sub-agents in their session, and Ctrl-C ends it with everything stored', async () => {
  const home = makeTestHome();
  onTestFinished(home.remove);
  const claude = join(home.folder, 'home/.claude/projects/-p');
  const codex = join(home.folder, 'home/.codex/sessions/2026');
  mkdirSync(claude, { recursive: true });
  mkdirSync(codex, { recursive: true });
  const log = join(claude, 'live.jsonl');
  writeFileSync(log, claudeLog(2));
  const other = claudeLog(1).replaceAll('"live"', '"other"');
  writeFileSync(join(claude, 'other.jsonl'), other);
  mkdirSync(join(claude, 'other/subagents'), { recursive: true });
  writeFileSync(join(claude, 'other/subagents/agent-a1.jsonl'), other);
  const steps: readonly (readonly [string, (stop: () => void) => void])[] = [
    [
      'is current',
      () => {
        appendFileSync(log, claudeTurn(2).slice(0, -20));
      },
    ],
    [
      '+3 messages',
      () => {
        appendFileSync(log, claudeTurn(2).slice(-20));
        const first = codexLine('session_meta', { id: 'rollout', cwd: '/p' });
        const said = {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'go' }],
        };
        writeFileSync(join(codex, 'r.jsonl'), first + codexLine('response_item', said));
      },
    ],
    [
      'rollout',
      (stop) => {
        stop();
      },
    ],
  ];
  let step = 0;
  const run = await home.run(['import', '--watch'], {
    onOutput: (text, kill) => {
      const [sign, act] = steps[step] ?? [];
      if (sign === undefined || !text.includes(sign)) return;
      step += 1;
      act?.(() => {
        kill('SIGINT');
      });
    },
  });
  expect(run.exitCode).toBe(0);
  expect(run.stdout.replaceAll(/ +/g, ' ').split('\n')).toEqual([
    'imported live 8 messages, 2 outputs home/.claude/projects/-p/live.jsonl',
    'imported other 8 messages, 2 outputs home/.claude/projects/-p/other.jsonl',
    'continued live +3 messages, 2 outputs home/.claude/projects/-p/live.jsonl',
    'continued live +1 message, 3 outputs home/.claude/projects/-p/live.jsonl',
    'imported rollout 1 message, 0 outputs home/.codex/sessions/2026/r.jsonl',
    '',
  ]);
  const status = await home.run(['status', 'live', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ log: { events: 12 }, toolCalls: { total: 3 } });
});
