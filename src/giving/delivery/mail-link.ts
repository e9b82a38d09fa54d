import { timingSafeEqual } from 'node:crypto';
import { deriveSecret, type GiftTokenKeys } from '../gifts/token-keys.ts';

/** What the link in an email to an approver or a manager carries: which email. Its row says what it is about, and who it is for. */
export interface LinkedMail {
  workspaceId: number;
  mailId: string;
}

/** The pages that such links open, and what their tokens are derived from. */
const purposes = { decide: 'decision', note: 'manager' } as const;
type LinkedPage = keyof typeof purposes;

const headBytes = 24;
const macBytes = 22; // 176 bits

/** The page that the email opens. What is behind the # is never sent to a server, so that no log has it. */
export function mailLink(keys: GiftTokenKeys, publicUrl: string, page: LinkedPage, mail: LinkedMail): string {
  return `${publicUrl}/${page}#${mailToken(keys, page, mail)}`;
}

function mailToken(keys: GiftTokenKeys, page: LinkedPage, mail: LinkedMail): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(keys.current);
  head.writeUIntBE(mail.workspaceId, 2, 6);
  head.write(mail.mailId.replaceAll('-', ''), 8, 'hex');
  return Buffer.concat([head, macOf(keys, page, keys.current, head)]).toString('base64url');
}

/** The email of a token; null where we have not issued it for this page. Checked without a look-up, so that wrong tokens cost nothing. */
export function readMailToken(keys: GiftTokenKeys, page: LinkedPage, token: string): LinkedMail | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== headBytes + macBytes || bytes.toString('base64url') !== token) return null;
  const head = bytes.subarray(0, headBytes);
  const keyVersion = head.readUInt16BE();
  if (!keys.byVersion.has(keyVersion)) return null;
  if (!timingSafeEqual(macOf(keys, page, keyVersion, head), bytes.subarray(headBytes))) return null;
  const mailId = head.toString('hex', 8).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { workspaceId: head.readUIntBE(2, 6), mailId };
}

/** What a form on the page sends back: the page that was shown asked about these orders at this level, as they were then. */
export function formToken(keys: GiftTokenKeys, { workspaceId, mailId }: LinkedMail, shown: readonly string[]): string {
  const text = [workspaceId, mailId, ...shown].join(':');
  return deriveSecret(keys)(`decision-form:${text}`, keys.current).toString('base64url');
}

export function isFormToken(keys: GiftTokenKeys, mail: LinkedMail, shown: readonly string[], given: string): boolean {
  const [expected, sent] = [formToken(keys, mail, shown), given].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}

function macOf(keys: GiftTokenKeys, page: LinkedPage, keyVersion: number, head: Buffer): Buffer {
  return deriveSecret(keys)(`${purposes[page]}:${head.toString('hex')}`, keyVersion).subarray(0, macBytes);
}
