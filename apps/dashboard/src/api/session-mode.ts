import { type Context, createContext, useContext } from 'react';

/** How an imported session is shown: as ctx would have sent it in a mode, or as its own agent did. */
export type SessionMode = 'default' | 'thrifty' | 'evidence' | 'recorded';

/** The modes with their names for people, in the order in which they are offered. */
export const modeNames: Readonly<Record<SessionMode, string>> = {
  recorded: 'as recorded',
  default: 'as ctx would have sent it',
  thrifty: 'as ctx would have sent it: thrifty',
  evidence: 'as ctx would have sent it: evidence',
};

/** The mode that an address names; `recorded`, which needs no replay, where it names none. Pure. */
export function modeNamed(name: string): SessionMode {
  return Object.hasOwn(modeNames, name) ? (name as SessionMode) : 'recorded';
}

export const SessionModeContext: Context<SessionMode> = createContext<SessionMode>('default');

/** What goes into a call about the session that is shown; nothing in the default mode of the API. */
export function useModeQuery(): { readonly mode?: SessionMode } {
  const mode = useContext(SessionModeContext);
  return mode === 'default' ? {} : { mode };
}
