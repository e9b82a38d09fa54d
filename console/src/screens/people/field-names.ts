import { useCustomFields } from '../../data/custom-fields.ts';
import { useWords } from '../../words/words.tsx';

/** What the fields of an import are called, custom fields included. */
export function useFieldNames(): Readonly<Record<string, string>> {
  const { fields } = useWords().people.importing;
  const { data = [] } = useCustomFields();
  return { ...fields, ...Object.fromEntries(data.map(({ key, label }) => [`custom.${key}`, label])) };
}
