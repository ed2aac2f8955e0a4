import { at, type RunningServer } from './start-server.ts';

/** One operation of the OpenAPI document. */
export interface DocumentedRoute {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** Scope that it needs; undefined where it is open. */
  readonly scope: string | undefined;
  readonly hasBody: boolean;
  readonly requiredQuery: readonly string[];
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function requiredQueryOf(operation: unknown): string[] {
  return entriesOf(at(operation, 'parameters')).flatMap(([, parameter]) => {
    const isRequired = at(parameter, 'in') === 'query' && at(parameter, 'required') === true;
    return isRequired ? [String(at(parameter, 'name'))] : [];
  });
}

/** Every operation that the server's own document names. */
export async function routesOf(
  server: Pick<RunningServer, 'call' | 'key'>,
): Promise<readonly DocumentedRoute[]> {
  const { json } = await server.call('/openapi.json', { key: await server.key('read') });
  return entriesOf(at(json, 'paths')).flatMap(([path, operations]) =>
    entriesOf(operations).map(([method, operation]): DocumentedRoute => {
      const scope = at(operation, 'security.0.key.0');
      return {
        method: method.toUpperCase(),
        path,
        scope: typeof scope === 'string' ? scope : undefined,
        hasBody: at(operation, 'requestBody') !== undefined,
        requiredQuery: requiredQueryOf(operation),
      };
    }),
  );
}

/** The address of a route: parameters filled in, and the query that it needs. */
export function addressOf(
  { path, requiredQuery }: DocumentedRoute,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'unknown');
  const query = requiredQuery.map((name) => `${name}=${values[name] ?? 'word'}`).join('&');
  return query === '' ? filled : `${filled}?${query}`;
}
