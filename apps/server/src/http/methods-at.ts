import type { App } from '../app.ts';

/** Whether a path is one that an address means, where `:name` stands for any part and a last `*` for all that follows. */
function isAt(path: readonly string[], address: readonly string[]): boolean {
  const isTree = address.at(-1) === '*';
  const parts = isTree ? address.slice(0, -1) : address;
  if (isTree ? path.length <= parts.length : path.length !== parts.length) return false;
  return parts.every((part, index) => {
    const given = path[index];
    return part.startsWith(':') ? given !== '' : given === part;
  });
}

/**
 * Notes the routes that are added from now on. Gives what tells which methods the path of a URL takes, in the order of the alphabet.
 * Looks once at each address; it is asked only where no route was found.
 */
export function noteMethods(app: App): (url: string) => readonly string[] {
  const known: { readonly methods: readonly string[]; readonly address: readonly string[] }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    known.push({ methods: [method].flat(), address: url.split('/') });
  });
  return (url) => {
    const [path = ''] = url.split('?', 1);
    const parts = path.split('/');
    const found = known.filter(({ address }) => isAt(parts, address));
    return [...new Set(found.flatMap(({ methods }) => methods))].sort();
  };
}
