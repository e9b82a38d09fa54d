#!/usr/bin/env node
// Giftwire runs on Node 24. npm installs that next to the project, and npm scripts find it first; when this file is
// started by an older Node all the same (`npx` from another folder, a global link), it hands over to the installed one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const needed = 24;
const installed = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= needed) {
  module.enableCompileCache();
  const { main } = await import('../src/main.ts');
  await main(process.argv.slice(2));
} else if (existsSync(installed) && !process.env.GIFTWIRE_HANDED_OVER) {
  const child = spawn(installed, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, GIFTWIRE_HANDED_OVER: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
  child.on('error', (error) => {
    console.error(`The Node that npm installed does not run here (${error.message}): install Node ${needed} yourself.`);
    process.exit(1);
  });
} else {
  console.error(
    `Giftwire needs Node ${needed} or newer and this is ${process.versions.node}: ` +
      `run "npm ci" in its folder on Linux, which brings one along, or install Node ${needed} yourself.`,
  );
  process.exit(1);
}
