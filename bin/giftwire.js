#!/usr/bin/env node
// Giftwire runs on Node 24, which npm installs beside it. An older Node that starts this file (`npx`, a global installation)
// hands over to that one. The service and imports get flags of Node, which only a new process can take.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const needed = 24;
const require = createRequire(import.meta.url);
const args = process.argv.slice(2);
const isImport = args[0] === 'members' && args[1] === 'import';
const missingFlags = isImport || args[0] === 'serve' ? memoryFlags() : [];
// Large buffers lie between small arrays that stay. glibc returns the memory of buffers from this size on when they are freed: an import sends many of
// medium size, and the service reads large bodies.
const environment = { MALLOC_MMAP_THRESHOLD_: isImport ? '131072' : '1048576', ...process.env };
const isNewEnough = Number.parseInt(process.versions.node, 10) >= needed;
const node = isNewEnough ? process.execPath : installedNode();

if (isNewEnough && missingFlags.length === 0) await run();
else if (node !== null) handOver([node, ...process.execArgv, ...missingFlags, ...process.argv.slice(1)]);
else {
  console.error(
    `Giftwire needs Node ${needed} or newer and this is ${process.versions.node}: install Node ${needed}, or ` +
      'install Giftwire on Linux with its optional dependencies, which include one.',
  );
  process.exitCode = 1;
}

/** A clone has the source. The package that is published has JavaScript alone: Node runs no TypeScript under node_modules. */
async function run() {
  module.enableCompileCache();
  const source = new URL('../src/main.ts', import.meta.url);
  const { main } = await import(existsSync(source) ? source.href : '../dist/main.js');
  await main(args);
}

/** Those of package.json that nobody has set, or set to the opposite. */
function memoryFlags() {
  const { v8 } = require('../package.json').config;
  const given = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`;
  return v8.split(' ').filter((flag) => !given.includes(flag.replace(/^--(no-)?|=.*$/g, '')));
}

/** npm may put it beside Giftwire's own folder or inside. */
function installedNode() {
  try {
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), 'bin/node');
  } catch {
    return null;
  }
}

/** In place of this process where Node can do that, so that signals and the exit code need no forwarding. */
function handOver([program, ...rest]) {
  if (process.execve) process.execve(program, [program, ...rest], environment);
  const child = spawn(program, rest, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
  child.on('error', (error) => {
    console.error(`The Node that npm installed does not run here (${error.message}): install Node ${needed} yourself.`);
    process.exit(1);
  });
}
