import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConnectionPool, mostConnections, pools } from '../../src/ground/database/pools.ts';
import { projectDir } from '../support/process.ts';

const read = (path: string) => readFileSync(join(projectDir, path), 'utf8');

test('docs/operate.md says how many connections a process of each role needs', () => {
  const right =
    `| Connections to PostgreSQL | up to ${mostConnections('all')} for a process; with \`GIFTWIRE_ROLE\` ` +
    `${mostConnections('api')} for \`api\`, ${mostConnections('worker')} for \`worker\`. ` +
    `A command of the command line uses up to ${pools.commands.maxConnections} |`;
  assert.ok(read('docs/operate.md').includes(right), `docs/operate.md lacks this row:\n\n${right}\n`);
});

test('every pool is sized in pools.ts, and has a name of its own', () => {
  const sized = globSync('src/**/*.ts', { cwd: projectDir }).filter((path) => /maxConnections: \d/.test(read(path)));
  assert.deepEqual(sized, ['src/ground/database/pools.ts']);
  const names = Object.values<ConnectionPool>(pools).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});
