import { isJsonEqual, isList, isRecord, type JsonRecord, textAt } from '../../values.ts';

/** Fields beside the parts that say the same again, as version 4 has them. */
export interface Mirrors {
  /** The field `content` holds all texts, or the last. */
  readonly content?: 'all' | 'last';
  /** The field `toolInvocations` holds the invocations of the parts. */
  readonly invocations?: true;
}

/** Finds the fields that only repeat the parts. They are made anew, so that they never tell of what has left. */
export function mirrorsOf(body: JsonRecord, parts: readonly unknown[]): Mirrors {
  const { content, toolInvocations } = body;
  const made = mirrorValues({ content: 'all', invocations: true }, parts);
  const hasInvocations = isList(toolInvocations) && toolInvocations.length > 0;
  const isSame = hasInvocations && isJsonEqual(toolInvocations, made['toolInvocations']);
  return { ...contentMirror(content, parts), ...(isSame ? { invocations: true } : {}) };
}

/** The fields that are made anew. */
export function mirroredKeys({ content, invocations }: Mirrors): string[] {
  return [
    ...(content === undefined ? [] : ['content']),
    ...(invocations === true ? ['toolInvocations'] : []),
  ];
}

function contentMirror(content: unknown, parts: readonly unknown[]): Mirrors {
  const texts = textsOf(parts);
  if (texts.length === 0) return {};
  if (content === texts.join('')) return { content: 'all' };
  return content === texts.at(-1) ? { content: 'last' } : {};
}

/** The fields that repeat the parts. */
export function mirrorValues(mirrors: Mirrors, parts: readonly unknown[]): JsonRecord {
  const texts = textsOf(parts);
  const content = mirrors.content === 'last' ? (texts.at(-1) ?? '') : texts.join('');
  const toolInvocations = parts.flatMap((part) =>
    isRecord(part) && isRecord(part['toolInvocation']) ? [part['toolInvocation']] : [],
  );
  return {
    ...(mirrors.content === undefined ? {} : { content }),
    ...(mirrors.invocations === true ? { toolInvocations } : {}),
  };
}

function textsOf(parts: readonly unknown[]): string[] {
  return parts.flatMap((part) => {
    const text = isRecord(part) && part['type'] === 'text' ? textAt(part, 'text') : undefined;
    return text === undefined ? [] : [text];
  });
}
