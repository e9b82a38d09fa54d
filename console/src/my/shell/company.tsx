import { Wordmark } from '../../parts/icon.tsx';
import { theCompany } from '../company.ts';

/** Whose page it is: the company's logo, or its initials and its name. */
export function Company() {
  if (!theCompany) return <Wordmark />;
  const { name, logo } = theCompany;
  if (logo) return <img src={logo} alt={name} height="28" />;
  return (
    <>
      <span className="initials" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span>{name}</span>
    </>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const some = words.length > 1 ? [words[0], words.at(-1)] : words;
  return some.map((word = '') => [...word][0]?.toUpperCase() ?? '').join('');
}
