import { bytesText, countedText, countsText } from '@ctx/core/encoding';
import { resolve } from 'node:path';
import { builtInFormats } from '@ctx/transcripts';
import { exportTranscript } from '@ctx/transcripts/import';
import type { Command } from 'commander';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { blobsBeside, writeChunks } from '../../export/write-file.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, withStoreFlag } from '../../make-command.ts';
import { exportAnswerSchema } from '../../schemas/session.ts';
import { withStore } from '../../store/open-store-url.ts';

interface ExportFlags extends StoreFlags {
  readonly format?: string;
  readonly out?: string;
  readonly source?: boolean;
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
    await context.say(
      flags.json === true
        ? JSON.stringify(exportAnswerSchema.parse(answer))
        : `${session.id} as ${format}: ${countedText(events, 'event')}, ${bytesText(bytes)}; not held by the format: ${countsText(losses)}`,
    );
  });
}

/** Formats that can be written. */
const writable = builtInFormats.filter((format) => format.write !== undefined);

/** `ctx export` */
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
    .option('--out <file>', 'a new file, readable by its owner only (default: standard output)');
  return withStoreFlag(command).action((name: string, flags: ExportFlags) =>
    runExport(context, name, flags),
  );
}
