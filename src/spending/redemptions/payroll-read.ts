import type { PayrollExport, PayrollPage } from '../../ground/contract/payroll.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { slowHistoryId } from '../../ground/database/history.ts';
import { Failure } from '../../ground/errors.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import { countDue } from './payroll-due.ts';

const payrollColumns = `
  number, closed_at as "closedAt", closed_by as "closedBy", lines, totals, encode(hash, 'hex') as sha256,
  ${slowHistoryId('number')} as history`;

type Row = Omit<PayrollExport, 'closedAt'> & { closedAt: Date };

function payrollOf({ closedAt, ...row }: Row): PayrollExport {
  return { ...row, closedAt: closedAt.toISOString() };
}

export async function readPayroll(on: Queryable, workspaceId: number, number: number): Promise<PayrollExport> {
  const row = await queryOptional<Row>(
    on,
    `select ${payrollColumns} from payroll_exports where workspace_id = $1 and number = $2`,
    [workspaceId, number],
  );
  if (!row) throw new Failure('missing', 'There is no payroll export with this number in this workspace.');
  return payrollOf(row);
}

/** A page of exports, the newest first. */
export async function listPayroll(on: Queryable, workspaceId: number, { page, size }: Page): Promise<PayrollPage> {
  const { total } = await queryOne<{ total: number }>(
    on,
    'select count(*) as total from payroll_exports where workspace_id = $1',
    [workspaceId],
  );
  const rows = await on.query<Row>(
    `select ${payrollColumns}
       from payroll_exports
      where workspace_id = $1
      order by number desc
     offset $2::bigint
      limit $3::bigint`,
    [workspaceId, page * size, size],
  );
  const waiting = await countDue(on, workspaceId);
  return { ...pageFields({ page, size }, total), waiting, exports: rows.map(payrollOf) };
}

const linesAtOnce = 1_000;

/** The file of an export, piece by piece: always the same bytes, until lines of erased people lose their texts (tax-retention.ts). */
export async function* payrollFile(on: Queryable, workspaceId: number, number: number): AsyncGenerator<string> {
  const { lines } = await readPayroll(on, workspaceId, number);
  for (let after = 0; after < lines; after += linesAtOnce) {
    const [piece] = await on.query<{ text: string }>(
      `select string_agg(text, '' order by nth) as text
         from payroll_lines
        where workspace_id = $1
          and number = $2
          and nth > $3
          and nth <= $4`,
      [workspaceId, number, after, after + linesAtOnce],
    );
    yield `${after === 0 ? await readHeader(on, workspaceId, number) : ''}${piece?.text ?? ''}`;
  }
}

async function readHeader(on: Queryable, workspaceId: number, number: number): Promise<string> {
  const row = await queryOptional<{ header: string }>(
    on,
    'select header from payroll_exports where workspace_id = $1 and number = $2',
    [workspaceId, number],
  );
  return row?.header ?? '';
}
