import { isWritten, withoutPasted } from './pasted-lines.ts';

/** How a line announces what another person, a program or a document said. */
const announces =
  /\b(?:says?|said|wrote|writes|replied|answered|commented|proposed|suggested|came up with|prints?|printed|outputs?|logs?|logged|reports?|reported|throws?|crashe[sd]|fail(?:s|ed|ing)? with|error|errors|warnings?|traceback|stack ?trace|exception|console|terminal|readme(?:\.md)?|docs?|documentation|changelog|e-?mail|response|transcript)\b/i;

/** How near to its colon a line announces, characters. */
const leadReach = 100;

/** A line that asks for what it announces: then what follows is what the person wants. */
const asks =
  /\b(?:should|must|shall|need|needs|make|write|add|use|change|put|create|reply|answer with|print this|want|please|let|return|set|to say|implement|follow|apply|do this|do the following|rules?|requirements?|update|rename|replace)\b/i;

/** Matches the line that begins a forwarded e-mail or message. */
const forwarded =
  /^(?:-{3,12} ?(?:Original|Forwarded) [Mm]essage ?-{3,12}|Begin forwarded message:|On .{6,100} wrote:)$/;
/** Begins what Aider asks of the model when edits or its linter failed: code and output, block by block. */
const programHead = /^# (?:\d{1,4} SEARCH|Fix any errors below)/;
const mailHead = /^\*?(?:From|Von|De):\*? \S/;
const mailField = /^\*?(?:Sent|Date|To|Cc|Subject|Gesendet|An|Betreff):\*? \S/;
/** How chats head the message of a person. */
const chatHead = /^[\p{Lu}@]\S{0,30}(?: \S{1,30}){0,3} {1,4}\[?\d{1,2}:\d{2}(?: ?[AP]M)?\]?$/u;

const isListed = (line: string): boolean => /^\s{0,8}(?:[-*•+] |\d{1,3}[.)] |\|)/.test(line);
const isHeading = (line: string): boolean => /^#{1,6} \S/.test(line);

/** How a person speaks to the agent: so ends what they pasted. */
const personal =
  /\?$|\b(?:please|pls|can you|could you|would you|you (?:must|should|may)|I want|I need|I'd|I think|let's)\b/i;

/** Stands where code stood between fences. */
export const codeMark = '```';

type Block = readonly string[];

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

/** How the paste goes on in which a reader stands. */
type Paste = 'none' | 'next' | 'list' | 'document' | 'mail' | 'program';

/** The index of the line in a block where a forwarded message begins; -1 if there is none. The message runs to the end of the block. */
function mailStart(block: Block): number {
  return block.findIndex((line, at) => {
    const text = line.trim();
    return (
      forwarded.test(text) || (mailHead.test(text) && mailField.test((block[at + 1] ?? '').trim()))
    );
  });
}

/** Above lines of an answer that are marked as quoted, and end by themselves. */
function isQuoteHead(line: string, at: number, block: Block): boolean {
  return forwarded.test(line.trim()) && (block[at + 1] ?? '').startsWith('>');
}

function announcedBy(lead: string): boolean {
  const line = lead.trim();
  return line.endsWith(':') && announces.test(line.slice(-leadReach)) && !asks.test(line);
}

/** Whether a block belongs to the paste before it, and as what the paste goes on. */
function goesOn(block: Block, paste: Paste, isLast: boolean): Paste {
  const [first = ''] = block;
  if (paste === 'mail' || paste === 'program' || paste === 'none') return paste;
  if (first === codeMark) return 'none';
  if (paste === 'next') return isHeading(first) ? 'document' : 'list';
  return endsHere(block, isLast) ? 'none' : listOrDocument(first, paste);
}

function endsHere(block: Block, isLast: boolean): boolean {
  return isLast && block.some((line) => personal.test(line.trim()));
}

function listOrDocument(first: string, paste: Paste): Paste {
  return paste === 'document' || isListed(first) ? paste : 'none';
}

interface Cut {
  readonly own: Block;
  readonly paste: Paste;
}

/** The lines of a block that stand before what another wrote, where one begins in it. */
function cutBlock(all: Block): Cut {
  const block = all.filter((line, at) => !isQuoteHead(line, at, all));
  if (block.some((line) => programHead.test(line.trim()))) return { own: block, paste: 'program' };
  const mail = mailStart(block);
  if (mail !== -1) return { own: block.slice(0, mail), paste: 'mail' };
  const chat = block.findIndex((line, at) => at < block.length - 1 && chatHead.test(line.trim()));
  if (chat !== -1) return { own: block.slice(0, chat), paste: 'none' };
  const lead = block.findIndex((line) => announcedBy(line));
  if (lead === -1) return { own: block, paste: 'none' };
  return { own: block.slice(0, lead + 1), paste: lead === block.length - 1 ? 'next' : 'none' };
}

/** What may still be a person's in a block of a paste: something in one that a program wrote, else nothing. */
function goneFrom(block: Block, paste: Paste): Block {
  const isMixed = paste === 'list' && block.some((line) => isWritten(line.trim()));
  return isMixed || paste === 'program' ? block : [];
}

/**
 * Leaves out what a person pasted into their message: what programs wrote, the lines after one that announces what another said, and
 * messages of others. Takes linear time.
 */
export function withoutPastedText(lines: readonly string[]): string[] {
  const blocks = blocksOf(lines);
  let paste: Paste = 'none';
  const own = blocks.flatMap((block, at) => {
    paste = goesOn(block, paste, at === blocks.length - 1);
    const isGone = paste !== 'none';
    const cut = isGone ? { own: goneFrom(block, paste), paste } : cutBlock(block);
    paste = cut.paste;
    const kept = withoutPasted(cut.own, isGone);
    return kept.length === 0 ? [] : [...kept, ''];
  });
  const isWhole = own.filter((line) => line !== '').length === blocks.flat().length;
  return isWhole ? [...lines] : own;
}
