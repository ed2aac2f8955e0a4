import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi } from '../api/api-context.ts';

/** Asks for a key where there is none, or none that is good. */
export function KeyView(): ReactNode {
  const { keys, live } = useApi();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const hadOne = keys.key() !== undefined;
  const open = (): void => {
    keys.set(text.trim());
    queries.clear();
    live.start();
  };
  return (
    <section className="card narrow">
      <h1>{hadOne ? 'This key is no longer valid' : 'Enter an API key'}</h1>
      <p>
        {hadOne ? 'It was revoked, or belongs to another store. ' : ''}Open the address that the
        server printed, with the key after its <code>#</code>, or paste a key here. The command{' '}
        <code>ctx keys create</code> creates one.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <label>
          Key{' '}
          <input
            type="password"
            autoComplete="off"
            value={text}
            onChange={({ target }) => {
              setText(target.value);
            }}
          />
        </label>{' '}
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          Open
        </button>
      </form>
    </section>
  );
}
