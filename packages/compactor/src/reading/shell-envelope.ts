/** Lines that a host writes before what a command printed. Source: Codex, which counts and times every command. */
const hostLine =
  /^(?:Chunk ID: \w{1,20}|Wall time: [\d.]{1,20} seconds|Original token count: \d{1,12}|Total output lines: \d{1,12}|Exit code: -?\d{1,10}|Process exited with code -?\d{1,10}|Output:)$/;

/** Host lines stand among so many first lines. */
const mostLines = 8;

/** Leaves out what the host wrote before `Output:`; text without such a head comes back as it is. */
export function withoutEnvelope(result: string): string {
  const start = result.slice(0, 1000).split('\n').slice(0, mostLines);
  const end = start.indexOf('Output:');
  if (end < 1 || !hostLine.test(start[0] ?? '')) return result;
  const kept = start.slice(0, end).filter((line) => line !== '' && !hostLine.test(line));
  const rest = result.slice(start.slice(0, end + 1).join('\n').length + 1);
  return [...kept, ...(rest === '' ? [] : [rest])].join('\n');
}
