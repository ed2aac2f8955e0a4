import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repairMessages, validateMessages } from '@ctx/core';
import { describe, expect, it } from 'vitest';
import { builtInFormats } from './built-in-formats.ts';
import { mainLaneOf } from './history/lane-history.ts';
import { requestsOf } from './history/requests-of.ts';
import { messagesOf } from './history/view-at.ts';
import { readTranscript } from './read-transcript.ts';
import { filesIn, sharedData } from './testing/shared-data.ts';
import { parseJson } from './values.ts';
import { writeTranscript } from './write-transcript.ts';

const sets = [
  { format: 'anthropic', files: filesIn('transcripts') },
  { format: 'claude-code', files: filesIn('native/claude-code') },
  { format: 'openai-chat', files: filesIn('native/tau-bench') },
  { format: 'aider', files: filesIn('native/aider') },
  { format: 'openhands', files: filesIn('native/openhands') },
  { format: 'pi', files: filesIn('native/pi') },
  { format: 'swe-agent', files: filesIn('native/swe-agent') },
  { format: 'toolbench', files: filesIn('native/toolbench') },
].flatMap(({ format, files }) => files.map((file) => ({ format, file })));

const isImportOnly = (name: string): boolean =>
  builtInFormats.some((format) => format.name === name && format.write === undefined);

/** The values of a document, or of the lines of a file. */
function valuesIn(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const whole = parseJson(text);
  if (whole !== undefined) return whole;
  return text.split('\n').map((line) => parseJson(line));
}

/** Skipped where the real data is not at hand: set CTX_SHARED_DATA to its folder. */
describe.skipIf(sets.length === 0)('real transcripts', () => {
  it.each(sets)('come back whole: $format $file', async ({ format, file }) => {
    const bytes = new Uint8Array(readFileSync(join(sharedData, file)));
    const { events, receipt } = await readTranscript(bytes);
    expect(receipt.format).toBe(format);
    expect(receipt.bad).toEqual({});
    expect(receipt.bytes).toBe(bytes.length);
    for (const lane of receipt.lanes.length === 0 ? [mainLaneOf(events)] : receipt.lanes) {
      const { messages, requests } = requestsOf(events, { lane });
      const view = repairMessages(messagesOf(events, { lane }));
      expect(validateMessages(view.messages)).toEqual([]);
      expect(lane === receipt.lanes[0] ? requests.length : 1).toBeGreaterThan(0);
      expect(validateMessages(repairMessages(messages).messages)).toEqual([]);
    }
    if (isImportOnly(format)) return;
    if (format !== 'claude-code') {
      const again = await writeTranscript(events, { format });
      expect(again.receipt.losses).toEqual({});
      expect(valuesIn(again.bytes)).toEqual(valuesIn(bytes));
    }
    const copy = await writeTranscript(events, { format, source: bytes });
    expect(Buffer.from(copy.bytes).equals(bytes)).toBe(true);
  });
});
