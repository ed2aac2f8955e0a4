import { CtxError } from '@ctx/core';
import { defaultUpstreams, type Upstreams } from '@ctx/proxy';
import type { Command } from 'commander';

/** Reads `anthropic=URL`; throws `CTX_USAGE`. */
export function upstreamsOf(given: readonly string[] = []): Partial<Upstreams> {
  const named = given.map((text) => {
    const end = text.indexOf('=');
    const [name, url] = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)] as const;
    if (Object.hasOwn(defaultUpstreams, name) && /^https?:/i.test(url) && URL.canParse(url)) {
      return [name, new URL(url)] as const;
    }
    const names = Object.keys(defaultUpstreams).join(', ');
    throw new CtxError(
      'CTX_USAGE',
      `--upstream must be name=URL with one of ${names}, got ${text}`,
    );
  });
  return Object.fromEntries(named);
}

/** Adds `--upstream`. */
export function withUpstreamFlag(command: Command, prefix = ''): Command {
  return command.option(
    '--upstream <name=url>',
    `${prefix}where requests of an API go: anthropic, openai or gemini. Repeat for more`,
    (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
  );
}
