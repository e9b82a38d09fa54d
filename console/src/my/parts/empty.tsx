import type { ReactNode } from 'react';

interface EmptyProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Whether it is the title of the page. */
  isPage?: boolean;
}

/** The wire with its bow, what is missing, what will be here, and one action. */
export function Empty({ title, children, action, isPage = false }: EmptyProps) {
  return (
    <div className="empty">
      <Wire />
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** The wire that ties itself into a bow. */
export function Wire() {
  return (
    <svg className="wire" width="224" height="75" viewBox="0 0 168 56" aria-hidden="true">
      <path d="M0 46H60C72 46 79 40 84 32C90 18 102 6 110 11C119 16 112 32 84 32C56 32 49 16 58 11C66 6 78 18 84 32C89 40 96 46 108 46H168" />
    </svg>
  );
}

/** The bow that ties itself once, when something is done. */
export function DoneBow() {
  return (
    <svg className="bow done-bow" viewBox="0 0 32 26" aria-hidden="true">
      <path
        pathLength="1"
        d="M4 24C9 23.4 13.4 19.5 16 14C19.4 7 25 1.8 28.6 3.8C32.2 5.9 29.8 14 16 14C2.2 14-.2 5.9 3.4 3.8C7 1.8 12.6 7 16 14C18.6 19.5 23 23.4 28 24"
      />
    </svg>
  );
}
