import type * as nodeModules from 'node:module';
import type * as zlib from 'node:zlib';

interface NodeModules {
  readonly 'node:module': typeof nodeModules;
  readonly 'node:zlib': typeof zlib;
}

/**
 * Returns a module of Node, or `undefined` on another host. It is not imported, so that a bundle for browsers does not
 * contain it.
 */
export function nodeModule<Name extends keyof NodeModules>(
  name: Name,
): NodeModules[Name] | undefined {
  const host: { process?: { getBuiltinModule?: (id: Name) => NodeModules[Name] } } = globalThis;
  return host.process?.getBuiltinModule?.(name);
}
