/** A person of a model. */
interface Managed<P> {
  manager: P | null;
}

/** Changes who manages whom when `from` was merged into `into`: reports follow, and nobody gets above themselves. */
export function mergeManagers<P extends Managed<P>>(people: readonly P[], from: P, into: P): void {
  const inherited = from.manager;
  from.manager = null;
  const aboveInherited = lineAbove(inherited);
  const own = into.manager === from ? null : into.manager;
  into.manager = own ?? (aboveInherited.has(into) || aboveInherited.has(from) ? null : inherited);
  const aboveInto = lineAbove(into);
  for (const one of people) if (one.manager === from) one.manager = aboveInto.has(one) ? null : into;
}

/** A person, their manager, the manager of that one, and so on. */
export function lineAbove<P extends Managed<P>>(person: P | null): Set<P> {
  const line = new Set<P>();
  for (let one = person; one !== null && !line.has(one); one = one.manager) line.add(one);
  return line;
}
