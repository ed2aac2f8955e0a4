import type { Json } from './wire.ts';

/** The data of one event: what stands after `data:` in its lines. */
function dataOf(event: string): string {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).trim()).join('\n');
}

function parsed(event: string): Json | undefined {
  const data = dataOf(event);
  // OpenAI says at the end that it is the end.
  return data === '' || data === '[DONE]' ? undefined : (JSON.parse(data) as Json);
}

/** Reads server-sent events of JSON. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Json> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true }).replaceAll('\r', '');
    const events = rest.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const json = parsed(event);
      if (json !== undefined) yield json;
    }
  }
  const last = parsed(rest);
  if (last !== undefined) yield last;
}

/** Writes one. Events of Anthropic and of OpenAI's Responses bear their type as a name, too. */
export function eventText(event: Json): string {
  const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
