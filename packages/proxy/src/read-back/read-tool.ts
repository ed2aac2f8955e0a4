/** The tool with which a model reads back what left its window. No client knows it: the proxy answers its calls in the next request. */
export const readTool = {
  name: 'ctx_read',
  description:
    'Reads what was left out of this conversation, by the address that stands in its place (ctx://…). Call it alone; long answers come in parts.',
  schema: {
    type: 'object',
    properties: {
      address: { type: 'string', description: 'such as ctx://outputs/…' },
      lines: { type: 'string', description: 'such as 1-200' },
      characters: { type: 'string', description: 'such as 1-6000' },
      grep: { type: 'string', description: 'only lines that match this pattern' },
    },
    required: ['address'],
  },
} as const;

/** How a model calls the tool for the rest of a result. */
export function toolHint(address: string, part: 'lines' | 'characters' | 'members'): string {
  const range = part === 'lines' ? '"lines":"1-200"' : '"characters":"1-6000"';
  return `read more with ${readTool.name} {"address":"${address}",${range}} or "grep"`;
}
