import { nameOf } from '../../parts/name.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import type { RowFault } from './file/rows.ts';
import { writeCsv } from './file/write.ts';
import type { OpenSheet } from './use-sheet.ts';
import type { Verdict } from './verdicts.ts';

export interface Why {
  text: string;
  tone?: 'amber' | 'quiet';
}

/** Says in words what is to be said about a row. */
export function useReasons({ budgets }: Pick<OpenSheet['checked'], 'budgets'>): (verdict: Verdict) => Why[] {
  const { bulk, send } = useWords();
  const { money, relative, day } = useFormats();
  return ({ row, answer, sameAs, is }) => {
    const { currency } = row;
    const giftLimit = budgets.get(currency)?.giftLimit ?? null;
    const faults = [
      ...row.faults.map((fault) => ({ text: faultText(fault, currency, bulk) })),
      ...(answer?.faults ?? []).map(({ path, problem }) => ({
        text:
          giftLimit !== null && path?.endsWith('.amount') && (row.amount ?? 0) > giftLimit
            ? bulk.service.overLimit(money(giftLimit, currency))
            : serviceText(path, problem, currency, bulk),
      })),
    ];
    if (faults.length > 0) return faults;
    const { probably = null } = answer?.item ?? {};
    const doubts: Why[] =
      is === 'number' && probably
        ? [{ text: bulk.probably(nameOf(probably), probably.employeeNumber ?? ''), tone: 'amber' }]
        : [];
    const ago = (time: string) => (Date.now() - Date.parse(time) < 86_400_000 ? relative(time) : send.onDay(day(time)));
    const twin = answer?.item.twin;
    const doubles: Why[] = [
      ...(sameAs !== null ? [{ text: bulk.sameAs(sameAs) }] : []),
      ...(twin ? [{ text: bulk.twin(money(row.amount ?? 0, currency), ago(twin.issuedAt)) }] : []),
    ].map((one) => ({ ...one, tone: is === 'double' ? 'amber' : 'quiet' }));
    const notes: Why[] = [
      ...(answer?.item.outcome === 'NEW' ? [{ text: bulk.isNew, tone: 'quiet' as const }] : []),
      ...(answer && answer.item.address === null ? [{ text: bulk.noAddress, tone: 'quiet' as const }] : []),
    ];
    return [...doubts, ...doubles, ...notes];
  };
}

function faultText(fault: RowFault, currency: string, { faults, service }: Words['bulk']): string {
  if (fault.is === 'tooPrecise') return service.amount(currency);
  const texts = faults[fault.field] as Record<string, string>;
  return texts[fault.is] ?? fault.is;
}

/** What the service refuses, in our words where we know it. */
function serviceText(path: string | null, problem: string, currency: string, { service }: Words['bulk']): string {
  if (path?.endsWith('.recipient')) return service.hasLeft;
  if (path?.endsWith('.employeeNumber')) return service.unknownNumber;
  if (path?.endsWith('.email')) return service.email;
  if (path?.endsWith('.amount')) return service.amount(currency);
  if (path === 'currency') return service.currency(currency);
  if (path?.endsWith('deliverAt')) return service.deliverAt;
  return problem;
}

/** Rows as they were in the file, with what was corrected, and a column that says why they did not go. */
export function rejectedCsv(
  { sheet, mapping, corrections }: Pick<OpenSheet, 'sheet' | 'mapping' | 'corrections'>,
  verdicts: readonly Verdict[],
  whyOf: (verdict: Verdict) => Why[],
  name: string,
): string {
  const { header = [], rows = [] } = sheet ?? {};
  const byNumber = new Map(rows.map((row) => [row.number, row.cells]));
  const width = Math.max(header.length, ...verdicts.map(({ row }) => byNumber.get(row.number)?.length ?? 0));
  const corrected = (number: number) =>
    Array.from({ length: width }, (_, column) => {
      const field = mapping[column];
      const cell = byNumber.get(number)?.[column] ?? '';
      return (field && corrections.get(number)?.[field]) ?? cell;
    });
  return writeCsv([
    [...header, ...Array.from({ length: width - header.length }, () => ''), name],
    ...verdicts.map((verdict) => [
      ...corrected(verdict.row.number),
      whyOf(verdict)
        .map(({ text }) => text)
        .join('; '),
    ]),
  ]);
}
