import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isCtxError } from '@ctx/core';
import type { CliHost } from '../cli-host.ts';

/** Size at which the log begins anew; the one before is kept. */
const maxLogBytes = 1024 * 1024;

/** What failed, without a word of what was being handled: messages of ctx hold ids and paths only, those of others anything. */
function lineOf(event: string, error: unknown, at: number): string {
  const told = isCtxError(error)
    ? { code: error.code, message: error.message }
    : { code: 'UNEXPECTED', message: error instanceof Error ? error.name : typeof error };
  return `${JSON.stringify({ at: new Date(at).toISOString(), event, ...told })}\n`;
}

/** Where failures of hooks are written. */
export async function hookLogPath(host: Pick<CliHost, 'folders'>): Promise<string> {
  return join((await host.folders()).data, 'hook.log');
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Writes down that a hook failed. Never throws, and says nothing on standard output or error: the agent would read it. With
 * CTX_DEBUG the stack goes to standard error.
 */
export async function logHookFailure(host: CliHost, event: string, error: unknown): Promise<void> {
  try {
    const path = await hookLogPath(host);
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    if (sizeOf(path) > maxLogBytes) renameSync(path, `${path}.1`);
    appendFileSync(path, lineOf(event, error, Date.now()), { mode: 0o600 });
  } catch {
    // Nobody is there to be told.
  }
  if (host.env['CTX_DEBUG'] !== undefined && error instanceof Error) {
    await host.err.write(`${error.stack ?? error.name}\n`);
  }
}
