import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { readImage } from '../../ground/values/image.ts';
import { audit } from './audit.ts';
import { announceGrantChange } from './grant-changes.ts';
import { noWorkspace } from './workspaces.ts';

export interface Logo {
  type: string;
  bytes: Buffer;
}

const mostBytes = 100_000;
/** A picture of more pixels takes an email program long to draw, however few bytes it has. */
const mostPixels = 4_000;

/** Sets the logo of a workspace's emails and gift pages; null removes it. Its type is read from its bytes. */
export async function setLogo(tx: Queryable, actor: Actor, workspaceId: number, bytes: Buffer | null): Promise<void> {
  const type = bytes && checkedType(bytes);
  const workspace = await queryOptional<{ isSame: boolean }>(
    tx,
    'select brand_logo is not distinct from $2 as "isSame" from workspaces where id = $1 for no key update',
    [workspaceId, bytes],
  );
  if (!workspace) throw noWorkspace(workspaceId);
  if (workspace.isSame) return;
  await tx.query('update workspaces set brand_logo = $2, brand_logo_type = $3 where id = $1', [
    workspaceId,
    bytes,
    type,
  ]);
  await announceGrantChange(tx);
  const action = bytes === null ? 'settings.logo_removed' : 'settings.logo_changed';
  await audit(tx, { workspaceId, actor, action });
}

// Long enough that the URL of another company's logo cannot be guessed.
export const mark = `left(encode(sha256(brand_logo), 'hex'), 32)`;

/** What changes when a company changes its logo, for the logo's address; null where it has none. */
export async function readLogoMark(on: Queryable, workspaceId: number): Promise<string | null> {
  const sql = `select ${mark} as mark from workspaces where id = $1`;
  return (await queryOptional<{ mark: string | null }>(on, sql, [workspaceId]))?.mark ?? null;
}

/** The logo; with a mark only the one that has it. */
export function readLogo(on: Queryable, workspaceId: number, itsMark?: string): Promise<Logo | null> {
  return queryOptional<Logo>(
    on,
    `select brand_logo_type as type, brand_logo as bytes
       from workspaces
      where id = $1
        and brand_logo is not null
        and ($2::text is null or ${mark} = $2)`,
    [workspaceId, itsMark ?? null],
  );
}

function checkedType(bytes: Buffer): string {
  if (bytes.length > mostBytes)
    throw new Failure(
      'invalid',
      `The logo has ${Math.ceil(bytes.length / 1_000)} KB, and every email carries it: it may have ${mostBytes / 1_000}. It is shown at most 180 pixels wide and 40 high, so 540 by 120 is enough.`,
    );
  const image = readImage(bytes);
  if (!image)
    throw new Failure(
      'invalid',
      'The logo must be a PNG or JPEG image: mail programs show no SVG. Export it as PNG, about 540 by 120 pixels.',
    );
  if (Math.max(image.width, image.height) > mostPixels)
    throw new Failure(
      'invalid',
      `The logo is ${image.width} by ${image.height} pixels: it may have ${mostPixels} a side, and 540 by 120 is enough.`,
    );
  return image.type;
}
