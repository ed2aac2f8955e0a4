import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** Address, name, and whether it is the one that is shown. */
export type Tab = readonly [address: string, name: string, isHere: boolean];

/** On a phone the tabs are one row, which scrolls. */
function bringIntoSight(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** The views of one thing. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): ReactNode {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([address, name, isHere]) => (
        <Link
          key={address}
          href={address}
          ref={isHere ? bringIntoSight : undefined}
          aria-current={isHere ? 'page' : undefined}
          data-name={name}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
