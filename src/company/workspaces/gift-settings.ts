import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { type Fault, invalid } from '../../ground/errors.ts';
import { type GiftSettings, type GiftSettingsChange, giftSettingProblem } from './gift-setting-rules.ts';
import { announceGrantChange } from './grant-changes.ts';
import { noWorkspace } from './workspaces.ts';

export type { GiftSettings, GiftSettingsChange } from './gift-setting-rules.ts';

const columns = `
  coalesce(brand_name, name) as name, language, time_zone as "timeZone", mails_gifts as "mailsGifts",
  gift_days as "giftDays", reminder_days as "reminderDays",
  reminder_days_before_expiry as "reminderDaysBeforeExpiry", code_above as "codeAbove", tax_limits as "taxLimits",
  recipient_caps as "recipientCaps", brand_colour as colour,
  brand_logo is not null as "hasLogo", reply_to as "replyTo", gift_sentence as sentence`;

const columnOf: Record<keyof GiftSettingsChange, string> = {
  name: 'brand_name',
  timeZone: 'time_zone',
  mailsGifts: 'mails_gifts',
  giftDays: 'gift_days',
  reminderDays: 'reminder_days',
  reminderDaysBeforeExpiry: 'reminder_days_before_expiry',
  codeAbove: 'code_above',
  taxLimits: 'tax_limits',
  recipientCaps: 'recipient_caps',
  colour: 'brand_colour',
  replyTo: 'reply_to',
  sentence: 'gift_sentence',
};

export async function readGiftSettings(on: Queryable, workspaceId: number): Promise<GiftSettings> {
  const found = await queryOptional<GiftSettings>(on, `select ${columns} from workspaces where id = $1`, [workspaceId]);
  if (!found) throw noWorkspace(workspaceId);
  return found;
}

/** Changes the settings that are given; the others stay. Throws a Failure that names every invalid setting. */
export async function updateGiftSettings(
  tx: Queryable,
  workspaceId: number,
  change: GiftSettingsChange,
): Promise<GiftSettings> {
  const given = (Object.keys(columnOf) as Setting[]).filter((key) => change[key] !== undefined);
  const faults = await findFaults(tx, change, given);
  if (faults.length > 0) throw invalid(faults);
  if (given.length === 0) return readGiftSettings(tx, workspaceId);
  const updated = await queryOptional<GiftSettings>(
    tx,
    `update workspaces
        set ${given.map((key, nth) => `${columnOf[key]} = $${nth + 2}`).join(', ')}
      where id = $1
     returning ${columns}`,
    [workspaceId, ...given.map((key) => stored(key, change[key]))],
  );
  if (!updated) throw noWorkspace(workspaceId);
  await announceGrantChange(tx);
  return updated;
}

type Setting = keyof GiftSettingsChange;

async function findFaults(tx: Queryable, change: GiftSettingsChange, given: readonly Setting[]): Promise<Fault[]> {
  const faults = given.flatMap((path): Fault[] => {
    const problem = giftSettingProblem(path, change[path]);
    return problem === null ? [] : [{ path, problem }];
  });
  if (change.timeZone === undefined || faults.some(({ path }) => path === 'timeZone')) return faults;
  // PostgreSQL computes with the time zone too, and has a list of its own.
  const known = await tx.query('select from pg_timezone_names where name = $1', [change.timeZone]);
  if (known.length > 0) return faults;
  return [...faults, { path: 'timeZone', problem: 'is not known to the database: write it as America/Toronto' }];
}

function stored(key: Setting, value: GiftSettingsChange[Setting]) {
  if (key === 'taxLimits' || key === 'recipientCaps') return JSON.stringify(value);
  if (typeof value !== 'string') return value;
  return key === 'colour' ? value.toUpperCase() : value.trim();
}
