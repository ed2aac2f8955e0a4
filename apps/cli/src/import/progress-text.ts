import { bytesText, percentText } from '@ctx/core/encoding';

/** How far the reading of a file is. */
export interface ReadProgress {
  /** Such as `importing 1/3`. */
  readonly label: string;
  readonly path: string;
  readonly bytes: number;
  readonly sizeBytes: number;
  /** Since the reading began, ms. */
  readonly elapsedMs: number;
  /** Width of the terminal. */
  readonly columns: number;
}

/** Below so many columns there is no room for a bar. */
const barFrom = 60;
const barWidth = 20;

/** A line that says how far the reading of a file is, with a bar where there is room; without colours. */
export function progressText(progress: ReadProgress): string {
  const { label, path, bytes, sizeBytes, elapsedMs, columns } = progress;
  const percent = percentText(bytes, sizeBytes);
  if (columns < barFrom) return `${label} ${percent} ${path}`;
  const filled = sizeBytes === 0 ? barWidth : Math.floor((bytes / sizeBytes) * barWidth);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
  const rate = elapsedMs < 1_000 ? '' : ` ${bytesText((bytes / elapsedMs) * 1_000)}/s`;
  return `${label} ${bar} ${percent}${rate} of ${path}`;
}
