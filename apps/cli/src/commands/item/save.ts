import { countedText } from '@ctx/core/encoding';
import { createRedactor, type RedactionMode } from '@ctx/redact';
import type { ContextStore, ItemInput } from '@ctx/store';
import { tokenCounterFor } from '@ctx/tokens';
import type { Command } from 'commander';
import type { CommandContext } from '../../command-context.ts';
import { explainedEntry, type ItemFlags, withAgentFlag } from '../../items/item-flags.ts';
import { readContent } from '../../items/read-content.ts';
import { makeCommand, redactMode, shareOf, withStoreFlag } from '../../make-command.ts';
import { saveAnswerSchema } from '../../schemas/item.ts';
import { withStore } from '../../store/open-store-url.ts';

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

async function show(
  context: CommandContext,
  { item, outcome, tier }: Awaited<ReturnType<ContextStore['items']['save']>>,
): Promise<void> {
  await context.print(`${item.id}\n`);
  const { kind, agentId, tokens } = item;
  await context.say(`${kind} of ${agentId} ${outcome}: ${countedText(tokens, 'token')}, ${tier}.`);
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
    await context.json(saveAnswerSchema, {
      store: url.text,
      outcome,
      item: explainedEntry(store, saved.item),
      ...(tierBefore === undefined ? {} : { tierBefore }),
    });
  });
}

export function command(context: CommandContext): Command {
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
    .option('--id <id>', 'replace the item with this id')
    .option('--once', 'refresh an item of the same kind and content instead of adding another')
    .option('--importance <share>', '0 to 1, instead of the weight of its kind', shareOf)
    .option('--pin', 'always hot, before all others')
    .option(
      '--source <name>',
      'who says it: user, assistant, or the name of a tool (default: user, or file if the content is not typed)',
    )
    .option('--session <id>', 'session in which the fact was said')
    .option('--redact <mode>', 'secrets: on, report or off', redactMode, 'on');
  return withStoreFlag(withAgentFlag(command)).action(
    (text: string | undefined, flags: SaveFlags) => runSave(context, text, flags),
  );
}
