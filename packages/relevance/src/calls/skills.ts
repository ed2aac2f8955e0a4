import type { ContentBlock, Message, ToolResultBlock } from '@ctx/core';

/** How the result of a call begins after which the host puts the text of a skill in the user's place. Source: Claude Code 2. */
const launch = 'Launching skill: ';

/** How a message begins that stands for a command with a text of its own; the host's own commands begin with their name. Source: Claude Code 2. */
const typedCommand = /^\s{0,20}<command-message>/;
const commandName = /<command-name>([^<]{1,200})<\/command-name>/;
const [argsStart, argsEnd] = ['<command-args>', '</command-args>'];

/** Whether a text is the result behind which a skill's text follows. */
function launchesSkill(text: string): boolean {
  return text.startsWith(launch);
}

function launches({ content: [first] }: ToolResultBlock): boolean {
  return first?.type === 'text' && launchesSkill(first.text);
}

function isTypedCommand(block: ContentBlock): boolean {
  return block.type === 'text' && typedCommand.test(block.text);
}

/** Whether a message of the user stands for a command with a text of its own. Looks at the first characters of each block. */
function hasTypedCommand({ role, content }: Message): boolean {
  return role === 'user' && content.some(isTypedCommand);
}

/** Whether a text is nothing but reminders of the host. */
function isReminder(text: string): boolean {
  const told = text.trim();
  return (
    told === '' || (told.startsWith('<system-reminder>') && told.endsWith('</system-reminder>'))
  );
}

/** What the person typed: the command and its arguments. */
function typedWords(text: string): string {
  const [, name = ''] = commandName.exec(text) ?? [];
  const [from, to] = [text.indexOf(argsStart), text.lastIndexOf(argsEnd)];
  const args = from === -1 ? '' : text.slice(from + argsStart.length, Math.max(from, to));
  return `${name}\n${args}`.trim();
}

/**
 * Gives the texts of a user's messages, in turn, that the person may have written: without the text of a skill or a command, which hosts put in the user's
 * place right behind its call or name. Of a command stays what was typed.
 */
function personBlocks(): (message: Message) => readonly string[] {
  let isLed = false;
  const take = (block: ContentBlock): readonly string[] => {
    if (block.type === 'tool_result') isLed = launches(block);
    if (block.type !== 'text') return [];
    if (isTypedCommand(block)) {
      isLed = true;
      return [typedWords(block.text)];
    }
    const isOfHost = isLed;
    isLed = isLed && isReminder(block.text);
    return isOfHost ? [] : [block.text];
  };
  return ({ role, content }) => {
    if (role === 'user') return content.flatMap(take);
    isLed = false;
    return [];
  };
}

/** Tells the user's words from the texts of skills and commands, which hosts put in the user's place. */
export const skills = { launchedBy: launchesSkill, hasTypedCommand, personBlocks } as const;
