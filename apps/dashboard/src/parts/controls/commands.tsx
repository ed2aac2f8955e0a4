import { type ReactNode, useState } from 'react';
import { useTimeline } from '../../api/queries.ts';
import { type SessionMode, useModeQuery } from '../../api/session-mode.ts';
import { useCommandStart } from '../../api/use-own-key.ts';

/** Quotes a word for a shell, where it needs that. */
export function shellWord(word: string): string {
  return /^(?:~\/)?[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A line of the command, called as where the server runs, for the store that it has to name, if any. */
export function commandText(
  [name = '', ...words]: readonly string[],
  { call = 'ctx', store }: ReturnType<typeof useCommandStart> = {},
): string {
  const named = store === undefined ? [] : ['--store', store];
  return [call, ...[name, ...named, ...words].map(shellWord)].join(' ');
}

/** A line of the command that finds what this page shows. */
export function CommandCode({ words }: { readonly words: readonly string[] }): ReactNode {
  return <code>{commandText(words, useCommandStart())}</code>;
}

/** Words of a command about a session, also if its id looks like an option. */
export function sessionCommand(
  name: string,
  session: string,
  flags: readonly string[] = [],
): readonly string[] {
  return session.startsWith('-') ? [name, ...flags, '--', session] : [name, session, ...flags];
}

interface CommandProps {
  readonly name: string;
  readonly text: string;
}

/** A line to copy. */
export function Command({ name, text }: CommandProps): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
    });
  };
  return (
    <div className="command">
      <span className="muted">{name}</span>
      <code tabIndex={0}>{text}</code>
      <button type="button" onClick={copy} aria-label={`Copy the ${name} line`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

interface CommandsProps {
  /** Missing where no command says the same. */
  readonly cli: readonly string[] | undefined;
  readonly api: string;
  /** Whether the answer depends on the mode in which an imported session is shown. */
  readonly isOfMode?: boolean;
}

/** The same as a view shows, from a shell: words of the command, and the path of the API. */
export function Commands({ cli, api, isOfMode = false }: CommandsProps): ReactNode {
  const { mode } = useModeQuery();
  const start = useCommandStart();
  const query = mode === undefined || !isOfMode ? '' : `mode=${mode}`;
  const path = query === '' ? api : `${api}${api.includes('?') ? '&' : '?'}${query}`;
  const curl = `curl -H "Authorization: Bearer $CTX_KEY" ${shellWord(`${location.origin}${path}`)}`;
  return (
    <details className="commands">
      <summary>From a shell</summary>
      {cli === undefined ? null : <Command name="CLI" text={commandText(cli, start)} />}
      <Command name="curl" text={curl} />
    </details>
  );
}

interface WhyProps {
  readonly session: string;
  readonly isImported: boolean;
  readonly flags?: readonly string[];
  readonly api: string;
}

/** What `ctx why` has to be told of an import: how it is played, and in the window of its model. */
function playedFlags(
  mode: Exclude<SessionMode, 'recorded'>,
  windowTokens: number | undefined,
): string[] {
  const window = windowTokens === undefined ? [] : ['--window', String(windowTokens)];
  return ['--policy', mode === 'default' ? 'ctx' : `ctx-${mode}`, ...window];
}

/** The same as a view of a window shows; as recorded, an import has no command: `ctx why` explains what ctx would have sent. */
export function WhyCommands({ session, isImported, flags = [], api }: WhyProps): ReactNode {
  const { mode = 'default' } = useModeQuery();
  const windowTokens = useTimeline(session).data?.requests.at(-1)?.windowTokens;
  if (!isImported) {
    return <Commands cli={sessionCommand('why', session, flags)} api={api} isOfMode />;
  }
  if (mode === 'recorded') return <Commands cli={undefined} api={api} isOfMode />;
  const words = sessionCommand('why', session, [...flags, ...playedFlags(mode, windowTokens)]);
  return <Commands cli={words} api={api} isOfMode />;
}
