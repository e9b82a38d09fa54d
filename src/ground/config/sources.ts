import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wrong } from './texts.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The text of a setting: in the variable of its name, or in the file that the variable with _FILE behind the name names, so that a
 * secret need not stand in the environment. A blank text counts as absent.
 */
export function textOf(name: string, env: Env): string | null {
  const text = env[name]?.trim() || null;
  const file = env[`${name}_FILE`]?.trim();
  if (!file) return text;
  if (text !== null) throw wrong(name, `is set twice: here and in the file of ${name}_FILE. Leave one out`);
  return readText(file, `${name}_FILE`) || null;
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw wrong(name, `names a file that cannot be read (${(error as Error).message})`);
  }
}

/**
 * Where data lives without a setting. A clone keeps it in its own folder. An installed package is replaced at each upgrade, so its
 * data is where the XDG Base Directory Specification puts data of a user.
 */
export function dataFolder(env: Env, isClone = import.meta.url.endsWith('.ts')): string {
  if (isClone) return fileURLToPath(new URL('../../../.giftwire', import.meta.url));
  const home = env.XDG_DATA_HOME;
  return join(home && isAbsolute(home) ? home : join(homedir(), '.local/share'), 'giftwire');
}
