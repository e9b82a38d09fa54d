import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import type { GiftSettings } from '../../company/workspaces/gift-settings.ts';
import { setLogo } from '../../company/workspaces/logo.ts';
import { updateSettings, type WorkspaceSettingsChange } from '../../company/workspaces/settings.ts';
import type { Workspace } from '../../company/workspaces/workspaces.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { dashedName } from '../../ground/values/member.ts';
import { followTimeZone } from '../../insight/reports/time-zone.ts';

/** As they were typed. */
export interface GiftSettingOptions {
  timeZone?: string;
  mail?: 'on' | 'off';
  giftDays?: string;
  reminders?: string;
  reminderBeforeExpiry?: string;
  codeAbove?: string;
  taxLimits?: string;
  recipientCaps?: string;
  brandName?: string;
  colour?: string;
  logo?: string;
  replyTo?: string;
  sentence?: string;
}

/** The options of `workspace create` and `workspace update` about gifts, emails and gift pages. `none` removes a setting. */
export function withGiftSettings(command: Command): Command {
  return command
    .option('--time-zone <name>', 'where its days begin and end, for example America/Toronto')
    .addOption(command.createOption('--mail <policy>', 'whether its gifts are emailed').choices(['on', 'off']))
    .option('--gift-days <n>', 'days to claim a gift, or "none" for no expiry')
    .option('--reminders <days>', 'send reminders this many days after the email, for example 3,10; or "none"')
    .option('--reminder-before-expiry <days>', 'send the last reminder this many days before expiry, or "none"')
    .option('--code-above <amount>', 'ask for an emailed code above this amount, or "none"')
    .option('--tax-limits <amounts>', 'what a person may get in a year, for example 500CAD,400USD; or "none"')
    .option(
      '--recipient-caps <amounts>',
      'reject orders above this for a person in a year, for example 500CAD; or "none"',
    )
    .option('--brand-name <name>', 'the company as recipients read it; none: the name')
    .option('--colour <#RRGGBB>', 'the colour of emails and gift pages, or "none"')
    .option('--logo <file>', 'a PNG or JPEG for emails and gift pages, or "none"')
    .option('--reply-to <email>', 'where replies and questions go, or "none"')
    .option('--sentence <text>', 'how a gift is used, in your own words, or "none"');
}

type GiftSetting = Exclude<keyof WorkspaceSettingsChange, keyof Workspace>;
type GiftSettingsChange = Pick<WorkspaceSettingsChange, GiftSetting>;

const optionOf: Record<GiftSetting, keyof GiftSettingOptions> = {
  timeZone: 'timeZone',
  mailsGifts: 'mail',
  giftDays: 'giftDays',
  reminderDays: 'reminders',
  reminderDaysBeforeExpiry: 'reminderBeforeExpiry',
  codeAbove: 'codeAbove',
  taxLimits: 'taxLimits',
  recipientCaps: 'recipientCaps',
  brandName: 'brandName',
  colour: 'colour',
  replyTo: 'replyTo',
  sentence: 'sentence',
};

/** Whether an option about gifts was given. */
export function changesGifts(options: GiftSettingOptions): boolean {
  return options.logo !== undefined || Object.keys(changeOf(options)).length > 0;
}

/** Saves what was given. A wrong value is named by its option. */
export async function saveSettings(
  tx: Queryable,
  workspaceId: number,
  others: WorkspaceSettingsChange,
  options: GiftSettingOptions,
): Promise<void> {
  const { logo } = options;
  if (logo !== undefined)
    await setLogo(tx, atTheCommandLine, workspaceId, logo === 'none' ? null : await readLogoFile(logo));
  const change = { ...others, ...changeOf(options) };
  if (Object.keys(change).length === 0) return;
  await updateSettings(tx, atTheCommandLine, workspaceId, change, followTimeZone).catch((error) => {
    throw error instanceof Failure && error.faults.length > 0 ? namedByOption(error) : error;
  });
}

function changeOf(options: GiftSettingOptions): GiftSettingsChange {
  const given = {
    timeZone: options.timeZone,
    mailsGifts: options.mail && options.mail === 'on',
    giftDays: orNone(options.giftDays, Number),
    reminderDays: options.reminders && (orNone(options.reminders, numbers) ?? []),
    reminderDaysBeforeExpiry: orNone(options.reminderBeforeExpiry, Number),
    codeAbove: orNone(options.codeAbove, Number),
    taxLimits: options.taxLimits && (orNone(options.taxLimits, limits) ?? []),
    recipientCaps: options.recipientCaps && (orNone(options.recipientCaps, limits) ?? []),
    brandName: orNone(options.brandName, String),
    colour: orNone(options.colour, String),
    replyTo: orNone(options.replyTo, String),
    sentence: orNone(options.sentence, String),
  } satisfies Record<GiftSetting, unknown>;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as GiftSettingsChange;
}

function orNone<T>(text: string | undefined, read: (text: string) => T): T | null | undefined {
  return text === 'none' ? null : text === undefined ? undefined : read(text);
}

function numbers(text: string): number[] {
  return text.split(',').map(Number);
}

/** 500CAD,400USD */
function limits(text: string): { currency: string; amount: number }[] {
  return text.split(',').map((one) => {
    const [, amount = '', currency = ''] = /^([\d.]+) ?([A-Za-z]{3})$/.exec(one.trim()) ?? [];
    return { currency: currency.toUpperCase(), amount: Number(amount) };
  });
}

async function readLogoFile(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure('invalid', `${path} cannot be read (${cause.code}): name a PNG or JPEG file.`, { cause });
  });
}

function namedByOption({ faults }: Failure): Failure {
  const lines = faults.map(({ path, problem }) => `--${dashedName(optionOf[path as GiftSetting])} ${problem}`);
  return new Failure('invalid', lines.join('; '));
}

/** The settings as lines for people. */
export function describeGiftSettings(settings: GiftSettings) {
  const { reminderDays, reminderDaysBeforeExpiry: before } = settings;
  const reminders = [
    ...(reminderDays.length > 0 ? [`${reminderDays.join(' and ')} days after the email`] : []),
    ...(before === null ? [] : [`${before} days before expiry`]),
  ];
  return {
    'time zone': settings.timeZone,
    'gifts are emailed': settings.mailsGifts ? 'yes' : 'no',
    'gifts expire': settings.giftDays === null ? 'never' : `after ${settings.giftDays} days`,
    reminders: reminders.join(', ') || 'none',
    'code above': settings.codeAbove,
    'tax limits': settings.taxLimits.map(({ amount, currency }) => `${amount} ${currency}`).join(', ') || 'none',
    'brand name': settings.name,
    colour: settings.colour,
    logo: settings.hasLogo ? 'yes' : 'no',
    'reply to': settings.replyTo,
    sentence: settings.sentence,
  };
}
