import type { Config } from '../../ground/config/config.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { readUnchecked } from '../../insight/rights/erase-again.ts';
import type { Finding } from './finding.ts';

const apply = '"giftwire erasures apply <list>"';

/** Says what to do if the database went back in time and was not yet compared with the list of erased people. */
export async function examineErasures(database: Queryable, { backupFolder }: Config): Promise<Finding[]> {
  const check = 'erasures';
  const unchecked = await readUnchecked(database, backupFolder);
  if (unchecked === null) return [];
  const { after, file } = unchecked;
  if (file !== null) {
    const detail = `the service erases the people on the list ${file} again when it starts`;
    return [{ check, ok: true, isNote: true, detail }];
  }
  if (after === 'loss') {
    const detail = `the database went back in time. If people were erased in the lost time, erase them again: ${apply}`;
    return [{ check, ok: true, isNote: true, detail }];
  }
  return [
    {
      check,
      ok: false,
      detail:
        'the database was restored, and may contain people who were erased after its backup: the service does not start before they are erased again',
      advice: `Run ${apply}, or "giftwire erasures apply --none" if no person was erased after the backup.`,
    },
  ];
}
