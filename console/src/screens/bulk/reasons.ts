import { useFormats, useWords, type Words } from '../../words/words.tsx';
import type { Sheet } from './file/read.ts';
import type { RowFault } from './file/rows.ts';
import { writeCsv } from './file/write.ts';
import type { Verdict } from './verdicts.ts';

export interface Why {
  text: string;
  tone?: 'amber' | 'quiet';
}

/** Says in words what is to be said about a row. */
export function useReasons(currency: string, giftLimit: number | null): (verdict: Verdict) => Why[] {
  const { bulk, send } = useWords();
  const { money, relative, day } = useFormats();
  return ({ row, answer, sameAs, is }) => {
    const faults = [
      ...row.faults.map((fault) => ({ text: faultText(fault, bulk) })),
      ...(answer?.faults ?? []).map(({ path, problem }) => ({
        text:
          giftLimit !== null && path?.endsWith('.amount') && (row.amount ?? 0) > giftLimit
            ? bulk.service.overLimit(money(giftLimit, currency))
            : serviceText(path, problem, currency, bulk),
      })),
    ];
    if (faults.length > 0) return faults;
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
    return [...doubles, ...notes];
  };
}

function faultText(fault: RowFault, { faults }: Words['bulk']): string {
  const texts = faults[fault.field] as Record<string, string>;
  return texts[fault.is] ?? fault.is;
}

/** What the service refuses, in our words where we know it. */
function serviceText(path: string | null, problem: string, currency: string, { service }: Words['bulk']): string {
  if (path?.endsWith('.recipient')) return service.hasLeft;
  if (path?.endsWith('.employeeNumber')) return service.unknownNumber;
  if (path?.endsWith('.email')) return service.email;
  if (path?.endsWith('.amount')) return service.amount(currency);
  return problem;
}

/** Rows as they were in the file, with what was put right, and a column that says why they did not go. */
export function rejectedCsv(
  { header, rows }: Sheet,
  verdicts: readonly Verdict[],
  whyOf: (verdict: Verdict) => Why[],
  name: string,
): string {
  const byNumber = new Map(rows.map((row) => [row.number, row.cells]));
  return writeCsv([
    [...header, name],
    ...verdicts.map((verdict) => [
      ...(byNumber.get(verdict.row.number) ?? []),
      whyOf(verdict)
        .map(({ text }) => text)
        .join('; '),
    ]),
  ]);
}
