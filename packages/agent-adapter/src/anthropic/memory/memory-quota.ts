import { CtxError } from '@ctx/core';
import { bytesOfFiles, type MemoryFileChange, type MemoryUse } from './memory-files.ts';
import type { MemoryPolicy } from './memory-policy.ts';

/** How much there is after a change. */
export function useAfter(use: MemoryUse, changed: readonly MemoryFileChange[]): MemoryUse {
  const after = { ...use, changes: use.changes + changed.length };
  for (const { text, before } of changed) {
    after.files += Number(text !== undefined) - Number(before !== undefined);
    after.bytes += (text === undefined ? 0 : bytesOfFiles(text)) - (before?.bytes ?? 0);
  }
  return after;
}

/** @throws `CTX_STORE_FULL` where a change makes more than is allowed; one that takes away is always taken. */
export function checkQuota(after: MemoryUse, before: MemoryUse, policy: MemoryPolicy): void {
  const { maxFiles, maxBytes } = policy;
  if (after.files > maxFiles && after.files > before.files) {
    const most = String(maxFiles);
    throw new CtxError('CTX_STORE_FULL', `The memory may hold ${most} files. Delete some first`);
  }
  if (after.bytes > maxBytes && after.bytes > before.bytes) {
    const sizes = `${String(after.bytes)} bytes, and ${String(maxBytes)} are allowed`;
    throw new CtxError('CTX_STORE_FULL', `The memory would hold ${sizes}. Delete some files first`);
  }
}

/** @throws `CTX_TOO_LARGE` for a file that grows over the limit. */
export function checkSizes(
  changed: readonly MemoryFileChange[],
  { maxFileBytes }: MemoryPolicy,
): void {
  for (const { path, text, before } of changed) {
    const bytes = text === undefined ? 0 : bytesOfFiles(text);
    if (bytes <= maxFileBytes || bytes <= (before?.bytes ?? 0)) continue;
    const sizes = `${String(bytes)} bytes, and ${String(maxFileBytes)} are allowed`;
    throw new CtxError('CTX_TOO_LARGE', `${path} would have ${sizes}. Split it into several files`);
  }
}
