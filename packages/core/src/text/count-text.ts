/** A count with thousands separated, the same in every locale. */
export function countText(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes for people: `12.3 KB` (1 KB is 1,024 bytes). */
export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${String(size)} B` : `${size.toFixed(1)} ${units[unit] ?? ''}`;
}

/** A share in percent with one decimal; `–` where there was nothing to share. */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** A moment as ISO text to the second, UTC. */
export function timeText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '–' : `${date.toISOString().slice(0, 19)}Z`;
}

/** `1 session`, `2 sessions`. */
export function countedText(count: number, one: string, many: string = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** Counts by kind in one line, in words that fit any number: `a (3), b (1)`; `none` where there are none. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([kind, count]) => `${kind} (${countText(count)})`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
