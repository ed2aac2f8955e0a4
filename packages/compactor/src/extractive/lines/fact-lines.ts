import { speech } from '@ctx/store';
import type { Corpus, SourceLine } from './corpus.ts';

/** Words and signs that tie a thing to its value. */
const relation =
  / (?:is|are|was|were|has|have|had|uses|runs|lives|expires|listens|costs|equals|must|requires|needs|means|belongs|lies|stands|starts|ends|takes|took|holds|owns|wants|likes|prefers|works|met|moved|bought|born|named|called|set|due|scheduled|assigned|located|stored|hosted|deployed|pinned|failed|because|since|at|on|by) |: |=| → | -> /;

/** What a fact weighs by who stated it; calls state nothing. */
const kindScores = {
  ...{ user: 8, pasted: 2, assistant: 2, call: 0, result: 1.5, earlier: 3, progress: 0 },
} as const;

/** Shortest and longest line that can be a fact, characters. */
const minFact = 15;
const maxFact = 240;

/** What every fact costs beside its words, so that the shortest lines do not win by their shortness. */
const baseTokens = 12;

/**
 * The lines that state something a later turn may ask for, the most telling first: prose with a name, number, path or address in
 * it, the user's before the others. Age does not matter: a fact said once and long ago is what a summary is for.
 * Costs one look at each line.
 */
export function factLines({ lines, rarity, names }: Corpus): SourceLine[] {
  const weigh = (line: SourceLine): number => {
    if (kindScores[line.kind] === 0 || !isFactLike(line)) return 0;
    let value = 0;
    for (const literal of line.literals) {
      const share = isTelling(names[literal] ?? '') ? 1 : 0.3;
      value += share * (rarity[literal] ?? 0);
    }
    return (kindScores[line.kind] * value) / (baseTokens + line.text.length / 3.5);
  };
  return lines
    .map((line) => ({ line, score: weigh(line) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.line.order - b.line.order)
    .map(({ line }) => line);
}

/** Whether a line of the user names something that one could not guess; in scripts without spaces that is not looked for. */
export function isTellingLine({ text }: SourceLine): boolean {
  return isTelling(text.slice(1)) || isIdeographic(text);
}

/** A number, a name in capitals, an identifier, a path, a quote: something one could not guess. */
function isTelling(text: string): boolean {
  return /[\d_/@"'`]|\p{Lu}|\p{L}\.\p{L}/u.test(text);
}

function hasFactLength({ length }: string): boolean {
  return length >= minFact && length <= maxFact;
}

function isFactLike({ text, kind }: SourceLine): boolean {
  if (!hasFactLength(text) || isLog(text)) return false;
  const isSentence = relation.test(text) && looksLikeProse(text);
  if (kind === 'user')
    return (isSentence || isIdeographic(text)) && !isCode(withoutParenthesis(text));
  return isSentence && !isCode(text) && isTelling(text.slice(1)) && !leadsAway(text, kind);
}

/** What an assistant says of what comes next, alone in its line, states nothing; nor does anybody who talks. */
function leadsAway(text: string, kind: SourceLine['kind']): boolean {
  return isTalk(text) || (kind === 'assistant' && leadIn.exec(text)?.index === 0);
}

/** A last sentence that only says what comes next, such as "Let me check:"; the line may be no more than that. */
const leadIn = /(?:^|[.!?] )(?=\p{Lu}|\*)(?:[^.!?]|[.!?](?=\S)){1,200}:[*_`]{0,3}$/u;

/** A line without a last sentence that leads to what does not follow it in a summary. */
export function withoutLeadIn(text: string): string {
  const at = leadIn.exec(text)?.index ?? text.length;
  return at === 0 ? text : text.slice(0, at + 1).trim();
}

/** A person ends a sentence with a parenthesis, too. */
function withoutParenthesis(text: string): string {
  return text.endsWith(')') ? text.slice(0, -1) : text;
}

/** Scripts without spaces: what ties a thing to its value is not looked for there. */
function isIdeographic(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u.test(text);
}

function isCode(text: string): boolean {
  const starts = /^(?:import|export|const|let|var|func|def|class|return|if|for|type)\b/;
  if (/\/\/| (?::=|=|==|!=|=>|&&|\|\|) /.test(text) && !text.includes('://')) return true;
  return /[{}();,\\|]$/.test(text) || /^[^\p{L}\p{N}"'`*_[(-]/u.test(text) || starts.test(text);
}

/** A line that a program wrote about its own run: a time first, a place in a file first, or several settings. */
function isLog(text: string): boolean {
  if (
    speech.isRecordLine(text) ||
    /^\[?\d{4}[-/]\d{2}[-/]\d{2}|^[\w./-]{1,100}:\d{1,6}:/.test(text)
  )
    return true;
  return text.split('=').length > 3;
}

/** What the assistant says about what it is about to do. */
function isTalk(text: string): boolean {
  return /^(?:let me|let's|now|i'll|i will|i need|i can|i see|looking|good|great|perfect|next|first,)\b/i.test(
    text,
  );
}

/** Mostly words and spaces, with at least four words. */
function looksLikeProse(text: string): boolean {
  let plain = 0;
  let spaces = 0;
  for (const sign of text) {
    if (sign === ' ') spaces += 1;
    if (/[\p{L}\p{N} ,.'-]/u.test(sign)) plain += 1;
  }
  return spaces >= 3 && plain / text.length > 0.85;
}
