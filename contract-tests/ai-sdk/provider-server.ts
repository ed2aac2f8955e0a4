import { createServer, type Server } from 'node:http';
import { type ScriptedStep, wires } from './provider-wires.ts';

/** A server on loopback that speaks the protocols of the providers, and refuses what they refuse. */
export interface ProviderServer extends AsyncDisposable {
  readonly url: string;
  /** Tokens of each request that was answered. */
  readonly sizes: readonly number[];
  /** The bodies of these requests. */
  readonly requests: readonly string[];
  /** Why requests were refused. */
  readonly refusals: readonly string[];
}

/** What the model says: step after step, or by the text of the request. */
export type Script = readonly ScriptedStep[] | ((request: string, count: number) => ScriptedStep);

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://127.0.0.1:${String(port)}`;
}

/** Starts one whose model follows a script: step after step, one for each request. */
export async function startProvider(
  script: Script,
  { windowTokens, countTokens }: { windowTokens: number; countTokens: (text: string) => number },
): Promise<ProviderServer> {
  const sizes: number[] = [];
  const refusals: string[] = [];
  const requests: string[] = [];
  const answerTo = (url: string, text: string): { status: number; body: object } => {
    const wire = Object.entries(wires).find(([end]) => url.endsWith(end))?.[1];
    const tokens = countTokens(text);
    const problems = [
      ...(wire?.problems(JSON.parse(text) as never) ?? [`there is no ${url}`]),
      ...(tokens > windowTokens ? [`the prompt is too long: ${String(tokens)} tokens`] : []),
    ];
    refusals.push(...problems);
    const message = problems.join('; ');
    if (wire === undefined || message !== '') return { status: 400, body: { error: { message } } };
    sizes.push(tokens);
    requests.push(text);
    const said =
      typeof script === 'function' ? script(text, sizes.length) : script[sizes.length - 1];
    const step = said ?? { text: 'done', calls: [] };
    return { status: 200, body: wire.answer(step, tokens, sizes.length) };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body } = answerTo(request.url ?? '', Buffer.concat(chunks).toString());
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  const url = await listening(server);
  return {
    url,
    sizes,
    refusals,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
