import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';

/** Address, name, and whether it is the one that is shown. */
export type Tab = readonly [address: string, name: string, isHere: boolean];

/** The views of one thing. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): ReactNode {
  const here = useRef<HTMLAnchorElement>(null);
  const current = tabs.find(([, , isHere]) => isHere)?.[0];
  useEffect(() => {
    // On a phone the tabs are one row, which scrolls.
    here.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([address, name, isHere]) => (
        <Link
          key={address}
          href={address}
          ref={isHere ? here : undefined}
          aria-current={isHere ? 'page' : undefined}
          data-name={name}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
