/** Members in which SDKs keep the name of a model. */
const members = ['modelId', 'model', 'modelName', '_model'] as const;

/**
 * Returns the name of a model: of an object of an SDK, or of a text such as `openai:gpt-5.2` or `openai/gpt-5.2`. `undefined` if it has
 * none that can be read.
 */
export function modelNameOf(model: unknown): string | undefined {
  if (typeof model === 'string') return model.replace(/^[a-z_-]+[:/]/, '');
  if (typeof model !== 'object' || model === null) return undefined;
  const fields = model as Readonly<Record<string, unknown>>;
  const name = members.map((member) => fields[member]).find((each) => typeof each === 'string');
  return typeof name === 'string' ? name : undefined;
}
