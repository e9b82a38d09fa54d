import { createCipheriv, createDecipheriv, timingSafeEqual } from 'node:crypto';
import { type ChosenEmail, turnOffEmail } from '../../../company/directory/preferences.ts';
import { inWorkspace } from '../../../company/workspaces/lock.ts';
import type { Database } from '../../../ground/database/database.ts';
import { deriveSecret, type GiftTokenKeys } from '../../gifts/token-keys.ts';
import type { DigestKind } from './plan.ts';

/** Whose email of which kind a link turns off. */
export interface Subscription {
  workspaceId: number;
  memberId: number;
  kind: DigestKind;
}

const kinds: readonly DigestKind[] = ['WEEK', 'MONTH'];

const preferences: Record<DigestKind, ChosenEmail> = { WEEK: 'digest', MONTH: 'managerDigest' };

const versionBytes = 2;
/** One block of the cipher: the kind, the workspace, the member. */
const blockBytes = 16;
const macBytes = 16;

/** The address that turns an email off. It can do nothing else, so programs may follow it, and it works as long as the key is kept. */
export function unsubscribeLink(keys: GiftTokenKeys, publicUrl: string, subscription: Subscription): string {
  return `${publicUrl}/g/unsubscribe/${unsubscribeToken(keys, subscription)}`;
}

function unsubscribeToken(keys: GiftTokenKeys, { workspaceId, memberId, kind }: Subscription): string {
  const block = Buffer.alloc(blockBytes);
  block.writeUInt8(kinds.indexOf(kind));
  block.writeUIntBE(workspaceId, 1, 6);
  block.writeBigUInt64BE(BigInt(memberId), 8);
  const version = Buffer.alloc(versionBytes);
  version.writeUInt16BE(keys.current);
  const cipher = createCipheriv('aes-256-ecb', boxKey(keys, keys.current), null).setAutoPadding(false);
  const head = Buffer.concat([version, cipher.update(block), cipher.final()]);
  return Buffer.concat([head, macOf(keys, keys.current, head)]).toString('base64url');
}

/** Null for a token that is not ours. It is encrypted, so the link does not tell ids. */
export function readUnsubscribeToken(keys: GiftTokenKeys, token: string): Subscription | null {
  const bytes = Buffer.from(token, 'base64url');
  const headBytes = versionBytes + blockBytes;
  if (bytes.length !== headBytes + macBytes || bytes.toString('base64url') !== token) return null;
  const head = bytes.subarray(0, headBytes);
  const version = head.readUInt16BE();
  if (!keys.byVersion.has(version)) return null;
  if (!timingSafeEqual(macOf(keys, version, head), bytes.subarray(headBytes))) return null;
  const decipher = createDecipheriv('aes-256-ecb', boxKey(keys, version), null).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(head.subarray(versionBytes)), decipher.final()]);
  const kind = kinds[block.readUInt8()];
  return kind ? { kind, workspaceId: block.readUIntBE(1, 6), memberId: Number(block.readBigUInt64BE(8)) } : null;
}

function boxKey(keys: GiftTokenKeys, version: number): Buffer {
  return deriveSecret(keys)('unsubscribe-box', version).subarray(0, 32);
}

function macOf(keys: GiftTokenKeys, version: number, head: Buffer): Buffer {
  return deriveSecret(keys)(`unsubscribe:${head.toString('hex')}`, version).subarray(0, macBytes);
}

/** Turns the email off, as often as it is asked for. Nothing happens if the person has been erased. */
export function unsubscribe(database: Database, { workspaceId, memberId, kind }: Subscription): Promise<void> {
  return inWorkspace(database, workspaceId, (tx) => turnOffEmail(tx, workspaceId, memberId, preferences[kind]));
}
