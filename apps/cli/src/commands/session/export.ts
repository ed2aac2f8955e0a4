import { bytesText, countedText, countsText } from '@ctx/core/encoding';
import { resolve } from 'node:path';
import { shareSession } from '@ctx/server/records';
import { builtInFormats } from '@ctx/transcripts';
import { exportTranscript } from '@ctx/transcripts/import';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { blobsBeside, writeChunks } from '../../export/write-file.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { exportAnswerSchema } from '../../schemas/session.ts';
import { withStore } from '../../store/open-store-url.ts';

interface ExportFlags extends StoreFlags {
  readonly format?: string;
  readonly out?: string;
  readonly source?: boolean;
  readonly request?: number;
}

async function runExport(context: CommandContext, name: string, flags: ExportFlags): Promise<void> {
  const { signal, cwd } = context.host;
  const { out, format: wanted, source: withSource = false } = flags;
  const path = out === undefined ? undefined : resolve(cwd, out);
  await withStore(context, flags, async (store) => {
    const session = await findSession(store, name);
    const { format, chunks, receipt } = await exportTranscript(store, session, {
      signal,
      withSource,
      ...(wanted === undefined ? {} : { format: wanted }),
      ...(path === undefined ? {} : { path, blobs: blobsBeside(path) }),
    });
    const bytes = await writeChunks(context, path, chunks);
    const { events, losses } = receipt();
    const answer = { session: session.id, format, events, bytes, losses };
    const what = `${countedText(events, 'event')}, ${bytesText(bytes)}`;
    const text = `${session.id} as ${format}: ${what}; not held by the format: ${countsText(losses)}`;
    await context.say(
      flags.json === true ? JSON.stringify(exportAnswerSchema.parse(answer)) : text,
    );
  });
}

const outText = 'a new file, readable by its owner only (default: standard output)';

/** Formats that can be written. */
const writable = builtInFormats.filter((format) => format.write !== undefined);

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'export',
    summary: 'Write an imported session as a transcript again; the receipt goes to standard error.',
    examples: [
      'ctx export <session> > session.json',
      'ctx export <session> --format openai-chat --out chat.json',
      'ctx export <session> --format ctx --out session.ctx.jsonl',
    ],
  })
    .argument('<session>', 'id of a session, or its first characters')
    .option(
      '--format <name>',
      `one of ${writable.map(({ name }) => name).join(', ')}; default: as it was imported`,
    )
    .option(
      '--source',
      'copy what is unchanged out of the file it was imported from, byte for byte; that file is not redacted',
    )
    .option('--out <file>', outText);
  return withStoreFlag(command).action((name: string, flags: ExportFlags) =>
    runExport(context, name, flags),
  );
}

async function runShare(context: CommandContext, name: string, flags: ExportFlags): Promise<void> {
  const { request, out } = flags;
  await withStore(context, flags, async (store) => {
    const { id: session } = await findSession(store, name);
    const at = request === undefined ? {} : { at: request };
    const ask = { session, mode: 'recorded', ...at } as const;
    const { page, requests, redacted } = await shareSession(store, ask);
    const path = out === undefined ? undefined : resolve(context.host.cwd, out);
    const bytes = await writeChunks(context, path, [Buffer.from(page)]);
    const losses = { 'secrets taken out': redacted };
    const answer = { session, format: 'html', events: requests, bytes, losses };
    const what = `${countedText(requests, 'request')}, ${bytesText(bytes)}`;
    const text = `${session}: ${what}; secrets taken out: ${String(redacted)}. Read it before you pass it on.`;
    await context.say(
      flags.json === true ? JSON.stringify(exportAnswerSchema.parse(answer)) : text,
    );
  });
}

export function shareCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'share',
    summary: 'Write a session as one HTML file that opens without a server, secrets taken out.',
    examples: [
      'ctx share <session> --out session.html',
      'ctx share <session> --request 40 -o 40.html',
    ],
  })
    .argument('<session>', 'id of a session, or its first characters')
    .option('--request <n>', 'that request alone, from 1', wholeNumber(1))
    .option('-o, --out <file>', outText);
  return withStoreFlag(command).action((name: string, flags: ExportFlags) =>
    runShare(context, name, flags),
  );
}
