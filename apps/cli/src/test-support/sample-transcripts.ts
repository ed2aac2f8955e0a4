import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A fresh folder that is gone when the test is over. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-cli-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Lines of a file that a tool might have read. */
export function sourceLines(count: number, word = 'line'): string {
  return Array.from(
    { length: count },
    (_, index) => `${word} ${String(index + 1)} of the file`,
  ).join('\n');
}

/** A small conversation in Anthropic form: a task, a read with `result`, an answer. */
export function anthropicSession(id: string, result: string = sourceLines(40)): unknown {
  return {
    id,
    system: 'You are careful.',
    messages: [
      { role: 'user', content: 'Please fix the bug in parser.ts.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look at the file.' },
          { type: 'tool_use', id: 'call-1', name: 'Read', input: { file_path: 'src/parser.ts' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: result }] },
      { role: 'assistant', content: [{ type: 'text', text: 'It was line 3.' }] },
    ],
  };
}

/** A long conversation: `turns` calls of a shell with `lines` lines each. */
export function longSession(id: string, turns: number, lines = 60): unknown {
  const messages: unknown[] = [{ role: 'user', content: 'Find the slow test and make it fast.' }];
  for (let turn = 0; turn < turns; turn += 1) {
    const callId = `call-${String(turn)}`;
    const input = { command: `npm test -- part-${String(turn)} | tee log` };
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id: callId, name: 'Bash', input }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: callId,
            content: sourceLines(lines, `part ${String(turn)} row`),
          },
        ],
      },
    );
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] });
  return { id, messages };
}

/** A log of a service with one error in its midst. */
export function serviceLog(lines: number): string {
  const half = Math.floor(lines / 2);
  return Array.from({ length: lines }, (_, index) => {
    const what =
      index === half
        ? 'ERROR payment req-77ab41 was refused'
        : `INFO served request ${String(index)}`;
    return `2026-03-01T10:00:00Z ${what} of worker ${String(index % 7)}\n`;
  }).join('');
}

/** Writes JSON and gives the path. */
export function writeJsonFile(folder: string, name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}
