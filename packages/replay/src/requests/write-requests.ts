import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CtxError, type Message } from '@ctx/core';
import { safeNameOf } from '@ctx/store/backend';
import { writeTranscript } from '@ctx/transcripts';
import type { ReplayedRequest } from '../replay.ts';

/** Writes the requests of one session as JSONL, one file a policy. */
export interface RequestWriter {
  readonly write: (request: ReplayedRequest) => Promise<void>;
  readonly close: () => Promise<void>;
}

const known = new WeakMap<Message, string>();

/** The message in Anthropic form. Made once a message, since requests share their messages. */
async function jsonOf(message: Message): Promise<string> {
  const found = known.get(message);
  if (found !== undefined) return found;
  const { bytes } = await writeTranscript([message], { format: 'anthropic' });
  const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const made = JSON.stringify(messageIn(document));
  known.set(message, made);
  return made;
}

/** A system message alone is written as a field of its own. */
function messageIn(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || !('messages' in document)) return null;
  return Array.isArray(document.messages) ? (document.messages[0] as unknown) : null;
}

async function writeAll(stream: WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

async function openPrivate(path: string): Promise<WriteStream> {
  // A file of before may have another mode: it is made anew, and never through a link.
  await rm(path, { force: true });
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await once(stream, 'open');
  return stream;
}

/**
 * Starts the files `<session>.<policy>.jsonl` in `folder`: one request a line, `{time, system, messages, output_tokens}`; time
 * in seconds from the first request, messages in Anthropic form. Files are readable by their owner only.
 */
export async function startRequestWriter(
  folder: string,
  sessionId: string,
): Promise<RequestWriter> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw new CtxError('CTX_STORE_IO', `the folder ${folder} cannot be made`, { cause });
  });
  const streams = new Map<string, WriteStream>();
  const streamOf = async (policy: string): Promise<WriteStream> => {
    const open = streams.get(policy);
    if (open !== undefined) return open;
    const stream = await openPrivate(join(folder, `${safeNameOf(sessionId)}.${policy}.jsonl`));
    streams.set(policy, stream);
    return stream;
  };
  return {
    write: async ({ policy, time, system, messages, outputTokens }) => {
      const stream = await streamOf(policy);
      const prompt = system === undefined ? '' : `"system":${JSON.stringify(system)},`;
      await writeAll(stream, `{"time":${String(time / 1000)},${prompt}"messages":[`);
      for (const [index, message] of messages.entries()) {
        await writeAll(stream, (index === 0 ? '' : ',') + (await jsonOf(message)));
      }
      await writeAll(stream, `],"output_tokens":${String(outputTokens)}}\n`);
    },
    close: async () => {
      for (const stream of streams.values()) {
        stream.end();
        await once(stream, 'close');
      }
    },
  };
}
