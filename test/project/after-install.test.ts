import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDir, runProgram } from '../support/process.ts';

const { scripts } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
  scripts: { prepare: string };
};

/** What npm runs when it has installed the packages, as an npm on that Node would. */
const afterInstall = (node: string) =>
  runProgram('bash', ['-c', scripts.prepare], { npm_config_user_agent: `npm/11.0.0 node/${node} linux x64` });

test("after npm's warnings about an old Node it is said which Node is used, and what comes next", async () => {
  const { code, stdout, stderr } = await afterInstall('v20.20.2');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /EBADENGINE warnings are about the Node 20\.20\.2/);
  assert.match(stdout, new RegExp(`runs on the Node ${process.versions.node.replaceAll('.', '\\.')} .*npm start`));
});

test('a new Node gives no warnings, and nothing is said about them', async () => {
  assert.deepEqual(await afterInstall('v24.1.0'), { code: 0, stdout: '', stderr: '' });
});
