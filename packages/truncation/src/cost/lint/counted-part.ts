import { outputText } from '@ctx/core/encoding';
import { exactText } from './part-text.ts';

/** What of a part is counted. */
export interface CountedPart {
  /** As the model reads it: without the JSON around it and its escapes. */
  readonly text: string;
  /** Images and documents in it, whose bytes are not text. */
  readonly media: number;
}

const mediaTypes = new Set([
  'image',
  'document',
  'image_url',
  'input_image',
  'input_file',
  'input_audio',
  'file',
]);

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function together(parts: readonly CountedPart[]): CountedPart {
  const texts = parts.map(({ text }) => text).filter((text) => text !== '');
  return { text: texts.join('\n'), media: parts.reduce((sum, { media }) => sum + media, 0) };
}

/** A text, or the blocks of a result. */
function contentOf(content: unknown): CountedPart {
  if (Array.isArray(content)) return together(content.map(countedPart));
  return { text: outputText(content), media: 0 };
}

function callText(name: unknown, input: unknown): CountedPart {
  return { text: `${outputText(name)} ${outputText(input)}`, media: 0 };
}

/** The texts of a block by its type, where it has any. */
function ofType(block: Members): CountedPart | undefined {
  const { type, name } = block;
  switch (type) {
    case 'tool_result':
      return contentOf(block['content']);
    case 'function_call_output':
      return contentOf(block['output']);
    case 'tool_use':
      return callText(name, block['input']);
    case 'function_call':
      return callText(name, block['arguments']);
    case 'thinking':
      return contentOf(block['thinking']);
    default:
      return undefined;
  }
}

/** A call as OpenAI's chat has it; definitions of tools look alike but for their arguments. */
function ofChatCall(called: unknown): CountedPart | undefined {
  if (!isMembers(called) || !Object.hasOwn(called, 'arguments')) return undefined;
  return callText(called['name'], called['arguments']);
}

/** A part as Gemini has it; `undefined` for other blocks. */
function ofGemini({ functionCall, functionResponse, ...part }: Members): CountedPart | undefined {
  if (isMembers(functionCall)) return callText(functionCall['name'], functionCall['args']);
  if (isMembers(functionResponse)) {
    return callText(functionResponse['name'], functionResponse['response']);
  }
  const isMedia = ['inlineData', 'fileData', 'inline_data', 'file_data'].some(
    (name) => part[name] !== undefined,
  );
  return isMedia ? { text: '', media: 1 } : undefined;
}

/**
 * What of a tool, block or item is counted: texts as they are read, images and documents by number, all else as JSON.
 * Pure. Goes through its bytes.
 */
export function countedPart(value: unknown): CountedPart {
  if (!isMembers(value)) return { text: outputText(value), media: 0 };
  if (mediaTypes.has(String(value['type']))) return { text: '', media: 1 };
  const { text } = value;
  if (typeof text === 'string') return { text, media: 0 };
  return (
    ofType(value) ??
    ofChatCall(value['function']) ??
    ofGemini(value) ?? { text: exactText(value), media: 0 }
  );
}
