/** Whether a status says that the person is here; undefined where it is not understood. */
export function readStatus(text: string): boolean | undefined {
  const word = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (here.has(word)) return true;
  return gone.has(word) ? false : undefined;
}

const here = new Set(
  `active true yes y t 1 current employed enabled working here onleave leave leaveofabsence loa paidleave unpaidleave
   parentalleave maternityleave fulltime parttime
   permanent temporary regular fixedterm contract contractor intern casual seasonal vollzeit teilzeit paternitymaternityleave sickleave sabbatical onboarding probation hired rehired aktiv
   actif activo ja oui si sí`.split(/\s+/),
);
const gone = new Set(
  `inactive false no n f 0 terminated left leaver former formeremployee exemployee suspended disabled deactivated
   resigned retired dismissed deceased separated exited offboarded archived deleted notactive inaktiv ausgeschieden ausgetreten
   inactif inactivo nein non`.split(/\s+/),
);

/**
 * Whether the day has passed, where today is the UTC day; null for no date at all, undefined where it is not understood.
 * Of 03/04/2026 it is unknown which is the month: it is understood as long as both readings say the same.
 */
export function hasPassed(text: string, today = new Date().toISOString().slice(0, 10)): boolean | null | undefined {
  if (/^[0/.-]+$/.test(text)) return null;
  const answers = new Set(readDays(text).map((day) => day < today));
  return answers.size === 1 ? answers.has(true) : undefined;
}

/** The day that a text means, the later one where it may mean two. */
export function readLastDay(text: string): string | undefined {
  return readDays(text).sort().at(-1);
}

/** The days, as 2026-03-04, that a text may mean. */
function readDays(text: string): string[] {
  const iso = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:[T ].*)?$/.exec(text);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  const numeric = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ,].*)?$/.exec(text);
  if (numeric) {
    const [, first, separator, second, year] = numeric;
    const dayFirst = dayOf(year, second, first);
    return separator === '.' ? dayFirst : [...dayFirst, ...dayOf(year, first, second)];
  }
  const named = /^(\d{1,2})[-. ]+([a-z]{3})[a-z]*[-., ]+(\d{4})$/i.exec(text);
  if (named) return dayOf(named[3], monthOf(named[2]), named[1]);
  const american = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(text);
  return american ? dayOf(american[3], monthOf(american[1]), american[2]) : [];
}

function dayOf(year = '', month = '', day = ''): string[] {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? [text] : [];
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function monthOf(name = ''): string {
  return String(months.indexOf(name.toLowerCase()) + 1);
}
