/** What differs from run to run, and what stands in its place. The order matters: the longest first. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z/g, '<time>'],
  [/\d{4}-\d{2}-\d{2}(?= –)|(?<=– )\d{4}-\d{2}-\d{2}/g, '<day>'],
  [/^\d{2}:\d{2}:\d{2}/gm, '<time>'],
  [/\b1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?\b/g, '<moment>'],
  [/"ageMs": \d+/g, '"ageMs": <number>'],
  [/\d+\.\d{4,}/g, '<number>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\b[0-9a-f]{12,64}\b/g, '<hex>'],
  // A random id: twenty signs, large and small letters among them.
  [/(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20}(?![\w-])/g, '<id>'],
  [/(?<=_[0-9a-f]{8}_)[0-9a-z]+_\d+_[\w-]{8}(?![\w-])/g, '<end of id>'],
];

/** The output of a command without what differs from run to run. */
export function normalise(text: string, folder: string): string {
  const here = text.replaceAll(folder, '<folder>');
  return changing.reduce((said, [pattern, name]) => said.replace(pattern, name), here);
}
