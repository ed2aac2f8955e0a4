/** Marks what a proxy sends to another one: that passes it on, since two over one conversation would shape what is shaped. */
export const nestedHeader = 'x-ctx-nested';

/** The path behind the token of a `ctx run` or `ctx proxy`; that of a team's begins with a key, which is longer. */
const behindToken = /^\/t\/[\w-]{24}\//;

/** Whether an address is that of such a proxy: `ctx run` was started in the shell of an agent that runs behind one. */
export function isNested({ pathname }: URL): boolean {
  return behindToken.test(pathname);
}
