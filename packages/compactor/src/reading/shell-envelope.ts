import { readOwnText } from './read-own.ts';

/** Lines that a host writes before what a command printed. Source: Codex, which counts and times every command. */
const hostLine =
  /^(?:Chunk ID: \w{1,20}|Script completed|Wall time:? [\d.]{1,20} seconds|Original token count: \d{1,12}|Total output lines: \d{1,12}|Exit code: -?\d{1,10}|Process exited with code -?\d{1,10}|Output:)$/;

/** Host lines stand among so many first lines. */
const mostLines = 8;

/** Leaves out what the host wrote before `Output:`, or around the output in JSON; other text comes back as it is. */
export function withoutEnvelope(result: string): string {
  const start = result.slice(0, 1000).split('\n').slice(0, mostLines);
  const end = start.indexOf('Output:');
  if (end < 1 || !hostLine.test(start[0] ?? '')) return result;
  const kept = start.slice(0, end).filter((line) => line !== '' && !hostLine.test(line));
  const rest = withoutRecord(result.slice(start.slice(0, end + 1).join('\n').length + 1));
  return [...kept, ...(rest === '' ? [] : [rest])].join('\n');
}

/** What stands as `output` in a record that is all the text: code mode prints a command's result so. */
function withoutRecord(text: string): string {
  const record = /^\s*\{\s*"chunk_id"/.test(text) ? parsed(text) : undefined;
  return readOwnText(record, ['output']) ?? text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
