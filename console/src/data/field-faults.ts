import { GiftwireError } from '@giftwire/sdk';

/** What is wrong with fields, for the fields of a form, and the error that concerns none of them. */
export function fieldFaults(error: unknown, names: readonly string[]) {
  const fields = error instanceof GiftwireError ? error.fields : [];
  const own = fields.filter(({ path }) => names.includes(path));
  return {
    /** The sentence for a field; undefined: it is right. */
    of: (name: string) => {
      const problem = own.find(({ path }) => path === name)?.problem;
      return problem && `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`;
    },
    rest: own.length > 0 && own.length === fields.length ? null : error,
  };
}
