import { joinedLines } from './command-parts.ts';

/** A command of a chain. */
interface ChainPart {
  readonly text: string;
  /** Whether the chain went well only if this one did, by what its output shows: after "&&" the next one tells. */
  readonly isNeeded: boolean;
  /** Whether an exit code of the chain says nothing of it: something runs after it however it ends. */
  readonly isHidden: boolean;
}

/** What neither fails in a way that matters nor prints a success. */
const idle =
  /^(?:(?:cd|pushd|popd|export|unset|set|source|\.|true|:|sleep|echo|printf|mkdir|touch|cat|head|tail|ls|pwd|wait|for|case|done|fi|esac|\})(?:\s|$)|\w{1,60}=\S{0,200}$|#|$)/;

/** What ends a line without running anything. */
const closing = /^(?:(?:done|fi|esac|\})(?:\s|$)|#|$)/;

/** What says nothing when it succeeds: a success that is shown is that of another. */
const silent = /^(?:go (?:build|vet|fmt|generate)|git add|rm|cp|mv|chmod)\b/;

/** Whether a command prints nothing when it succeeds. */
export const isSilent = (text: string): boolean => silent.test(text);

/** The commands that a command line chains, `masked` being the line without what stands in quotes. */
export function chainOf(masked: string): ChainPart[] {
  // The lines of a document that a command is given are no commands.
  if (masked.includes('<<')) return [{ text: masked, isNeeded: true, isHidden: false }];
  const pieces = joinedLines(masked).split(/(&&|\|\||;)/);
  const parts: ChainPart[] = [];
  let [isNeeded, isHidden, isLast] = [true, false, true];
  for (let at = pieces.length - 1; at >= 0; at -= 2) {
    const [piece = '', joint = '&&'] = pieces.slice(at, at + 2);
    const text = piece.trim().replace(/^(?:do|then|else) /, '');
    const goesOnAnyway = joint !== '&&';
    isNeeded ||= goesOnAnyway;
    isHidden ||= goesOnAnyway && !isLast;
    isLast &&= closing.test(text);
    if (idle.test(text)) continue;
    parts.push({ text, isNeeded, isHidden });
    isNeeded = false;
  }
  return parts.reverse();
}
