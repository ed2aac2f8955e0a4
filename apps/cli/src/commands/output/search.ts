import { countedText } from '@ctx/core/encoding';
import { searchTerms } from '@ctx/relevance';
import { entryOf } from '@ctx/server/records';
import { type ContextStore, matchHeading, type OutputHit } from '@ctx/store';
import { pointerUri, searchDistinct } from '@ctx/truncation';
import type { Command } from 'commander';
import colors from 'picocolors';
import type { CommandContext, StoreFlags } from '../../command-context.ts';
import { findSession } from '../../find-session.ts';
import { makeCommand, wholeNumber, withStoreFlag } from '../../make-command.ts';
import { searchAnswerSchema } from '../../schemas/output.ts';
import { withStore } from '../../store/open-store-url.ts';
import { renderList, type TableEntry } from '../../terminal/render-table.ts';
import { visibleText } from '../../terminal/visible-text.ts';
import { outputCells } from './outputs.ts';

interface SearchFlags extends StoreFlags {
  readonly session?: string;
  readonly limit: number;
}

const columns = [
  { title: 'score', align: 'right' },
  { title: 'pointer', isWhole: true },
  { title: 'session', isWhole: true },
  { title: 'tokens', align: 'right' },
  { title: 'lines', align: 'right' },
  { title: 'call', isFlexible: true },
] as const;

/** No line is cut to fewer characters. */
const minLineWidth = 48;

/** The line that matches, cut to the terminal, its words bold. */
function lineText(
  { host, hasColor }: CommandContext,
  line: NonNullable<OutputHit['line']>,
  query: string,
): string {
  const { isTty, columns: width } = host.out;
  const place = `  ${line.of === 'result' ? String(line.line) : 'arguments'}: `;
  const maxCharacters = Math.max(minLineWidth, width - place.length);
  const shown =
    (isTty ? searchTerms(query).lineIn(line.text, { maxCharacters }) : undefined) ?? line;
  const { bold } = colors.createColors(hasColor);
  const visible = (from: number, to?: number): string => {
    const part = shown.text.slice(from, to).replaceAll(/[\r\n\t\u2028\u2029]/g, ' ');
    return isTty ? visibleText(part) : part;
  };
  let text = place;
  let done = 0;
  for (const [start, end] of shown.marks) {
    text += visible(done, start) + bold(visible(start, end));
    done = end;
  }
  return text + visible(done);
}

async function searchSession(
  store: ContextStore,
  name: string,
  search: { readonly text: string; readonly limit: number },
): ReturnType<ContextStore['outputs']['search']> {
  const { id: sessionId } = await findSession(store, name);
  return store.outputs.search({ ...search, lines: true, sessionId });
}

/** What a shell hands over as one word, although it holds spaces, stood in quotes there. */
function quoted(word: string): string {
  return /\s/.test(word) && !word.includes('"') ? `"${word}"` : word;
}

function rowsOf(
  context: CommandContext,
  hits: readonly OutputHit[],
  text: string,
): readonly TableEntry[] {
  return hits.map(({ score, pointer, line }, at) => {
    const [uri = '', ...sizes] = outputCells(pointer);
    const cells = [score.toFixed(2), uri, pointer.sessionId, ...sizes];
    const above = matchHeading(hits, at);
    return {
      cells,
      ...(above === undefined ? {} : { above }),
      ...(line === undefined ? {} : { below: lineText(context, line, text) }),
    };
  });
}

function partlyText(outputs: number): string {
  const long = countedText(outputs, 'output');
  return `Of ${long} the words at the end are not found, so long they are: ctx read <pointer> --grep <pattern> looks there.`;
}

async function runSearch(
  context: CommandContext,
  words: readonly string[],
  flags: SearchFlags,
): Promise<void> {
  const text = words.map(quoted).join(' ');
  await withStore(context, flags, async (store, url) => {
    const { limit, session } = flags;
    const found =
      session === undefined
        ? await searchDistinct(store, text, limit)
        : { ...(await searchSession(store, session, { text, limit })), copies: 0 };
    const { hits, isComplete, copies, partlySearched } = found;
    if (flags.json === true) {
      const entries = hits.map((hit) => entryOf.searchHit(hit, pointerUri(hit.pointer.id)));
      await context.json(searchAnswerSchema, {
        store: url.text,
        words: text,
        hits: entries,
        isComplete,
        copies,
        unsearched: store.unsearched(),
        partlySearched,
      });
      return;
    }
    const rows = rowsOf(context, hits, text);
    if (rows.length > 0) await context.draw(renderList(context, columns, rows));
    else await context.say(`Nothing found for: ${text}`);
    if (copies > 0) {
      const left = countedText(copies, 'copy', 'copies');
      await context.say(`${left} in other sessions left out: --session shows them.`);
    }
    const unsearched = store.unsearched();
    if (unsearched > 0) {
      const records = countedText(unsearched, 'record');
      await context.say(
        `Of an older store ${records} cannot be found yet by all their words: these are taken in while the store is open.`,
      );
    }
    if (partlySearched > 0) await context.say(partlyText(partlySearched));
    if (!isComplete) await context.say('There may be more: raise --limit.');
  });
}

export function command(context: CommandContext): Command {
  const command = makeCommand({
    name: 'search',
    summary: 'Search arguments and results of all tool calls by words and "quoted phrases".',
    examples: [
      'ctx search connection refused',
      'ctx search "connection refused" timeout',
      'ctx search timeout --session <session> --json',
    ],
  })
    .argument('<words...>', 'what to look for; in quotes a phrase')
    .option('--session <id>', 'only in this session')
    .option('--limit <count>', 'answers to show, up to 1000', wholeNumber(1, 1000), 20);
  return withStoreFlag(command).action((words: string[], flags: SearchFlags) =>
    runSearch(context, words, flags),
  );
}
