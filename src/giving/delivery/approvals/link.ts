import { timingSafeEqual } from 'node:crypto';
import { deriveSecret, type GiftTokenKeys } from '../../gifts/token-keys.ts';

/** What the link in an email to an approver carries: which email. Its row says which orders, which level and whose account. */
export interface LinkedMail {
  workspaceId: number;
  mailId: string;
}

const headBytes = 24;
const macBytes = 22; // 176 bits

/** The page that the email opens. What is behind the # is never sent to a server, so that no log has it. */
export function decisionLink(keys: GiftTokenKeys, publicUrl: string, mail: LinkedMail): string {
  return `${publicUrl}/decide#${decisionToken(keys, mail)}`;
}

function decisionToken(keys: GiftTokenKeys, mail: LinkedMail): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(keys.current);
  head.writeUIntBE(mail.workspaceId, 2, 6);
  head.write(mail.mailId.replaceAll('-', ''), 8, 'hex');
  return Buffer.concat([head, macOf(keys, keys.current, head)]).toString('base64url');
}

/** The email of a token; null where we have not issued it. Checked without a look-up, so that wrong tokens cost nothing. */
export function readDecisionToken(keys: GiftTokenKeys, token: string): LinkedMail | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== headBytes + macBytes || bytes.toString('base64url') !== token) return null;
  const head = bytes.subarray(0, headBytes);
  const keyVersion = head.readUInt16BE();
  if (!keys.byVersion.has(keyVersion)) return null;
  if (!timingSafeEqual(macOf(keys, keyVersion, head), bytes.subarray(headBytes))) return null;
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

function macOf(keys: GiftTokenKeys, keyVersion: number, head: Buffer): Buffer {
  return deriveSecret(keys)(`decision:${head.toString('hex')}`, keyVersion).subarray(0, macBytes);
}
