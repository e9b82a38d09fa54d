import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { chart, floors, groups, knownTo, mayImport } from '../support/modules.ts';
import { files, importsOf, moduleOf, read, root } from '../support/source-files.ts';

/** The package that an import names; nothing for our own files and for Node's modules. */
function libraryOf(target: string): string[] {
  if (target.startsWith('src/') || target.startsWith('node:') || target === 'package.json') return [];
  const [scope = '', name] = target.split('/');
  return [scope.startsWith('@') ? `${scope}/${name}` : scope];
}

test('arrows between modules point down', () => {
  for (const file of files) {
    const module = moduleOf(file.path);
    for (const target of importsOf(file).filter((one) => one.startsWith('src/'))) {
      const allowed = [module, ...(mayImport[module] ?? [])];
      assert.ok(allowed.includes(moduleOf(target)), `${file.path} may not import ${target}`);
    }
  }
});

const atTheRoot = files.filter(({ path }) => path.split('/').length === 2).map(({ path }) => moduleOf(path));

test('arrows between groups point down, and each module is in its group', () => {
  for (const { path } of files) {
    const [, group = ''] = path.split('/');
    if (group.endsWith('.ts')) continue;
    assert.ok(
      groups[group]?.modules.includes(moduleOf(path)),
      `${path}: list its module in ${group} (test/support/modules.ts)`,
    );
  }
  for (const [group, { modules, dependsOn }] of Object.entries(groups)) {
    // The command line starts the whole program.
    const whole = group === 'doors' ? atTheRoot : [];
    const allowed = [...whole, ...[group, ...dependsOn].flatMap((name) => groups[name]?.modules ?? [])];
    for (const module of modules) {
      const others = (mayImport[module] ?? []).filter((below) => !allowed.includes(below));
      assert.deepEqual(others, [], `${module} is in the group ${group}, which may not import these`);
    }
  }
});

test('a library is known only to the modules that it was chosen for', () => {
  const used = new Set<string>();
  for (const file of files) {
    for (const library of importsOf(file).flatMap(libraryOf)) {
      const module = moduleOf(file.path);
      assert.ok(knownTo[library]?.includes(module), `${file.path} may not import ${library} (test/support/modules.ts)`);
      used.add(`${library} in ${module}`);
    }
  }
  const listed = Object.entries(knownTo).flatMap(([library, modules]) =>
    modules.map((module) => `${library} in ${module}`),
  );
  assert.deepEqual(
    [...used].sort(),
    listed.sort(),
    'test/support/modules.ts lists a module that does not use its library',
  );
});

test('every dependency has a module that owns it', () => {
  assert.deepEqual(
    Object.keys(knownTo).sort(),
    [...Object.keys(packageJson.dependencies), '@giftwire/sdk'].sort(),
    'list each dependency of package.json in test/support/modules.ts, with the modules that may import it',
  );
});

test('the SDK imports its own files alone', () => {
  for (const path of globSync('sdk/src/**/*.ts', { cwd: root })) {
    const text = read(path);
    for (const target of importsOf({ path, text }))
      assert.ok(target.startsWith('sdk/src/'), `${path} imports ${target}`);
    if (path === 'sdk/src/generated.ts') continue;
    assert.ok(text.split('\n').length <= 300, `${path} is longer than 300 lines`);
  }
});

test('of src the console imports what runs in a browser: values, sheets and errors, without a library', () => {
  const allowed = /^src\/ground\/(?:values\/|sheets\/|errors\.ts$)/;
  const seen = new Set<string>();
  const visit = (path: string, from: string) => {
    assert.match(path, allowed, `${from} may not import ${path}`);
    if (seen.has(path)) return;
    seen.add(path);
    const text = read(path);
    assert.doesNotMatch(text, /\b(?:Buffer|process)\./, `${path} does not run in a browser`);
    for (const target of importsOf({ path, text })) visit(target, path);
  };
  for (const path of globSync('console/src/**/*.{ts,tsx}', { cwd: root }))
    for (const target of importsOf({ path, text: read(path) })) if (target.startsWith('src/')) visit(target, path);
  assert.ok(seen.has('src/ground/sheets/headers.ts'));
});

test('modules are listed as they are, and ARCHITECTURE.md shows them', () => {
  assert.deepEqual([...new Set(files.map(({ path }) => moduleOf(path)))].sort(), floors().flat().sort());
  const architecture = read('ARCHITECTURE.md');
  const shown = /<!-- imports -->\n\n(.*)\n\n<!-- \/imports -->/s.exec(architecture)?.[1];
  assert.equal(shown, chart(), `The chart in ARCHITECTURE.md is stale. This is the right one:\n\n${chart()}\n`);
});

