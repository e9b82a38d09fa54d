import type { Actor } from '../../ground/contract/actor.ts';
import type { Audience } from '../../ground/contract/audience.ts';
import type { EmployeeSettings } from '../../ground/contract/employee-settings.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { invalid } from '../../ground/errors.ts';
import { changesAnything } from '../../ground/values/differences.ts';
import { audit } from './audit.ts';
import { announceGrantChange } from './grant-changes.ts';
import { given } from './settings.ts';
import { noWorkspace } from './workspaces.ts';

/** Rejects an audience that names what does not exist. */
export type CheckAudience = (tx: Queryable, workspaceId: number, audience: Audience) => Promise<void>;

const settingsSql = `
  select employee_access as access, employee_audience as audience, leaver_access_days as "leaverDays",
         employees_by_subject as "matchesSubject", employees_set_names as "setNames",
         post_gifts as "givesGifts", feed_post_gifts as "feedShowsGifts", manager_digest as "managerDigest"
    from workspaces
   where id = $1`;

export async function readEmployeeSettings(on: Queryable, workspaceId: number): Promise<EmployeeSettings> {
  const found = await queryOptional<EmployeeSettings>(on, settingsSql, [workspaceId]);
  if (!found) throw noWorkspace(workspaceId);
  return found;
}

/** The settings as they are until the transaction has ended: other changes wait for it. */
export async function readEmployeeSettingsToChange(tx: Queryable, workspaceId: number): Promise<EmployeeSettings> {
  const found = await queryOptional<EmployeeSettings>(tx, `${settingsSql} for no key update`, [workspaceId]);
  if (!found) throw noWorkspace(workspaceId);
  return found;
}

/**
 * Changes the settings that are given; the others stay. Sessions of employees whom they no longer let in end within a second on every node. Access that
 * is turned on again opens none of the sessions of before.
 */
export async function changeEmployeeSettings(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  change: Partial<EmployeeSettings>,
  checkAudience: CheckAudience,
): Promise<EmployeeSettings> {
  const before = await readEmployeeSettingsToChange(tx, workspaceId);
  const after: EmployeeSettings = { ...before, ...given(change) };
  if (after.access === 'AUDIENCE' && after.audience === null)
    throw invalid([{ path: 'audience', problem: 'is required with the access AUDIENCE' }]);
  if (change.audience) await checkAudience(tx, workspaceId, change.audience);
  if (!changesAnything(before, after)) return before;
  await tx.query(
    `update workspaces
        set employee_access       = $2::text,
            employee_audience     = $3,
            leaver_access_days    = $4,
            employees_set_names   = $5,
            employees_by_subject  = $6,
            post_gifts            = $7,
            feed_post_gifts       = $8,
            manager_digest        = $9,
            employee_access_since = case when employee_access = 'OFF' and $2::text <> 'OFF' then now() else employee_access_since end
      where id = $1`,
    [
      workspaceId,
      after.access,
      after.audience && JSON.stringify(after.audience),
      after.leaverDays,
      after.setNames,
      after.matchesSubject,
      after.givesGifts,
      after.feedShowsGifts,
      after.managerDigest,
    ],
  );
  await announceGrantChange(tx);
  await audit(tx, { workspaceId, actor, action: 'settings.employees_changed', detail: change });
  return after;
}
