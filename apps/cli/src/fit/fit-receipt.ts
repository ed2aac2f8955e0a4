import { countedText, countsText, countText } from '@ctx/core/encoding';
import type { CommandContext } from '../command-context.ts';
import { followUp } from '../follow-up.ts';
import type { FitAnswer, FitPart } from '../schemas/measure.ts';
import { asideLines } from './aside-lines.ts';

/** Most parts that a receipt names one by one. */
const namedParts = 5;

function countForms(parts: readonly FitPart[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { form } of parts) counts.set(form, (counts.get(form) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function nameOf({ message, kind, tool }: FitPart): string {
  return [`message ${String(message)}:`, ...(tool === undefined ? [] : [tool]), kind].join(' ');
}

function partLine(part: FitPart): string {
  const { tokensBefore, tokensAfter, form, read } = part;
  return `  ${nameOf(part)}, ${countText(tokensBefore)} → ${countText(tokensAfter)} tokens (${form}): ${read}`;
}

/** The largest of what left, one line each. */
function largestLines(left: readonly FitPart[]): string[] {
  const saved = ({ tokensBefore, tokensAfter }: FitPart): number => tokensBefore - tokensAfter;
  const largest = left.toSorted((a, b) => saved(b) - saved(a)).slice(0, namedParts);
  const rest = left.length - largest.length;
  const more = rest > 0 ? [`  and ${countText(rest)} more: --json names them all`] : [];
  return [...largest.map(partLine), ...more];
}

function explainLines(parts: readonly FitPart[]): string[] {
  return parts.map((part) => {
    const { tokensBefore, tokensAfter, form, why, read } = part;
    const size =
      tokensBefore === tokensAfter
        ? countText(tokensBefore)
        : `${countText(tokensBefore)} → ${countText(tokensAfter)}`;
    const back = form === 'whole' ? '' : `; ${read}`;
    return `  ${nameOf(part)}, ${size} tokens, ${form}: ${why}${back}`;
  });
}

/** Says who made it fit, where another policy than the window's was asked. */
function policyLines({ policy, tokensOfPolicy, budgetTokens }: FitAnswer): string[] {
  if (tokensOfPolicy === undefined) return [];
  const alone = `The policy ${policy} alone came to ${countText(tokensOfPolicy)} tokens`;
  return tokensOfPolicy > budgetTokens ? [`${alone}: the window did the rest.`] : [`${alone}.`];
}

/** What a fit did, for people. */
export function fitReceipt({ host }: Pick<CommandContext, 'host'>, answer: FitAnswer): string {
  const lines = [
    `${answer.file} (${answer.format}): ${countText(answer.tokensBefore)} → ${countText(answer.tokensAfter)} tokens, budget ${countText(answer.budgetTokens)}, policy ${answer.policy}`,
    ...asideLines(answer.messagesAside),
    ...policyLines(answer),
  ];
  const mended = `repaired: ${countsText(answer.repaired)}; not held by what was written: ${countsText(answer.losses)}`;
  if (answer.isCopy)
    return [...lines, 'It fits already: copied byte for byte, nothing stored.'].join('\n');
  if (answer.session === undefined) {
    return [...lines, `It fits already: mended, nothing left, nothing stored. ${mended}`].join(
      '\n',
    );
  }
  const { left, parts, read, session, store } = answer;
  lines.push(
    `${countedText(left.length, 'part')} left or changed: ${countsText(countForms(left))}; ${countText(answer.messagesBefore)} → ${countedText(answer.messagesAfter, 'message')}; ${mended}`,
    ...largestLines(left),
  );
  if (parts !== undefined) lines.push('every part:', ...explainLines(parts));
  if (read !== undefined) lines.push(`the whole conversation as it was: ${read}`);
  const words = ['outputs', session, '--store', store];
  lines.push(`all that is kept: ${followUp(host, words)}`);
  return lines.join('\n');
}
