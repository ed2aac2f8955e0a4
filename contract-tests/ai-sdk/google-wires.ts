import { type Said, type Wire, written } from './wire.ts';

interface Content {
  readonly role: string;
  readonly parts: readonly {
    readonly text?: string;
    readonly functionCall?: { readonly name: string };
    readonly functionResponse?: { readonly name: string };
  }[];
}

function namesOf({ parts }: Content, kind: 'functionCall' | 'functionResponse'): string {
  return parts
    .flatMap((part) => part[kind]?.name ?? [])
    .toSorted()
    .join();
}

function problemsOfContents({ contents }: { readonly contents: readonly Content[] }): string[] {
  const first = contents[0]?.role === 'user' ? [] : ['the first content is not of the user'];
  const found = contents.flatMap((content, at) => {
    const before = contents[at - 1];
    const called = before === undefined ? '' : namesOf(before, 'functionCall');
    const isAnswered = namesOf(content, 'functionResponse') === called;
    return [
      ...(isAnswered ? [] : ['function response parts do not equal function call parts']),
      ...(content.parts.length === 0 ? ['contents.parts must not be empty'] : []),
      ...(content.parts.some(({ text }) => text === '') ? ['an empty text parameter'] : []),
      ...(before?.role === content.role && called !== '' ? ['a call is not answered at once'] : []),
    ];
  });
  const last = contents.at(-1);
  return [...first, ...found, ...(last?.role === 'user' ? [] : ['the model spoke last'])];
}

/** Gemini as it takes requests of any client. */
export const google: Wire = {
  problems: problemsOfContents,
  answer: ({ text, calls }, tokens) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            ...(text === undefined ? [] : [{ text }]),
            ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      ...{ promptTokenCount: tokens, candidatesTokenCount: 10 },
      totalTokenCount: tokens + 10,
    },
  }),
};

type Call = { readonly name: string; readonly args: object };

/** What a model that signs its thoughts wants back with a call, as it was. */
const signatureOf = ({ name, args }: Call): string =>
  Buffer.from(JSON.stringify([name, args]))
    .toString('base64')
    .slice(-60);

interface SignedPart extends Omit<Content['parts'][number], 'functionCall'> {
  readonly functionCall?: Call;
  readonly thoughtSignature?: string;
}

interface SignedContent extends Content {
  readonly parts: readonly SignedPart[];
}

/** The first call of a turn is signed; what comes back changed, unsigned or out of turn is refused. */
function problemsOfSigned(body: { readonly contents: readonly SignedContent[] }): string[] {
  const { contents } = body;
  const unsigned = contents.filter(({ parts }) => {
    const first = parts.find(({ functionCall }) => functionCall !== undefined);
    return first?.functionCall && first.thoughtSignature !== signatureOf(first.functionCall);
  });
  const repeated = contents.filter(({ role }, at) => contents[at - 1]?.role === role);
  return [
    ...problemsOfContents(body),
    ...unsigned.map(() => 'Function call is missing a thought_signature, or it is of another call'),
    ...repeated.map(({ role }) => `two contents of ${role} follow each other`),
  ];
}

interface GoogleAnswer extends Said {
  readonly candidates: readonly { readonly content: SignedContent; readonly index: number }[];
  readonly usageMetadata: object;
}

/** A Gemini that signs its thoughts, and wants roles that alternate. */
export const googleSigned: Wire = {
  problems: problemsOfSigned,
  answer: (step, tokens, count) => {
    // Made by `google`, whose answers have this form.
    const answer = google.answer(step, tokens, count) as GoogleAnswer;
    const [candidate] = answer.candidates as readonly [GoogleAnswer['candidates'][0]];
    const { parts } = candidate.content;
    const first = parts.findIndex(({ functionCall }) => functionCall !== undefined);
    const signed = parts.map((part, at) => {
      const isSigned = at === first && part.functionCall !== undefined;
      return isSigned ? { ...part, thoughtSignature: signatureOf(part.functionCall) } : part;
    });
    const content = { ...candidate.content, parts: signed };
    return { ...answer, candidates: [{ ...candidate, content }] };
  },
  events: ({ candidates: [candidate], ...head }: GoogleAnswer) => {
    const { content, ...end } = candidate as GoogleAnswer['candidates'][0];
    const chunk = (part: SignedPart) => ({
      ...head,
      candidates: [{ index: 0, content: { role: 'model', parts: [part] } }],
    });
    const chunks = content.parts.map(chunk);
    const last = { ...chunks.at(-1), candidates: [{ ...chunks.at(-1)?.candidates[0], ...end }] };
    return written([...chunks.slice(0, -1), last]);
  },
};
