import { crc32, deflateSync } from 'node:zlib';
import type { GiftSettings } from '../../src/company/workspaces/gift-settings.ts';
import type { MailToCompose } from '../../src/giving/delivery/compose/letter.ts';
import type { Gift } from '../../src/giving/gifts/gift.ts';

export const sampleGift: Gift = {
  workspaceId: 1,
  requestId: '0198c1de-7a54-7c3e-9f2b-4f1f6b1f8f10',
  position: 0,
  id: 1,
  keyVersion: 1,
  edition: 0,
  tokenVersion: 2,
  state: 'ISSUED',
  amount: 75,
  redeemed: 0,
  currency: 'CAD',
  message:
    'Mei, the payroll move went live on a Friday night and nobody noticed. That is the highest praise I know. You kept eleven people calm and still found time to write it all down. Please go and have a very good dinner.',
  reason: 'Above and beyond',
  occasion: null,
  language: 'EN_CA',
  customerRequestId: null,
  senderId: 1,
  senderName: 'Ada Okafor',
  memberId: 2,
  firstName: 'Mei',
  lastName: 'Tanaka',
  employeeNumber: '1007',
  email: 'mei@northwind.example',
  issuedAt: new Date('2026-11-14T15:41:00Z'),
  // The end of 31 March in Toronto.
  expiresAt: new Date('2027-04-01T04:00:00Z'),
  viewedAt: null,
  claimedAt: null,
  thanks: 'Ada, you made my week. Dinner is booked, and I am taking the whole night shift along.',
};

export const sampleSettings: GiftSettings = {
  name: 'Northwind Labs',
  language: 'EN_CA',
  timeZone: 'America/Toronto',
  mailsGifts: true,
  giftDays: null,
  reminderDays: [3, 10],
  reminderDaysBeforeExpiry: 7,
  codeAbove: null,
  taxLimits: [],
  recipientCaps: [],
  colour: null,
  hasLogo: false,
  replyTo: 'people@northwind.example',
  sentence: null,
};

/** What a mail is made of, with a test's changes. */
export function aMail(
  changes: Partial<Omit<MailToCompose, 'gift' | 'settings'>> & {
    gift?: Partial<Gift>;
    settings?: Partial<GiftSettings>;
  } = {},
): MailToCompose {
  const publicUrl = 'https://gifts.northwind.example';
  return {
    kind: 'GIFT',
    shortToken: '7K4Q-M2XD-9RTW-3HBN',
    links: {
      page: `${publicUrl}/g#AAEAAAAAAAAAAQk3mVx0Jd2PqLz8sYtR5uWvXa7bCdEf`,
      codePage: `${publicUrl}/g`,
      quiet: `${publicUrl}/g/quiet/AAEAAAAAAAAAAQ9xKcTn`,
    },
    ...(changes.kind === 'CODE' && { code: '482913' }),
    ...(changes.kind === 'DECISION' && {
      decision: { isDone: true, option: 'Food bank', amount: 75, note: 'Donated.' },
    }),
    ...changes,
    gift: { ...sampleGift, ...changes.gift },
    settings: { ...sampleSettings, ...changes.settings },
  };
}

/** A PNG of one colour. */
export function aPng(width: number, height: number, [red, green, blue]: readonly number[] = [18, 60, 120]): Buffer {
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(3 * width, Buffer.from([red, green, blue] as number[]))]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
