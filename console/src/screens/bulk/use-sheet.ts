import type { Reason } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere, useOwner } from '../../data/me.tsx';
import { momentOf, usualCurrency } from '../../gift/terms.ts';
import { type Field, guessMapping, type Mapping, remap } from './file/columns.ts';
import { decodeText } from './file/decode.ts';
import { readSheet, type Sheet, type SheetFault } from './file/read.ts';
import { readRows } from './file/rows.ts';
import type { Terms } from './job/plan.ts';
import { forgetSheet, keepSheet, readKeptSheet } from './kept-sheet.ts';
import { useChecked } from './use-checked.ts';
import { type Choice, judge } from './verdicts.ts';

/** What the gifts of a file have in common, as the fields have it. */
export interface Shared {
  currency: string;
  language: string;
  deliverAt: string;
  message: string;
  amount: number | null;
}

const noReasons: readonly Reason[] = [];

/** A file on the screen: what its columns are, what was put right, and what the service says about each row. */
export function useSheet() {
  const { workspace } = useHere();
  const owner = useOwner();
  const can = useCan();
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [fault, setFault] = useState<SheetFault | null>(null);
  const [mapping, setMapping] = useState<Mapping>([]);
  const [corrections, setCorrections] = useState<ReadonlyMap<number, Partial<Record<Field, string>>>>(new Map());
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [shared, setShared] = useState<Shared>({
    currency: usualCurrency(workspace.id, workspace.language),
    language: workspace.language,
    deliverAt: '',
    message: '',
    amount: null,
  });
  const { data: reasons = noReasons } = useQuery({
    queryKey: ['reasons'],
    queryFn: ({ signal }) => giftwire.reasons.list({ signal }),
    enabled: can('recognition:read'),
  });

  const { message, amount, currency, language, deliverAt } = shared;
  const rows = useMemo(
    () => (sheet ? readRows(sheet, mapping, { message, amount, reasons }, corrections) : []),
    [sheet, mapping, message, amount, reasons, corrections],
  );
  const terms: Terms = useMemo(
    () => ({ currency, language, deliverAt: momentOf(deliverAt) }),
    [currency, language, deliverAt],
  );
  const checked = useChecked(rows, terms);
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
    terms,
    verdicts,
    checked,
    async open(file: File) {
      clear();
      const read = readSheet(file.name, decodeText(new Uint8Array(await file.arrayBuffer())));
      if ('is' in read) return setFault(read);
      setMapping(guessMapping(read));
      setSheet(read);
    },
    close() {
      clear();
      setSheet(null);
    },
    share: (changes: Partial<Shared>) => setShared((before) => ({ ...before, ...changes })),
    map: (column: number, field: Field | null) => setMapping((before) => remap(before, column, field)),
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

export type OpenSheet = ReturnType<typeof useSheet>;
