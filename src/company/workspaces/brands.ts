import type { Queryable } from '../../ground/database/database.ts';
import { mark } from './logo.ts';

/** How a company looks on its pages. */
export interface WorkspaceBrand {
  name: string;
  colour: string | null;
  /** The path of the logo; its mark changes with it, so that browsers can keep it. */
  logo: string | null;
}

export async function readBrands(on: Queryable, ids: readonly number[]): Promise<Map<number, WorkspaceBrand>> {
  const rows = await on.query<WorkspaceBrand & { id: number; logoMark: string | null }>(
    `select id, coalesce(brand_name, name) as name, brand_colour as colour, ${mark} as "logoMark"
       from workspaces
      where id = any($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ id, logoMark, ...brand }) => [id, { ...brand, logo: logoPath(id, logoMark) }]));
}

export function logoPath(workspaceId: number, logoMark: string | null): string | null {
  return logoMark === null ? null : `/g/logo/${workspaceId}-${logoMark}`;
}
