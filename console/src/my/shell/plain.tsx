import type { ReactNode } from 'react';
import { Company } from './company.tsx';

/** A page without places: of people who are not signed in, or have none here. */
export function Plain({ children }: { children: ReactNode }) {
  return (
    <div className="alone">
      <header>
        <Company />
      </header>
      <main>{children}</main>
    </div>
  );
}
