/** A change to the program that breaks one promise, and the tests that have to notice. */
export interface Mutation {
  /** What to call it by, as `expired-token`. */
  name: string;
  /** What the users are promised, and would lose. */
  promise: string;
  file: string;
  /** The text to replace. It has to be in the file exactly once. */
  find: string | RegExp;
  replace: string;
  /** Test files below test/. */
  caughtBy: readonly `${string}.test.ts`[];
  /** A part of the name of the one test that has to notice, where running the whole file would take long. */
  only?: string;
}

/** The file's text with the mutation in it, or why that cannot be. */
export function mutate({ find, replace }: Mutation, text: string): { text: string } | { reason: string } {
  const found = typeof find === 'string' ? text.split(find).length - 1 : [...text.matchAll(everywhere(find))].length;
  if (found !== 1) return { reason: found === 0 ? 'its text is no longer there' : `its text is there ${found} times` };
  // A function, so that a dollar sign in the replacement means itself.
  return { text: text.replace(find, () => replace) };
}

function everywhere(pattern: RegExp): RegExp {
  return new RegExp(pattern, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
}
