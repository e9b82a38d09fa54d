import type { Reason } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere, useOwner } from '../../data/me.tsx';
import { languageCodes, momentOf, usualCurrency } from '../../gift/terms.ts';
import { guessMapping, type Mapping, remap } from './file/columns.ts';
import { decodeText } from './file/decode.ts';
import type { Field } from './file/headers.ts';
import { readSheet, type Sheet, type SheetFault, withHeader } from './file/read.ts';
import { type Corrections, readRows } from './file/rows.ts';
import { forgetSheet, keepSheet, readKeptSheet, type Shared } from './kept-sheet.ts';
import { useChecked } from './use-checked.ts';
import { type Choice, judge } from './verdicts.ts';

const noRows: ReturnType<typeof readRows> = { rows: [], questions: [] };
const noReasons: readonly Reason[] = [];

/** A file on the screen: what its columns are, what was corrected, and what the service says about each row. */
export function useSheet() {
  const { workspace } = useHere();
  const owner = useOwner();
  const can = useCan();
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [fault, setFault] = useState<SheetFault | null>(null);
  const [mapping, setMapping] = useState<Mapping>([]);
  const [corrections, setCorrections] = useState<Corrections>(new Map());
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [shared, setShared] = useState<Shared>({
    currency: usualCurrency(workspace.id, workspace.language),
    language: workspace.language,
    deliverAt: '',
    message: '',
    amount: null,
    dateOrder: null,
  });
  const { data: reasons = noReasons } = useQuery({
    queryKey: ['reasons'],
    queryFn: ({ signal }) => giftwire.reasons.list({ signal }),
    enabled: can('recognition:read'),
  });

  const { rows, questions } = useMemo(() => {
    if (!sheet) return noRows;
    const languages = languageCodes(workspace.language);
    const common = { ...shared, deliverAt: momentOf(shared.deliverAt), languages, reasons };
    return readRows(sheet, mapping, common, corrections);
  }, [sheet, mapping, shared, workspace.language, reasons, corrections]);
  const checked = useChecked(rows);
  const verdicts = useMemo(() => judge(rows, checked.answers, choices), [rows, checked.answers, choices]);

  const [isRead, setRead] = useState(false);
  useEffect(() => {
    readKeptSheet(owner)
      .then((kept) => {
        if (!kept) return;
        setSheet(kept.sheet);
        setMapping(kept.mapping);
        setCorrections(kept.corrections);
        setChoices(kept.choices);
        setShared(kept.shared);
      })
      // A browser that keeps nothing can still send a file.
      .catch(() => {})
      .finally(() => setRead(true));
  }, [owner]);
  useEffect(() => {
    if (!isRead) return;
    const keep = sheet ? keepSheet(owner, { sheet, mapping, corrections, choices, shared }) : forgetSheet(owner);
    keep.catch(() => {});
  }, [isRead, owner, sheet, mapping, corrections, choices, shared]);

  const clear = () => {
    setCorrections(new Map());
    setChoices(new Map());
    setFault(null);
  };
  return {
    /** Whether it is known if a file was open here before. */
    isRead,
    sheet,
    fault,
    mapping,
    shared,
    questions,
    corrections,
    verdicts,
    checked,
    async open(file: File) {
      clear();
      const read = await readSheet(file.name, decodeText(new Uint8Array(await file.arrayBuffer())));
      if ('is' in read) return setFault(read);
      setMapping(guessMapping(read));
      setSheet(read);
    },
    close() {
      clear();
      setSheet(null);
    },
    share: (changes: Partial<Shared>) => setShared((before) => ({ ...before, ...changes })),
    /** What was corrected in a field of another column goes: it says nothing about this one. */
    map(column: number, field: Field | null) {
      setMapping((before) => remap(before, column, field));
      if (field) setCorrections((before) => withoutField(before, field));
    },
    /** Reads the first row as the header, or as the first gift. */
    setHeader(hasHeader: boolean) {
      if (!sheet) return;
      const read = withHeader(sheet, hasHeader);
      setSheet(read);
      setMapping(guessMapping(read));
    },
    correct: (row: number, field: Field, text: string) =>
      setCorrections((before) => new Map(before).set(row, { ...before.get(row), [field]: text })),
    choose: (numbers: readonly number[], choice: Choice | null) =>
      setChoices((before) => {
        const after = new Map(before);
        for (const number of numbers) choice ? after.set(number, choice) : after.delete(number);
        return after;
      }),
  };
}

function withoutField(corrections: Corrections, field: Field): Corrections {
  return new Map([...corrections].map(([row, { [field]: _, ...rest }]) => [row, rest]));
}

export type OpenSheet = ReturnType<typeof useSheet>;