test('the kernel of http knows no area, and areas do not know each other', () => {
  const areas = new Set(files.flatMap(({ path }) => /^src\/doors\/http\/areas\/(\w[^/]*)\//.exec(path)?.[1] ?? []));
  for (const file of files.filter(
    ({ path }) => path.startsWith('src/doors/http/') && path !== 'src/doors/http/areas.ts',
  )) {
    const own = /^src\/doors\/http\/areas\/([^/]+)\//.exec(file.path)?.[1];
    for (const target of importsOf(file)) {
      const area = /^src\/doors\/http\/areas\/([^/]+)\//.exec(target)?.[1];
      assert.ok(area === undefined || area === own, `${file.path} may not import ${target}`);
    }
    if (own !== undefined) continue;
    const named = [...areas, 'metrics', 'openapi.json'].find((name) => new RegExp(`['"\`]/${name}\\b`).test(file.text));
    assert.equal(named, undefined, `${file.path} names an address of the area ${named}: the area has to declare it`);
  }
});

test('only config.ts reads the environment', () => {
  const readers = files.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
  assert.deepEqual(readers, ['src/ground/config/config.ts']);
});

test('everything exported is used by another file', () => {
  const others = globSync(['test/**/*.ts', 'console/src/**/*.{ts,tsx}'], { cwd: root });
  const users = new Map<string, Set<string>>();
  for (const { path, text } of [...files, ...others.map((one) => ({ path: one, text: read(one) }))])
    for (const word of new Set(text.match(/\w+/g))) users.set(word, (users.get(word) ?? new Set()).add(path));
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(/^export (?:async )?(?:function|class|const|interface|type) (\w+)/gm)) {
      const inside = text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
      const isShape = new RegExp(`^export (interface|type) ${name}\\b`, 'm').test(text);
      const isUsed = (users.get(name)?.size ?? 0) > 1;
      assert.ok(
        isUsed || (isShape && inside > 1) || path === 'src/main.ts',
        `${path} exports ${name}, which nothing uses`,
      );
    }
  }
});

/** Names with two homes on purpose: the rule that compares addresses, in JavaScript and in SQL. */
const twoHomes = ['addressKey'];

test('an exported name has one home, and so one meaning', () => {
  const homes = new Map<string, Set<string>>();
  const exported = /^export (?:async )?(?:function\*?|class|const|interface|type) (\w+)(.*)/gm;
  for (const { path, text } of files) {
    // The texts of each language have the same names.
    const home = path.replace(/\/words\/(?:en|fr|es)\//, '/words/');
    for (const [, name = '', rest = ''] of text.matchAll(exported)) {
      // A resource of the API is named as its path, and area.ts alone imports it.
      if (!rest.startsWith(': Resource ')) homes.set(name, (homes.get(name) ?? new Set()).add(home));
    }
  }
  const several = [...homes].filter(([name, paths]) => paths.size > 1 && !twoHomes.includes(name));
  assert.deepEqual(
    several.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`),
    [],
    'rename one of them, or let one file have what both need',
  );
  assert.ok(homes.size > 1_000);
});

test('no files import each other in a circle', () => {
  // Imports of types count too: a circle hides which file is the lower one. Not by Biome's rule, which reads every file of node_modules for it.
  const paths = globSync('{src,console/src,sdk/src,test,bench,scripts}/**/*.{ts,tsx}', { cwd: root });
  const imports = new Map(paths.map((path) => [path, importsOf({ path, text: read(path) })]));
  const done = new Set<string>();
  const visit = (path: string, way: string[]) => {
    assert.ok(!way.includes(path), `these import each other: ${[...way.slice(way.indexOf(path)), path].join(' → ')}`);
    if (done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of paths) visit(path, []);
  assert.ok([...imports.values()].flat().filter((target) => imports.has(target)).length > paths.length);
});

test('a file is one idea: none has more than 300 lines', () => {
  for (const { path, text } of files) assert.ok(text.split('\n').length <= 300, path);
});

/** Paths of the files whose text matches. */
function filesWith(pattern: RegExp): string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

test('who a member is stands in directory/who.ts alone: others embed its fragments', () => {
  assert.deepEqual(filesWith(/coalesce\([^,()]*merged_into/), ['src/company/directory/who.ts'], 'use survivorOf');
  assert.deepEqual(
    filesWith(/merged_into is (not )?null/),
    ['src/company/directory/who.ts'],
    'use isSurvivor or isPerson',
  );
  assert.deepEqual(filesWith(/deprovisioned_at is/), ['src/company/directory/who.ts'], 'use isUser or isDeprovisioned');
  assert.deepEqual(
    filesWith(/left_at[^ ]* at time zone|\.left_at`, zone/),
    ['src/company/directory/who.ts'],
    'use leftOn',
  );
  assert.deepEqual(
    filesWith(/\bemail_key = (?!any\()/),
    ['src/company/directory/who.ts'],
    'use hasEmail or memberByAddress',
  );
  const ofLogins = /addressKey\([^)]*user_name[^)]*\)\} = (?!any\()/;
  assert.deepEqual(filesWith(ofLogins), ['src/company/directory/who.ts'], 'use hasLogin or memberByLogin');
});

