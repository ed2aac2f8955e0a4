import { readFileSync } from 'node:fs';

/** The version of this package, as its manifest says. Reads one small file. */
export function versionOfPackage(): string {
  const place = new URL('../../package.json', import.meta.url);
  const manifest: unknown = JSON.parse(readFileSync(place, 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : 'unknown';
}
