import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * How people call this program from the folder that they are in, for messages to paste. `npx giftwire` is right only in a clone or an installation:
 * elsewhere npm would look for a package of that name, which may be another program.
 */
export function callFrom(folder: string, launcher: string): string {
  if (hasGiftwire(folder)) return 'npx giftwire';
  return launcher.includes(' ') ? `'${launcher}'` : launcher;
}

/** As npm looks for it: in the nearest project, and in the project's packages. */
function hasGiftwire(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) || existsSync(join(folder, 'node_modules')))
    return existsSync(join(folder, 'node_modules/.bin/giftwire')) || nameIn(manifest) === 'giftwire';
  return dirname(folder) !== folder && hasGiftwire(dirname(folder));
}

function nameIn(manifest: string): unknown {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).name;
  } catch {
    return null;
  }
}

export const giftwire = callFrom(process.cwd(), process.argv[1] ?? 'giftwire');