test('when two addresses are the same stands in directory/who.ts and values/email.ts alone', () => {
  const sql = /\blower\(.*(?:email|user_name|address|login|manager_reference)|(?:email_key|user_name)\b.*\blower\(/;
  // directory/write.ts makes the text of a search, which is no address, although it has one in it.
  const homes = ['src/company/directory/who.ts', 'src/ground/values/email.ts', 'src/company/directory/write.ts'];
  const others = filesWith(sql).filter((path) => !homes.includes(path));
  assert.deepEqual(others, [], 'use addressKey of src/company/directory/who.ts');
  const script = /\b\w*(?:email|userName|address|login|manager)\w*\b[^\n]*\.toLowerCase\(\)/i;
  assert.deepEqual(filesWith(script), [], 'use addressKey of src/ground/values/email.ts');
});

test('orders and shoutouts refuse people in the same words', () => {
  const words = /has left the workspace and takes|is not known in this workspace/;
  assert.deepEqual(filesWith(words), ['src/company/directory/recipient-rules.ts'], 'use refusals');
});

test('a kind of text has one length and one message', () => {
  const messages =
    /must be text without NUL|must be an e-mail address'|must be a current ISO 4217|must have at most .* characters/;
  const homes = ['src/ground/values/email.ts', 'src/ground/values/money.ts', 'src/ground/values/text.ts'];
  assert.deepEqual(filesWith(messages).sort(), homes, 'use the messages of src/ground/values');
  assert.deepEqual(filesWith(/\b254\b/), ['src/ground/values/text.ts'], 'use longest');
});

test('which reasons are offered stands in recognition/reasons.ts alone', () => {
  assert.deepEqual(filesWith(/retired_at is/), ['src/giving/recognition/reasons.ts'], 'use isOffered');
});

test('the status and the total of an order are read in one way', () => {
  assert.deepEqual(filesWith(/\bas finished\b/), ['src/giving/orders/status.ts'], 'embed statusColumns');
  assert.deepEqual(filesWith(/sum\(\(item ->> 'amount'\)/), ['src/giving/budgets/cost.ts'], 'embed orderTotal');
});

test('kinds of spending options are named by their table, by the demo company and in an example', () => {
  const named = ['src/doors/cli/examples.ts', 'src/doors/demo/spending.ts', 'src/ground/values/spending-kinds.ts'];
  assert.deepEqual(filesWith(/\b(PAYROLL|HAND|POOL|TILL)\b/).sort(), named, 'ask spendingKinds for the rule of a kind');
});

test('a field of people is named where it is declared, in texts about it and in examples', () => {
  const named = [
    'cli/examples.ts',
    'demo/people.ts',
    'contract/member-fields.ts',
    'sheets/headers.ts',
    'values/member.ts',
  ];
  const found = filesWith(/\bcostCentre\b/).map((path) => path.split('/').slice(2).join('/'));
  assert.deepEqual(found.sort(), named.sort(), 'use unitFields, groupFields or openFields');
});

test('the module that makes a change writes its audit entry: no entry point does', () => {
  const writers = filesWith(/import \{[^}]*\baudit\b[^}]*\} from '[^']*workspaces\/audit\.ts'/);
  const others = writers.filter((path) => !/^src\/(?:company|giving|spending|insight)\//.test(path));
  assert.ok(writers.length > 10);
  assert.deepEqual(others, [], 'let the function that makes the change take the actor and call audit');
});

test('ARCHITECTURE.md names files that exist', () => {
  const paths = globSync(['*.md', '{src,test,console/src,sdk/src,docs}/**/*.*'], { cwd: root }).map(
    (path) => `/${path}`,
  );
  for (const [, named = ''] of read('ARCHITECTURE.md').matchAll(/`([\w{},*./-]+\.(?:tsx?|md|sha256))`/g)) {
    const [, before = '', choices = '', after = ''] = /^([^{]*)(?:\{(.*)\}(.*))?$/.exec(named) ?? [];
    for (const path of choices === '' ? [named] : choices.split(',').map((one) => before + one + after)) {
      const form = new RegExp(`/${path.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`);
      assert.ok(
        paths.some((one) => form.test(one)),
        `there is no file ${path}`,
      );
    }
  }
});

test('what being recognized writes stands in recognition/record.ts alone', () => {
  const record = 'src/giving/recognition/record.ts';
  assert.deepEqual(filesWith(/insert into activities\b/), [record], 'embed recordingRecognition');
  const users = filesWith(/\bmovingLastRecognition\(/);
  assert.deepEqual(users.sort(), ['src/company/directory/last-recognition.ts', record], 'embed recordingRecognition');
});
