import { createServer, type Server, type ServerResponse } from 'node:http';
import { type ScriptedStep, type Wire, wires } from './provider-wires.ts';

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

function stepOf(script: Script, request: string, count: number): ScriptedStep {
  const said = typeof script === 'function' ? script(request, count) : script[count - 1];
  return said ?? { text: 'done', calls: [] };
}

/** As one body, or as events where the request asks for them. */
function shaped(wire: Wire, request: string, body: object): object | string {
  const isAsked = (JSON.parse(request) as { readonly stream?: boolean }).stream === true;
  return isAsked || wire.isStreamed === true ? (wire.events?.(body as never) ?? body) : body;
}

/** What the server answers with. */
interface Answer {
  readonly status: number;
  readonly body: object | string;
  readonly silentAfter?: string | undefined;
}

function send(response: ServerResponse, { status, body, silentAfter }: Answer): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/event-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type });
  const text = isText ? body : JSON.stringify(body);
  if (silentAfter === undefined) response.end(text);
  else response.write(text.slice(0, text.indexOf('\n\n', text.indexOf(silentAfter)) + 2));
}

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
  const answerTo = (url: string, text: string): Answer => {
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
    const step = stepOf(script, text, sizes.length);
    const body = shaped(wire, text, wire.answer(step, tokens, sizes.length));
    return { status: 200, body, silentAfter: step.silentAfter };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      send(response, answerTo(request.url ?? '', Buffer.concat(chunks).toString()));
    });
  });
  // A host that pauses may use its connection again.
  server.keepAliveTimeout = 120_000;
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
