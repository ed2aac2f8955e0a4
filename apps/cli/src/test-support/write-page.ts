import { z } from 'zod';
import { groupTitles } from '../command-names.ts';
import type { CommandManual, ManualEntry } from '../manual/command-manual.ts';
import { exitCodes } from '../manual/exit-codes.ts';

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('\n', ' ');
}

function entryMeaning({ meaning, words, fallback }: ManualEntry): string {
  const isTold = words.every((word) => meaning.includes(word));
  const choice = isTold ? '' : `; one of ${words.map((word) => `\`${word}\``).join(', ')}`;
  const isDefaultTold = fallback === undefined || meaning.includes(`default: ${fallback}`);
  const standard = isDefaultTold ? '' : ` (default: \`${fallback}\`)`;
  return cell(`${meaning}${choice}${standard}`);
}

function table(head: string, entries: readonly ManualEntry[]): string {
  const rows = entries.map(
    (entry) => `| \`${entry.term.replaceAll('|', '\\|')}\` | ${entryMeaning(entry)} |`,
  );
  return `| ${head} | meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
}

/** What JSON schema says of a member, as far as a table tells it. */
interface Member {
  readonly type?: string | readonly string[];
  readonly items?: Member;
}

function typeText({ type, items }: Member): string {
  if (type === 'array') return `list of ${items === undefined ? 'values' : typeText(items)}`;
  return typeof type === 'string' ? type : 'value';
}

/** The members of an answer, from its schema. */
function answerTable(schema: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema) as {
    readonly properties?: Readonly<Record<string, Member>>;
    readonly required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, member]) => {
    const isSure = required.includes(name) ? 'always' : 'sometimes';
    return `| \`${name}\` | ${typeText(member)} | ${isSure} |`;
  });
  return `| member | type | there |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function section(title: string, text: string): string {
  return text === '' ? '' : `\n## ${title}\n\n${text}`;
}

function code(lines: string, language: string): string {
  return `\`\`\`${language}\n${lines}\n\`\`\`\n`;
}

/** The page of one command. `schema`: of what it answers with `--json`. */
export function writePage(manual: CommandManual, schema: z.ZodType | undefined): string {
  const { name, listed, description, usage, examples, notes } = manual;
  const short = name === listed ? '' : ` \`ctx ${name}\` is the same command.`;
  const answer =
    schema === undefined
      ? ''
      : `${answerTable(schema)}\nThe whole schema: \`ctx schema ${name}\`. A failure is one line of JSON on standard error.\n`;
  return [
    `<!-- Made from the definition of the command: npx vitest run apps/cli/src/manual -u -->\n\n`,
    `# ctx ${listed}\n\n${cell(description)}${short}\n`,
    section('Synopsis', code(usage, 'text')),
    section('Examples', code(examples.join('\n'), 'sh')),
    section('Arguments', manual.arguments.length === 0 ? '' : table('argument', manual.arguments)),
    section('Options', table('option', manual.options)),
    section('Notes', notes === '' ? '' : code(notes.trimEnd(), 'text')),
    section('Answer with --json', answer),
    section(
      'Exit codes',
      `${exitCodes.map(([number, meaning]) => `- ${String(number)}: ${meaning}`).join('\n')}\n`,
    ),
    '\nAll commands: [ctx](README.md)\n',
  ].join('');
}

/** The page that lists all commands. */
export function writeIndex(manuals: readonly CommandManual[]): string {
  const rowOf = ({ name, listed, summary }: CommandManual): string =>
    `| [\`ctx ${listed}\`](${name}.md) | ${cell(summary)} |`;
  const sections = Object.entries(groupTitles).map(([group, title]) => {
    const rows = manuals.filter((manual) => manual.group === group).map(rowOf);
    return `## ${title}\n\n| command | does |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  const codes = exitCodes.map(([number, meaning]) => `| ${String(number)} | ${cell(meaning)} |`);
  return [
    '<!-- Made from the definitions of the commands: npx vitest run apps/cli/src/manual -u -->\n\n',
    '# ctx: all commands\n\n',
    'Data goes to standard output, messages to standard error. Every command has `--help`, `--json` (a documented schema),\n',
    '`--no-color` and `--no-input`. Which store is used, and why: `ctx config`. Completion for a shell: `ctx completion bash`.\n\n',
    sections.join('\n'),
    `\n## Exit codes\n\n| code | means |\n| --- | --- |\n${codes.join('\n')}\n`,
  ].join('');
}
