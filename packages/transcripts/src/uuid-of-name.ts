import { fingerprintText } from '@ctx/core/encoding';

/** An id in the form of a UUID, the same for the same name and no other. */
export function uuidOfName(name: string): string {
  const hex = fingerprintText(name);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}
