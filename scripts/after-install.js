// Runs after "npm ci" and "npm install", as plain JavaScript: the Node that is here may be an old one. npm ends its
// warnings (EBADENGINE) without saying what they mean for Giftwire, so this does, and says what comes next. Then it builds the
// web console; where that fails, "npm start" tries again.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const needed = 24;
const majorOf = (version) => Number.parseInt(version, 10);
const own = process.versions.node;
const npms = /node\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? own;

if (majorOf(own) < needed) {
  console.log(
    `Giftwire needs Node ${needed} and npm has none for this machine: install Node ${needed}, then run npm again.`,
  );
} else {
  buildConsole();
  if (majorOf(npms) < needed) {
    console.log(`npm's EBADENGINE warnings are about the Node ${npms} that npm runs on: ignore them.`);
    console.log(`Giftwire runs on the Node ${own} that is now in node_modules. Next: npm start`);
  }
}

function buildConsole() {
  const script = fileURLToPath(new URL('build-console.ts', import.meta.url));
  if (!existsSync(script)) return;
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) console.log('The web console could not be built: npm start tries again. The API does not need it.');
}
