/**
 * One spelling for each path: `./a`, `a//b`, `a\b` and a slash at the end are the same as without, `c:/a` is `C:/a`.
 * `..` is left alone, since links may lead elsewhere. Pure, any character allowed. Takes linear time.
 */
export function normalPath(path: string, options: { readonly ignoreCase?: boolean } = {}): string {
  const slashed = path.trim().replaceAll('\\', '/');
  const parts = slashed.split('/').filter((part) => part !== '' && part !== '.');
  const joined =
    (slashed.startsWith('/') ? '/' : '') + parts.join('/').replace(/^[a-z]:(?=\/|$)/, upper);
  return options.ignoreCase === true ? joined.toLowerCase() : joined;
}

const upper = (text: string): string => text.toUpperCase();
