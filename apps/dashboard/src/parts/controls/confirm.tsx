import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import { useMayWrite } from '../../api/use-own-key.ts';
import { Problem } from '../states.tsx';

interface ConfirmProps {
  /** On the button. */
  readonly name: string;
  /** What will happen, as a question. */
  readonly question: string;
  readonly children?: ReactNode;
  /** On the button that does it. */
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => Promise<unknown>;
}

function Question({
  question,
  act,
  isDangerous = false,
  children,
  onConfirm,
  onClose,
}: Omit<ConfirmProps, 'name'> & { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const { mutate, error, isPending } = useAct(() => onConfirm().then(onClose));
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={question}>
      <h2>{question}</h2>
      {children}
      {error === null ? null : <Problem error={error} />}
      <div className="actions">
        <button type="button" onClick={onClose} autoFocus>
          Cancel
        </button>
        <button
          type="button"
          className={isDangerous ? 'danger' : 'primary'}
          disabled={isPending}
          onClick={() => {
            mutate();
          }}
        >
          {act}
        </button>
      </div>
    </dialog>
  );
}

/** A button that asks before it does what it says. A key that may only read is not offered it. */
export function Confirm({ name, ...rest }: ConfirmProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (useMayWrite() !== true) return null;
  return (
    <>
      <button
        type="button"
        className={rest.isDangerous === true ? 'danger-quiet' : ''}
        onClick={() => {
          setOpen(true);
        }}
      >
        {name}
      </button>
      {isOpen ? (
        <Question
          {...rest}
          onClose={() => {
            setOpen(false);
          }}
        />
      ) : null}
    </>
  );
}
