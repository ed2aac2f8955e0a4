import { createRedactor, type RedactionMode } from '@ctx/redact';
import type { ItemInput, ItemSaved } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { type CommandContext, writeErr, writeJson, writeOut } from '../../command-context.ts';
import { explainedEntry, type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { readContent } from '../../items/read-content.ts';
import { makeCommand, oneOf, withStoreFlag } from '../../make-command.ts';
import { saveAnswerSchema } from '../../schemas/item/items.ts';
import { withStore } from '../../store/open-store-url.ts';
import { countedText } from '../../terminal/render.ts';

interface SaveFlags extends ItemFlags {
  readonly kind: string;
  readonly file?: string;
  readonly id?: string;
  readonly once?: boolean;
  readonly importance?: number;
  readonly pin?: boolean;
  readonly source?: string;
  readonly session?: string;
  readonly redact: RedactionMode;
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number in 0…1.');
}

/** A person answers for what was typed, but not for what stands in a file or comes out of another program. */
function defaultSource(text: string | undefined): string {
  return text === undefined || text === '-' ? 'file' : 'user';
}

function inputOf(content: string, source: string, flags: SaveFlags): ItemInput {
  const { agent: agentId, kind, id, once, importance, pin, session } = flags;
  return {
    agentId,
    kind,
    content,
    source,
    ...(id === undefined ? {} : { id }),
    ...(once === undefined ? {} : { once }),
    ...(importance === undefined ? {} : { importance }),
    ...(pin === undefined ? {} : { pinned: pin }),
    ...(session === undefined ? {} : { sessionId: session }),
  };
}

async function show(context: CommandContext, { item, outcome, tier }: ItemSaved): Promise<void> {
  await writeOut(context, `${item.id}\n`);
  const { kind, agentId, tokens } = item;
  await writeErr(
    context,
    `${kind} of ${agentId} ${outcome}: ${countedText(tokens, 'token')}, ${tier}.`,
  );
}

async function runSave(
  context: CommandContext,
  text: string | undefined,
  flags: SaveFlags,
): Promise<void> {
  const content = await readContent(context.host, { text, file: flags.file });
  const { source = defaultSource(text) } = flags;
  const redactor = createRedactor({ mode: flags.redact });
  const use = { redactor, tokenCounter: tokenCounterFor(), create: true };
  await withStore(context, { ...flags, use }, async (store, url) => {
    const saved = await store.items.save(inputOf(content, source, flags));
    if (flags.json !== true) return show(context, saved);
    const { outcome, tierBefore } = saved;
    await writeJson(context, saveAnswerSchema, {
      store: url.text,
      outcome,
      item: explainedEntry(store, saved.item),
      ...(tierBefore === undefined ? {} : { tierBefore }),
    });
  });
}

/** `ctx items save` */
export function saveCommand(context: CommandContext): Command {
  const command = makeCommand({
    name: 'save',
    summary: 'Save an item that an agent should keep in mind, and print its id.',
    examples: [
      "ctx items save --kind TASK 'Port the parser to the new lexer'",
      'ctx items save --kind PRD_SECTION --file docs/scope.md --pin --agent ada',
      'git diff | ctx items save --kind CODE --once',
      "ctx items save --id plan --kind TASK 'First the lexer, then the parser'",
    ],
  })
    .argument('[content]', 'the content; - or nothing: from standard input')
    .option('--file <path>', 'read the content from a file')
    .option('--kind <name>', 'TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION or any other', 'NOTE')
    .option('--id <id>', 'the item of this id is replaced')
    .option('--once', 'refresh an item of the same kind and content in place of a second one')
    .option('--importance <share>', '0 to 1, in place of the weight of the kind', share)
    .option('--pin', 'always hot, before all others')
    .option(
      '--source <name>',
      'who says it: user, assistant, or the name of a tool (default: user; file where it is not typed)',
    )
    .option('--session <id>', 'the session in which it is said')
    .option('--redact <mode>', 'secrets: on, report or off', oneOf(['on', 'report', 'off']), 'on');
  return withStoreFlag(withAgentFlag(command)).action(
    (text: string | undefined, flags: SaveFlags) => runSave(context, text, flags),
  );
}
