import { isRecord } from '@ctx/core/encoding';
import { at, textAt } from '../json/values.ts';

function contentsOf(body: unknown): readonly unknown[] {
  const contents = at(body, 'contents');
  return Array.isArray(contents) ? contents : [];
}

function partsOf(content: unknown): readonly unknown[] {
  const parts = at(content, 'parts');
  return Array.isArray(parts) ? parts : [];
}

/** The parts of a request, each with the role of its content. */
export function geminiPrefixOf(body: unknown): readonly string[] {
  return contentsOf(body).flatMap((content) =>
    partsOf(content).map((part) => JSON.stringify([textAt(content, 'role'), part])),
  );
}

function idsOf(content: unknown, name: 'functionCall' | 'functionResponse'): string[] {
  return partsOf(content).flatMap((part) => textAt(part, name, 'id') ?? []);
}

/** What the provider would refuse of a request; `undefined` if it takes it. */
export function geminiProblemOf(body: unknown): string | undefined {
  let open: string[] = [];
  const contents = contentsOf(body);
  if (textAt(contents[0], 'role') !== 'user') return 'the first content must be of the user';
  for (const content of contents) {
    const role = textAt(content, 'role');
    if (role !== 'user' && role !== 'model') return 'Please use a valid role: user, model.';
    if (partsOf(content).length === 0) return 'contents.parts must not be empty';
    const results = partsOf(content).map((part) => at(part, 'functionResponse'));
    const isOdd = results.some((one) => one !== undefined && !isRecord(at(one, 'response')));
    if (isOdd) return 'function_response.response must be an object';
    const ids = idsOf(content, 'functionResponse');
    if (ids.join() !== open.join()) {
      return 'the number of function response parts must equal that of the function call parts of the function call turn';
    }
    open = idsOf(content, 'functionCall');
    if (open.length > 0 && role !== 'model') return 'function calls belong to the model';
  }
  return open.length === 0 ? undefined : 'a function call has no response';
}
