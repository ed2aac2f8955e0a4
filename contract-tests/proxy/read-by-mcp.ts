import { expect } from 'vitest';
import { type Answer, type Body, isList } from './apis/scripted-api.ts';
import { type ClientPlace, lastHolds } from './real-client.ts';
import type { Turn } from './scripted-provider.ts';

/** A program that serves the store to a client: `ctx` as `ctx run` puts it on the path. */
export const mcpServer = { command: 'sh', args: ['-c', 'exec ctx mcp'] } as const;

const found = 'step 150 of the build';

/** Most requests in which the tool is waited for: no client waits for its servers, and a busy machine starts them late. */
const patience = 10;

/** The tool of the server, as the client offers it. */
function toolIn({
  tools,
}: Body): { readonly tool: string; readonly namespace?: string } | undefined {
  for (const one of isList(tools) ? tools : []) {
    const text = JSON.stringify(one);
    const [, tool] = /"name":"([\w-]*ctx_read_output)"/.exec(text) ?? [];
    if (tool === undefined) continue;
    const [, namespace] = /"name":"(mcp__[\w-]+)","description"/.exec(text) ?? [];
    return namespace === undefined || namespace === tool ? { tool } : { tool, namespace };
  }
  return undefined;
}

/**
 * A model that reads a long result back with the tool of the server, by the name that the client gives it, and ends when it has the line. Until
 * then it runs `shell`. `build`: a call that returns the result.
 */
export function readByMcpScript(build: Turn, shell: (command: string) => Answer): readonly Turn[] {
  const readBack: Turn = (body) => {
    const text = JSON.stringify(body);
    if (text.includes(found)) return { text: 'All chores are done.' };
    const tool = toolIn(body);
    const [pointer = ''] = /ctx:\/\/outputs\/[\w-]+/.exec(text) ?? [];
    if (tool === undefined) return shell('sleep 2');
    return { ...tool, input: { pointer, pattern: 'step 150 ' } };
  };
  return [build, ...Array.from({ length: patience }, () => readBack)];
}

/** Runs the client with the server of ctx: its model gets the line that it looks for, and no more of the result. */
export async function expectReadByMcp(place: ClientPlace): Promise<void> {
  const run = await place.runWithCtx();
  expect([run.exitCode, place.provider.refused]).toEqual([0, []]);
  expect(run.stdout).toContain('All chores are done.');
  expect(lastHolds(place, found)).toBe(true);
  expect(lastHolds(place, 'step 200 of the build')).toBe(false);
}
