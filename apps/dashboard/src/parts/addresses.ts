import { idInUrl } from '@ctx/server/client';
import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';

export const sessionPath = (session: string, rest = ''): string =>
  `/sessions/${idInUrl(session)}${rest}`;
export const agentPath = (agent: string, rest = ''): string => `/agents/${idInUrl(agent)}${rest}`;
export const outputPath = (output: string): string => `/outputs/${idInUrl(output)}`;

/** What `ctx://outputs/<id>` names; `undefined` for other pointers. */
export function outputOfPointer(pointer: string): string | undefined {
  const start = 'ctx://outputs/';
  return pointer.startsWith(start) ? decodeURIComponent(pointer.slice(start.length)) : undefined;
}

/** Keeps a state of the view in the address, so that it can be shared. */
export function useAddressState(
  name: string,
): readonly [string, (value: string | undefined) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const set = useCallback(
    (value: string | undefined) => {
      const members = new URLSearchParams(search);
      if (value === undefined || value === '') members.delete(name);
      else members.set(name, value);
      const text = members.toString();
      navigate(text === '' ? path : `${path}?${text}`, { replace: true });
    },
    [search, path, navigate, name],
  );
  return [new URLSearchParams(search).get(name) ?? '', set];
}
