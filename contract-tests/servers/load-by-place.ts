/**
 * Loads help that a package has for its own tests: it is no part of what the package offers, and no project may import files of
 * another. `file` is seen from the root.
 */
export async function loadByPlace(file: string): Promise<object> {
  return (await import(new URL(`../../${file}`, import.meta.url).href)) as object;
}
