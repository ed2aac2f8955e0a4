import type { Message } from '@ctx/core';
import { skills } from '@ctx/relevance';
import { type FactKind, speech } from '@ctx/store';
import type { ScopeLevel } from '../memory-fact.ts';

/** What one message says: of the user's words only those that they typed. */
export interface SaidMessage {
  /** Place in the session's log. */
  readonly sequence: number;
  readonly speaker: 'user' | 'assistant';
  readonly text: string;
}

/** Facts that end with another, beside those about the same matter. */
export interface EndedFacts {
  readonly subject: string;
  /** Their attribute is one of these, or begins with it and a space. */
  readonly attributes: readonly string[];
  /** They say these words. Default: whatever they say. */
  readonly words?: string;
}

/** A fact that an observer read out of messages. Nothing is kept before its quote was found in the message. */
export interface ProposedFact {
  readonly text: string;
  readonly kind: FactKind;
  /** Place of the message that says it. */
  readonly sequence: number;
  /** The words of that message that say it. */
  readonly quote: string;
  readonly subject?: string;
  readonly attribute?: string;
  readonly ends?: EndedFacts;
  /** Words of what no longer holds: the fact takes the place only of one that says them. */
  readonly denies?: string;
  /** From 0 to 1. Default 1. */
  readonly confidence?: number;
  /** Default: that of the memory. */
  readonly scope?: ScopeLevel;
}

/** Reads facts out of what was said. */
export interface Observer {
  readonly name: string;
  observe(
    messages: readonly SaidMessage[],
    options: { readonly signal: AbortSignal },
  ): readonly ProposedFact[] | Promise<readonly ProposedFact[]>;
}

/** Longest text of one message that is read, characters. */
const mostRead = 100_000;

/** What was said in messages of which the first has the place `from`: no calls, results, reminders, code or texts of skills. */
export function saidIn(messages: readonly Message[], from: number): SaidMessage[] {
  const personBlocks = skills.personBlocks();
  return messages.flatMap((message, at) => {
    const { role, content } = message;
    const byPerson = personBlocks(message);
    if (role === 'system') return [];
    const written = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    // Each block by itself: what a host puts before the user's words must not swallow them.
    const own = role === 'user' ? speech.typedText : speech.withoutCode;
    const text = (role === 'user' ? speech.ownBlocks(byPerson) : written)
      .map((block) => own(block.slice(0, mostRead)).trim())
      .filter((said) => said !== '')
      .join('\n')
      .slice(0, mostRead);
    return text === '' ? [] : [{ sequence: from + at, speaker: role, text }];
  });
}
