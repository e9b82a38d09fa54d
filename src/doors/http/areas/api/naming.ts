import { Failure, invalid } from '../../../../ground/errors.ts';

/** A person named in a field who is not found makes that field invalid. On the command line, the same failure is about the set-up. */
export async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'setup') throw error;
    throw invalid([{ path, problem: `names no person: ${error.message}` }]);
  }
}
