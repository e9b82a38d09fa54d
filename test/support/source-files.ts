import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { groups } from './modules.ts';

export const root = join(import.meta.dirname, '../..');
export const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** The files of src/, for tests of its structure. */
export const files = globSync('src/**/*.ts', { cwd: root }).map((path) => ({ path, text: read(path) }));

/** The module that a file of src/ belongs to: a folder or a file in one of the groups, or a file at the root. */
export function moduleOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  return (Object.hasOwn(groups, first) ? second : first).replace(/\.ts$/, '');
}

export function importsOf({ path, text }: { path: string; text: string }): string[] {
  const found = text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';|^import '([^']+)';|\bimport\('([^']+)'\)/gms);
  return [...found].map((match) => {
    const target = (match[1] ?? match[2] ?? match[3]) as string;
    return target.startsWith('.') ? join(dirname(path), target) : target;
  });
}
