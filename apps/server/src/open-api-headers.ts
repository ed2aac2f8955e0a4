type Json = Readonly<Record<string, unknown>>;

const text = (description: string) => ({ type: 'string', description });

const taken = {
  'If-Match': text('The ETag that is changed; 428 without it, 412 where it is another one'),
  'If-None-Match': text('ETags that you have; 304 where one is the present one'),
  'Idempotency-Key': text('A name of 1 to 200 visible characters, kept for 24 hours'),
  'Last-Event-ID': text('The last event you have: goes before since. Server-sent events only'),
} as const;

type Taken = keyof typeof taken;

/** What else an operation takes, and whose answers carry an ETag. */
const tagged: Readonly<Record<string, readonly Taken[]>> = {
  'GET /v1/sessions/:session': ['If-None-Match'],
  'PUT /v1/sessions/:session': ['If-Match', 'If-None-Match'],
  'PATCH /v1/sessions/:session': ['If-Match'],
  'POST /v1/sessions/:session/messages': [],
  'GET /v1/sessions/:session/facts': ['If-None-Match'],
  'POST /v1/sessions/:session/facts': [],
  'GET /v1/sessions/:session/tasks': ['If-None-Match'],
  'PUT /v1/sessions/:session/tasks/:task': [],
  'POST /v1/sessions/:session/compactions/:compaction/undo': [],
  'POST /v1/agents/:agent/items': [],
  'GET /v1/agents/:agent/items/:item': ['If-None-Match'],
  'PATCH /v1/agents/:agent/items/:item': ['If-Match'],
  'POST /v1/outputs': [],
  'GET /v1/outputs/:output': ['If-None-Match'],
  'GET /v1/outputs/:output/text': ['If-None-Match'],
};

const untagged: Readonly<Record<string, readonly Taken[]>> = {
  'DELETE /v1/agents/:agent/items/:item': ['If-Match'],
  'GET /v1/live': ['Last-Event-ID'],
};

function withTag(response: unknown): Json {
  const headers = { ETag: text('The version, for conditions') };
  if (typeof response !== 'object' || response === null) return {};
  const answers: [string, unknown][] = Object.entries(response);
  return Object.fromEntries(
    answers.map(([status, answer]) => [
      status,
      typeof answer === 'object' ? { ...answer, headers } : answer,
    ]),
  );
}

/** A schema of the document with the headers that its operation takes and answers. */
export function withHeaders(schema: Json, method: string, url: string): Json {
  const name = `${method} ${url}`;
  const names = [...(tagged[name] ?? untagged[name] ?? [])];
  if (method === 'POST') names.push('Idempotency-Key');
  const properties = Object.fromEntries(names.map((one) => [one, taken[one]]));
  const headers = names.length === 0 ? {} : { headers: { type: 'object', properties } };
  const response = tagged[name] === undefined ? {} : { response: withTag(schema['response']) };
  return { ...schema, ...headers, ...response };
}
