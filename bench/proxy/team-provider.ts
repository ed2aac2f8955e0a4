import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/** What reached the provider of one conversation. */
export interface Arrived {
  /** Hash of each block of the newest request, without marks for the cache. */
  readonly blocks: readonly string[];
  readonly requests: number;
  /** How often a request did not begin with the one before. */
  readonly changes: number;
  /** Requests with a call that has no result, or a result that has no call. */
  readonly unpaired: number;
  readonly bytes: number;
}

/** A provider on loopback that speaks Anthropic's API. */
export interface TeamProvider {
  readonly url: string;
  /** By the name that the client gives its conversation. */
  readonly arrived: ReadonlyMap<string, Arrived>;
  /** When the whole of a request was here, by the request's own name. */
  readonly times: ReadonlyMap<string, number>;
  readonly close: () => void;
}

interface GivenBlock {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

interface GivenMessage {
  readonly role: string;
  readonly content: string | readonly GivenBlock[];
}

const usage = { input_tokens: 10, output_tokens: 1 };
const events = [
  { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Next.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];
const answer = events
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

function blocksOf({ content }: GivenMessage): readonly GivenBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content } as GivenBlock] : content;
}

function hashesOf(messages: readonly GivenMessage[]): string[] {
  const withoutMarks = (name: string, value: unknown): unknown =>
    name === 'cache_control' ? undefined : value;
  return messages.flatMap((message) =>
    blocksOf(message).map((block) =>
      createHash('md5')
        .update(JSON.stringify([message.role, block], withoutMarks))
        .digest('base64'),
    ),
  );
}

/** Whether each call is answered in the message behind it, and nothing else is answered there. */
function arePaired(messages: readonly GivenMessage[]): boolean {
  let open: readonly (string | undefined)[] = [];
  return messages.every((message) => {
    const blocks = blocksOf(message);
    const answered = blocks.flatMap(({ tool_use_id: id }) => id ?? []);
    const isRight = answered.length === open.length && answered.every((id) => open.includes(id));
    open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    return isRight;
  });
}

const nothing: Arrived = { blocks: [], requests: 0, changes: 0, unpaired: 0, bytes: 0 };

function take(arrived: Map<string, Arrived>, name: string, body: string): void {
  const { messages } = JSON.parse(body) as { readonly messages: readonly GivenMessage[] };
  const blocks = hashesOf(messages);
  const before = arrived.get(name) ?? nothing;
  const isSame = before.blocks.every((block, at) => block === blocks[at]);
  arrived.set(name, {
    blocks,
    requests: before.requests + 1,
    changes: before.changes + (isSame ? 0 : 1),
    unpaired: before.unpaired + (arePaired(messages) ? 0 : 1),
    bytes: before.bytes + body.length,
  });
}

/** Starts the provider. It looks at a request behind its answer, so that looking delays none. */
export async function startProvider(): Promise<TeamProvider> {
  const arrived = new Map<string, Arrived>();
  const times = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      times.set(String(request.headers['x-request-name']), performance.now());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer);
      if (request.url?.startsWith('/direct') === true) return;
      take(
        arrived,
        String(request.headers['x-claude-code-session-id']),
        String(Buffer.concat(chunks)),
      );
    });
    request.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${String(port)}`, arrived, times, close };
}
