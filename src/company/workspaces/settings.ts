import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { changesAnything } from '../../ground/values/differences.ts';
import { audit } from './audit.ts';
import { type GiftSettings, type GiftSettingsChange, updateGiftSettings } from './gift-settings.ts';
import { lockWorkspace } from './lock.ts';
import { mark } from './logo.ts';
import { needsTwo, noWorkspace, updateWorkspace, type Workspace } from './workspaces.ts';

/** Everything about a workspace that its owners can set. */
export interface WorkspaceSettings
  extends Omit<Workspace, 'id' | 'accountId'>,
    Omit<GiftSettings, 'name' | 'language' | 'hasLogo'> {
  /** The company as recipients read it; null: the name of the workspace. */
  brandName: string | null;
  /** Changes with the logo; null: no logo. */
  logoMark: string | null;
}

export type WorkspaceSettingsChange = Partial<Omit<WorkspaceSettings, 'logoMark'>>;

export async function readSettings(on: Queryable, workspaceId: number): Promise<WorkspaceSettings> {
  const found = await queryOptional<WorkspaceSettings>(
    on,
    `select name, language, time_zone as "timeZone",
            brand_name as "brandName", brand_colour as colour, reply_to as "replyTo", gift_sentence as sentence,
            mails_gifts as "mailsGifts", gift_days as "giftDays", reminder_days as "reminderDays",
            reminder_days_before_expiry as "reminderDaysBeforeExpiry", code_above as "codeAbove", tax_limits as "taxLimits",
            recipient_caps as "recipientCaps",
            refuse_unknown_employee_numbers as "refusesUnknownEmployeeNumbers",
            accept_leavers as "acceptsLeavers", shoutouts_need_approval as "asksForApproval",
            allow_self_recognition as "allowsSelfRecognition", ${needsTwo} as "erasureNeedsTwo", ${mark} as "logoMark"
       from workspaces
      where id = $1`,
    [workspaceId],
  );
  if (!found) throw noWorkspace(workspaceId);
  return found;
}

/** The settings as they are until the transaction has ended: other changes wait for it. */
export async function readSettingsToChange(tx: Queryable, workspaceId: number): Promise<WorkspaceSettings> {
  await tx.query('select from workspaces where id = $1 for no key update', [workspaceId]);
  return readSettings(tx, workspaceId);
}

/** Changes the settings that are given; the others stay. Throws a Failure that names every invalid setting. */
export async function updateSettings(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  change: WorkspaceSettingsChange,
  followTimeZone: FollowTimeZone,
): Promise<WorkspaceSettings> {
  const { name, language, refusesUnknownEmployeeNumbers, acceptsLeavers } = change;
  const { asksForApproval, allowsSelfRecognition, erasureNeedsTwo } = change;
  const { brandName, timeZone, colour, replyTo, sentence, mailsGifts, ...others } = change;
  const { giftDays, reminderDays, reminderDaysBeforeExpiry, codeAbove, taxLimits, recipientCaps } = others;
  if (timeZone !== undefined) await lockWorkspace(tx, workspaceId);
  const before = await readSettings(tx, workspaceId);
  const times = { timeZone, giftDays, reminderDays, reminderDaysBeforeExpiry };
  await updateGiftSettings(
    tx,
    workspaceId,
    given({
      name: brandName,
      colour,
      replyTo,
      sentence,
      mailsGifts,
      codeAbove,
      taxLimits,
      recipientCaps,
      ...times,
    }) as GiftSettingsChange,
  ).catch(nameBrand);
  const shoutouts = { asksForApproval, allowsSelfRecognition };
  const policies = { refusesUnknownEmployeeNumbers, acceptsLeavers, ...shoutouts, erasureNeedsTwo };
  await updateWorkspace(tx, workspaceId, given({ name, language, ...policies }));
  const after = await readSettings(tx, workspaceId);
  if (changesAnything(before, after))
    await audit(tx, { workspaceId, actor, action: 'settings.changed', detail: change });
  if (after.timeZone !== before.timeZone) await followTimeZone(tx, workspaceId);
  return after;
}

/** Counts again what is counted by day. It holds the workspace's lock. */
export type FollowTimeZone = (tx: Queryable, workspaceId: number) => Promise<void>;

/** Without the settings that are left out. */
export function given<T extends object>(change: T): Partial<T> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** The rules of gifts know the company's name as `name`. */
function nameBrand(error: unknown): never {
  if (!(error instanceof Failure) || error.faults.length === 0) throw error;
  throw invalid(error.faults.map(({ path, problem }) => ({ path: path === 'name' ? 'brandName' : path, problem })));
}
