import { type Queryable, queryOptional } from '../database/database.ts';
import { noWorkspace } from './workspaces.ts';

/** What a workspace wants its gifts, mails and gift pages to be like. */
export interface GiftSettings {
  /** The company as people read it: the brand's name, else the workspace's. */
  name: string;
  language: string;
  /** An IANA name, as America/Toronto. Days end there. */
  timeZone: string;
  mailsGifts: boolean;
  /** For how many days a gift can be claimed; null: for good. */
  giftDays: number | null;
  /** Reminders so many days after the mail was sent. */
  reminderDays: number[];
  /** One more reminder so many days before the gift expires; null: none. */
  reminderDaysBeforeExpiry: number | null;
  /** A gift of more than this asks for a code that is mailed to the recipient; null: none does. */
  codeAbove: number | null;
  /** #RRGGBB; null: Giftwire's own. */
  colour: string | null;
  hasLogo: boolean;
  /** The address that replies and questions go to. */
  replyTo: string | null;
  /** How a gift is used, in the company's own words. */
  sentence: string | null;
}

const columns = `
  coalesce(brand_name, name) as name, language, time_zone as "timeZone", mails_gifts as "mailsGifts",
  gift_days as "giftDays", reminder_days as "reminderDays",
  reminder_days_before_expiry as "reminderDaysBeforeExpiry", code_above as "codeAbove", brand_colour as colour,
  brand_logo is not null as "hasLogo", reply_to as "replyTo", gift_sentence as sentence`;

export async function readGiftSettings(on: Queryable, workspaceId: number): Promise<GiftSettings> {
  const found = await queryOptional<GiftSettings>(on, `select ${columns} from workspaces where id = $1`, [workspaceId]);
  if (!found) throw noWorkspace(workspaceId);
  return found;
}
