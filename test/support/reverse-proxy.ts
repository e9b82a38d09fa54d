import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePort } from '../../bench/programs.ts';
import { selfSigned } from './certificate.ts';
import { cleanUp } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { projectDir } from './process.ts';

/**
 * Starts a web server of the machine with our example for it, in front of the nodes at those addresses (with spaces between them). Returns its
 * own address. An impatient one waits for most answers for a second, if it limits that at all.
 */
export type StartProxy = (upstreams: string, isImpatient?: boolean) => Promise<string>;

const example = (name: string) => readFileSync(join(projectDir, 'deploy', name), 'utf8');

const server = 'server 127.0.0.1:8080 max_fails=1 fail_timeout=2s;';

/** With the example's certificate and addresses replaced by those of the test. */
export const startNginx: StartProxy = async (upstreams, isImpatient = false) => {
  const servers = upstreams.split(' ').map((one) => server.replace('127.0.0.1:8080', one));
  const folder = makeFolder();
  const [http, https] = [await freePort(), await freePort()];
  const { key, cert } = selfSigned();
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  const site = example('nginx.conf')
    .replace(server, servers.join(' '))
    .replaceAll('proxy_read_timeout 75s;', (usual) => (isImpatient ? 'proxy_read_timeout 1s;' : usual))
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${https} ssl http2;`)
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('/etc/ssl/gifts.example.com.pem', join(folder, 'cert.pem'))
    .replace('/etc/ssl/private/gifts.example.com.key', join(folder, 'key.pem'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')} ${site} }`,
  );
  await run(folder, 'nginx', ['-c', file, '-p', folder], https);
  return `https://localhost:${https}`;
};

export const startHaproxy: StartProxy = async (upstreams, isImpatient = false) => {
  const folder = makeFolder();
  const [http, https] = [await freePort(), await freePort()];
  const { key, cert } = selfSigned();
  writeFileSync(join(folder, 'both.pem'), cert + key);
  const servers = upstreams.split(' ').map((one, nth) => `server node${nth} ${one}`);
  const file = join(folder, 'haproxy.cfg');
  const site = example('haproxy.cfg')
    .replace('server one 127.0.0.1:8080', servers.join('\n'))
    .replace('timeout server 75s', (usual) => (isImpatient ? 'timeout server 1s' : usual))
    .replace('bind :80', `bind 127.0.0.1:${http}`)
    .replace('bind :443', `bind 127.0.0.1:${https}`)
    .replace('/etc/ssl/private/gifts.example.com.pem', join(folder, 'both.pem'));
  writeFileSync(file, site);
  await run(folder, 'haproxy', ['-db', '-f', file], https);
  return `https://localhost:${https}`;
};

/** With a certificate of its own making, and without its interface for administrators. */
export const startCaddy: StartProxy = async (upstreams) => {
  const folder = makeFolder();
  const port = await freePort();
  const file = join(folder, 'Caddyfile');
  writeFileSync(
    file,
    `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${example('Caddyfile')}`,
  );
  const env = { GIFTWIRE_DOMAIN: `https://localhost:${port}`, GIFTWIRE_UPSTREAM: upstreams };
  await run(folder, 'caddy', ['run', '--config', file, '--adapter', 'caddyfile'], port, env);
  return `https://localhost:${port}`;
};

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'giftwire-proxy-'));
  // The processes of nginx that read requests run as another user.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'home'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function run(folder: string, command: string, args: string[], port: number, env = {}): Promise<void> {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: join(folder, 'home'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  cleanUp(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${command} has ended: ${said}`);
    return hasCertificate(port);
  });
}

/** Whether a connection can be made safe: Caddy listens before it has made its certificate. */
function hasCertificate(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: 'localhost', servername: 'localhost', rejectUnauthorized: false });
  socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
