import { CtxError } from '@ctx/core';

/** A program and its arguments, as it is started: never a line for a shell. */
export interface HookCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Settings of Claude Code, as far as they are known here. */
export type HostSettings = Readonly<Record<string, unknown>>;

/** What would be written. */
export interface SettingsPlan {
  readonly settings: HostSettings;
  /** What is added and removed, one line each; none where the settings are as they should be. */
  readonly changes: readonly string[];
}

/** How settings are planned. */
export interface SettingsOptions {
  /** Default `install`. */
  readonly action?: 'install' | 'remove';
  /** Also shows `ctx statusline`, where no other status line is set. Default true. */
  readonly statusline?: boolean;
  /** What each hook is called with after its name, such as `--store` and a URL. Default none. */
  readonly flags?: readonly string[];
}

/** Events that are installed, and the longest that each may take, seconds. */
const events: readonly (readonly [string, number])[] = [
  ['PostToolUse', 10],
  ['UserPromptSubmit', 10],
  ['SessionStart', 20],
  ['PreCompact', 60],
  ['Stop', 60],
  ['SessionEnd', 60],
];

/** What shows that an entry is ours, however the command is called. */
const words: readonly string[] = ['hook', 'claude-code'];

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(what: string): CtxError {
  return new CtxError('CTX_INVALID_FILE', `${what}; nothing was changed`);
}

/** Whether an entry calls `ctx hook claude-code`. */
function isOurs(hook: unknown): boolean {
  if (!isMembers(hook) || !Array.isArray(hook['args'])) return false;
  const args: readonly unknown[] = hook['args'];
  const at = args.indexOf(words[0]);
  return at >= 0 && args[at + 1] === words[1];
}

function listIn(hooks: Members, event: string): readonly unknown[] {
  const list = Object.hasOwn(hooks, event) ? hooks[event] : [];
  if (Array.isArray(list)) return list;
  throw refused(`hooks.${event} of the settings is no list`);
}

/** The groups of an event without our entries; a group that held nothing else goes, too. */
function withoutOurs(groups: readonly unknown[]): unknown[] {
  return groups.flatMap((group): unknown[] => {
    if (!isMembers(group) || !Array.isArray(group['hooks'])) return [group];
    const all: readonly unknown[] = group['hooks'];
    const others = all.filter((hook) => !isOurs(hook));
    if (others.length === all.length) return [group];
    return others.length === 0 ? [] : [{ ...group, hooks: others }];
  });
}

function groupOf({ command, args }: HookCommand, timeout: number): Members {
  return { hooks: [{ type: 'command', command, args, timeout }] };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A copy with a member of its own, whatever its name. Empty lists go. */
function withList(hooks: Members, event: string, list: readonly unknown[]): Members {
  const rest = Object.entries(hooks).filter(([name]) => name !== event);
  if (list.length === 0) return Object.fromEntries(rest);
  const isThere = Object.hasOwn(hooks, event);
  const entries = isThere
    ? Object.entries(hooks).map(([name, value]) => [name, name === event ? list : value] as const)
    : [...rest, [event, list] as const];
  return Object.fromEntries(entries);
}

/** The groups of an event as they should be. */
function wantedGroups(
  before: readonly unknown[],
  ours: Members | undefined,
): { readonly after: readonly unknown[]; readonly isChanged: boolean } {
  const others = withoutOurs(before);
  const after = ours === undefined ? others : [...others, ours];
  // Ours may stand anywhere: it is not moved.
  const isThere = ours !== undefined && before.some((group) => isSame(group, ours));
  const isChanged = !(isThere && before.length === after.length) && !isSame(before, after);
  return { after, isChanged };
}

function planEvents(
  hooks: Members,
  hook: HookCommand,
  isInstalling: boolean,
): { readonly hooks: Members; readonly changes: string[] } {
  const changes: string[] = [];
  let planned = hooks;
  for (const [event, timeout] of events) {
    const ours = isInstalling ? groupOf(hook, timeout) : undefined;
    const { after, isChanged } = wantedGroups(listIn(hooks, event), ours);
    if (!isChanged) continue;
    const line = [hook.command, ...hook.args].join(' ');
    changes.push(isInstalling ? `+ hooks.${event}: ${line}` : `- hooks.${event}`);
    planned = withList(planned, event, after);
  }
  return { hooks: planned, changes };
}

/** A status line has no list of arguments: it is written in such signs only that need no quotes. */
function lineOf({ command, args }: HookCommand): string | undefined {
  const plain = [command, ...args];
  return plain.every((word) => /^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) ? plain.join(' ') : undefined;
}

function isOurLine(line: unknown): boolean {
  if (!isMembers(line) || typeof line['command'] !== 'string') return false;
  const command = line['command'].split(' ');
  const program = command[command.indexOf('statusline') - 1] ?? '';
  return /(?:^|[/\\])(?:ctx|bin\.[jt]s)$/.test(program);
}

function planLine(
  settings: Members,
  command: HookCommand,
  isWanted: boolean,
): { readonly settings: Members; readonly changes: readonly string[] } {
  const { statusLine, ...rest } = settings;
  const isThere = Object.hasOwn(settings, 'statusLine');
  if (isThere && !isOurLine(statusLine)) return { settings, changes: [] };
  if (!isWanted) {
    return isThere ? { settings: rest, changes: ['- statusLine'] } : { settings, changes: [] };
  }
  const text = lineOf(command);
  const line = { type: 'command', command: text };
  if (text === undefined || isSame(statusLine, line)) return { settings, changes: [] };
  return { settings: { ...settings, statusLine: line }, changes: [`+ statusLine: ${text}`] };
}

/** The settings with their hooks as they should be; without `hooks` where none is left of those there were. */
function planHooks(
  settings: Members,
  hook: HookCommand,
  isInstalling: boolean,
): { readonly settings: Members; readonly changes: readonly string[] } {
  const given = Object.hasOwn(settings, 'hooks') ? settings['hooks'] : {};
  if (!isMembers(given)) throw refused('hooks of the settings is no object');
  const { hooks, changes } = planEvents(given, hook, isInstalling);
  if (changes.length === 0) return { settings, changes };
  const { hooks: _hooks, ...rest } = settings;
  const isEmpty = Object.keys(hooks).length === 0;
  return { settings: isEmpty ? rest : { ...settings, hooks }, changes };
}

/**
 * Plans the hooks of ctx in settings of Claude Code. What is not ours stays as it is, in its order; a status line of another program, too.
 * Pure; planning on the result changes nothing; `remove` takes back what `install` added, and no more.
 * @throws `CTX_INVALID_INPUT` for settings that are no object, or whose hooks have another shape.
 */
export function planHookSettings(
  settings: unknown,
  command: HookCommand,
  { action = 'install', statusline = true, flags = [] }: SettingsOptions = {},
): SettingsPlan {
  if (!isMembers(settings)) throw refused('the settings are no object');
  const isInstalling = action === 'install';
  const hook = { ...command, args: [...command.args, ...words, ...flags] };
  const planned = planHooks(settings, hook, isInstalling);
  const shown = { ...command, args: [...command.args, 'statusline', ...flags] };
  const line = planLine(planned.settings, shown, isInstalling && statusline);
  return { settings: line.settings, changes: [...planned.changes, ...line.changes] };
}
