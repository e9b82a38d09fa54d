import type { Mutation } from '../mutations/mutation.ts';
import { runMutations } from '../mutations/program.ts';

// The mutation program with a list of its own: a mutation for each verdict that it can give. Only `caught` is an end with exit code 0.

const comma: Pick<Mutation, 'promise' | 'file' | 'find' | 'caughtBy'> = {
  promise: 'cells are separated by a comma',
  file: 'src/ground/values/csv.ts',
  find: "row.map(csvCell).join(',')",
  caughtBy: ['values/csv-bytes.property.test.ts'],
};

process.exitCode = await runMutations([
  { ...comma, name: 'noticed', replace: "row.map(csvCell).join(';')" },
  { ...comma, name: 'harmless', replace: "[...row].map(csvCell).join(',')" },
  { ...comma, name: 'not-judged', find: /^/, replace: "throw new Error('cannot be imported');\n" },
  { ...comma, name: 'no-such-test', replace: "row.map(csvCell).join(';')", only: 'a name that no test has' },
  { ...comma, name: 'not-there', find: 'a text that no file of the project has', replace: '' },
]);
