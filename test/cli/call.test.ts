import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { callFrom } from '../../src/doors/cli/call.ts';
import { cleanUp } from '../support/cleanup.ts';
import { projectDir } from '../support/process.ts';

const folder = await mkdtemp(join(tmpdir(), 'giftwire-call-'));
cleanUp(() => rm(folder, { recursive: true }));
const launcher = '/somewhere/_npx/0123/node_modules/.bin/giftwire';

test('in a clone and below it, messages say npx giftwire', () => {
  for (const place of [projectDir, join(projectDir, 'docs')])
    assert.equal(callFrom(place, join(projectDir, 'bin/giftwire.js')), 'npx giftwire');
});

test('beside an installation, messages say npx giftwire', async () => {
  const project = join(folder, 'project');
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await writeFile(join(project, 'node_modules/.bin/giftwire'), '');
  await mkdir(join(project, 'below'));
  assert.equal(callFrom(join(project, 'below'), launcher), 'npx giftwire');
});

test('where npm would look for a package of that name in a registry, messages name the program that runs', async () => {
  const other = join(folder, 'other');
  await mkdir(other);
  await writeFile(join(other, 'package.json'), '{ "name": "something-else" }');
  assert.equal(callFrom(other, launcher), launcher);
  assert.equal(callFrom(folder, '/opt/my programs/giftwire'), "'/opt/my programs/giftwire'");
});
