import { attributeAt, type Matter } from '../matters.ts';
import { toolKindOf } from '../tools.ts';
import { after, type Form } from './form.ts';

/** What may follow the name of a tool in use: not "Vim bindings". */
const afterTool =
  /^(?:$|,? (?:as my|with (?!it|this|that)|for|on|at|in|over|instead|rather|every|all the|now|these days|daily|because|since|again|any ?more|today)\b(?! (?:this|that|these|those|it)\b))/i;

/** A tool that people have one of for each purpose, such as an editor. */
interface OwnTool {
  readonly name: string;
  readonly matter: Matter;
}

/** The tool that words begin with, and where it is used. */
export function ownTool(words: string, prefix = ''): OwnTool | undefined {
  const [kind, name = ''] = toolKindOf(words) ?? [];
  const rest = words.slice(name.length);
  if (kind === undefined || !afterTool.test(rest)) return undefined;
  const [, where = ''] = /^ ((?:for|on|at|in) .*)$/i.exec(rest) ?? [];
  return { name, matter: { subject: 'user', attribute: attributeAt(`${prefix}${kind}`, where) } };
}

/** The tool that takes the place of the one before, also if that was a favorite. */
export function changeOfTool(words: string): Matter | undefined {
  const { matter } = ownTool(words) ?? {};
  const ends = matter && { subject: 'user', attributes: [`favorite ${matter.attribute}`] };
  return matter && ends && { ...matter, ends };
}

const ofOwnTool: Form['read'] = (match, clause) => {
  const words = after(match, clause);
  const isChange = /\b(?:now|instead of|rather than|these days)\b/i.test(clause);
  const matter = isChange ? changeOfTool(words) : ownTool(words)?.matter;
  return matter && { kind: 'environment', ...matter };
};

const ofToolNoMore: Form['read'] = (match, clause) => {
  const tool = ownTool(after(match, clause));
  return tool && { kind: 'environment', ...tool.matter, denies: tool.name };
};

/** "I'm on macOS": only an operating system is stated this way. */
const ofSystem: Form['read'] = (match, clause) => {
  const words = after(match, clause);
  const [kind] = toolKindOf(words) ?? [];
  return kind === 'operating system' ? ofOwnTool(match, clause) : undefined;
};

/** What users state of the tools that they use. */
export const ofTools: readonly Form[] = [
  {
    pattern:
      /\bI (?:(?:now|currently|mainly|mostly|usually|always|normally|only|still|personally) )*use (?=\S)/i,
    read: ofOwnTool,
  },
  { pattern: /\bI(?:'m| am)(?: now)? using (?=\S)/i, read: ofOwnTool },
  { pattern: /\bI(?:(?:'m| am)(?: now)? (?:on|running)|(?: now)? run) (?=\S)/i, read: ofSystem },
  {
    pattern: /\bI (?:no longer use|do not use|don't use|stopped using|quit using) (?=\S)/i,
    read: ofToolNoMore,
  },
];
