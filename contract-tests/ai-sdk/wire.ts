/** What a scripted model says in one step. */
export interface ScriptedStep {
  readonly text?: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  /** A streamed answer goes no further than the event that says this. */
  readonly silentAfter?: string;
}

/** How one provider's API speaks: what it refuses, and how it answers. */
export interface Wire {
  readonly problems: (body: never) => readonly string[];
  readonly answer: (step: ScriptedStep, tokens: number, count: number) => object;
  /** The answer as a stream of events, for who asks for one. */
  readonly events?: (answer: never) => string;
  /** Whether every answer is streamed: the path says so, not the body. */
  readonly isStreamed?: boolean;
}

/** What an API says. */
export type Said = Readonly<Record<string, unknown>>;

/** Events as a stream has them. */
export const written = (events: readonly (Said & { readonly type?: string })[]): string =>
  events
    .map((event) => {
      const name = event.type === undefined ? '' : `event: ${event.type}\n`;
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
