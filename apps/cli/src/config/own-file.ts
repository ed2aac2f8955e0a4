/** Returns the address of a file of this package, from its sources and from its bundles alike: both lie two folders below the package. */
export function ownFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
