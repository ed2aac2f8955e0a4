import { type ReactNode, useEffect, useRef } from 'react';

const keys = [
  ['j / k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['/', 'search in the view'],
  ['?', 'this list'],
  ['Esc', 'leave a field or panel'],
  ['Tab', 'next control'],
] as const;

/** What the keys do. */
export function HelpDialog({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="Keys">
      <h2>Keys</h2>
      <dl className="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <button type="button" onClick={onClose} autoFocus>
          Close
        </button>
      </div>
    </dialog>
  );
}
