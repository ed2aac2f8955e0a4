import type { ReactNode } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ask } from '../../api/ask.ts';
import { useModeQuery } from '../../api/session-mode.ts';
import { useAct } from '../../api/use-act.ts';
import { saveFile } from './save-file.ts';

interface ShareProps {
  readonly session: string;
  /** The request; the session as it stands without one. */
  readonly at?: number;
}

/** Saves a session or a request as one HTML file that opens without a server. */
export function Share({ session, at }: ShareProps): ReactNode {
  const { client } = useApi();
  const mode = useModeQuery();
  const query = { ...mode, ...(at === undefined ? {} : { at }) };
  const share = useAct(async () => {
    const params = { path: { session }, query };
    const page = await ask(client.GET('/v1/sessions/{session}/share', { params, parseAs: 'text' }));
    const name = at === undefined ? session : `${session}-request-${at}`;
    saveFile(`ctx-${name}.html`, page, 'text/html');
  });
  return (
    <>
      <button
        type="button"
        title="One HTML file that opens without a server. Known secrets are redacted; read it before you share it."
        disabled={share.isPending}
        onClick={() => {
          share.mutate();
        }}
      >
        {share.isPending
          ? 'Creating the file …'
          : at === undefined
            ? 'Share as a file'
            : 'Share this request as a file'}
      </button>
      {share.error === null ? null : <span role="alert">{share.error.message}</span>}
    </>
  );
}
