import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { projectDir } from '../support/process.ts';

// All styles of Mantine are twice as large as those of the parts that the console uses, and a part without its style looks broken. So the list
// console/src/mantine.css is compared with what the parts import.

const mantine = join(projectDir, 'node_modules/@mantine/core');
const wholeSheet = readFileSync(join(mantine, 'styles.css'), 'utf8');
const styleOf = (name: string) => readFileSync(join(mantine, 'styles', `${name}.css`), 'utf8');

const listed = [
  ...readFileSync(join(projectDir, 'console/src/mantine.css'), 'utf8').matchAll(
    /@mantine\/core\/styles\/([\w-]+)\.css/g,
  ),
].map(([, name]) => name as string);
const always = ['baseline', 'default-css-variables', 'global'];

/** What files of the console, and the notifications that it shows, import from Mantine. */
function usedParts(): string[] {
  const files = ['console/src/**/*.{ts,tsx}', 'node_modules/@mantine/notifications/esm/**/*.mjs'];
  const sources = globSync(files, { cwd: projectDir }).map((file) => readFileSync(join(projectDir, file), 'utf8'));
  const lists = sources.flatMap((text) => [
    ...text.matchAll(/import (?:type )?\{([^}]*)\} from ["']@mantine\/core["']/g),
  ]);
  return lists.flatMap(([, names = '']) =>
    names
      .split(',')
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, '')
            .split(' ')[0] as string,
      )
      .filter((name) => name !== ''),
  );
}

/** Finds the style sheets that a module of Mantine needs, and those of the modules that it imports. */
function findStyles(file: string, seen: Set<string>, found: Set<string>): void {
  if (seen.has(file) || !existsSync(file)) return;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from\s+["'](\.[^"']+)["']/g)) {
    const target = resolve(dirname(file), path);
    const style = /(\w+)\.module\.mjs$/.exec(target)?.[1];
    if (style) found.add(style);
    findStyles(target, seen, found);
  }
}

test('the console has the styles of the parts of Mantine that it uses, and no others', () => {
  const parts = join(mantine, 'esm');
  const seen = new Set<string>();
  const needed = new Set<string>();
  for (const name of new Set(usedParts()))
    for (const file of globSync(`**/${name}.mjs`, { cwd: parts })) findStyles(join(parts, file), seen, needed);
  assert.ok(needed.size > 20, 'Mantine has its parts elsewhere now');
  assert.deepEqual(listed.toSorted(), [...always, ...needed].sort());
});

test('the styles of Mantine stand in its own sequence, which decides between rules of equal weight', () => {
  const places = listed.map((name) => wholeSheet.indexOf(styleOf(name).trim().slice(0, 200)));
  assert.ok(!places.includes(-1));
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
});
