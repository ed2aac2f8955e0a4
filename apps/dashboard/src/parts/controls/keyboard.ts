import { useEffect } from 'react';

/** What keys do, by key. */
export type Keys = Readonly<Record<string, () => void>>;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

/** Listens for keys, but not while the user types or a question is open. Esc leaves a field. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (isTyping(event.target)) {
        if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
        return;
      }
      const act = keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [keys]);
}

/** Moves the focus among the rows that can be chosen. */
export function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const place = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[place === -1 ? (step === 1 ? 0 : rows.length - 1) : place + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Closes what is open beside the list, or leaves what has the focus. */
export function closeOpen(): void {
  const close = document.querySelector<HTMLElement>('main [data-close]');
  if (close !== null) close.click();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Puts the focus into the view's search field. */
export function focusSearch(): void {
  document.querySelector<HTMLElement>('main input[type=search]')?.focus();
}
