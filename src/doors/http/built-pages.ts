import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../ground/errors.ts';
import { type Compressed, compressed, encodingFor, sendAs } from './compressed.ts';
import { unbuiltPage } from './unbuilt.ts';

interface BuiltFile extends Compressed {
  type: string;
}

interface Build {
  /** index.html. */
  page: string;
  /** By name. The names have a hash of the content. */
  assets: ReadonlyMap<string, BuiltFile>;
}

/** The files that Vite has built for a browser: the console, and the employees' app. */
export interface BuiltPages {
  /** index.html; null while it is not built. */
  page: () => string | null;
  sendAsset: (request: FastifyRequest, reply: FastifyReply, name: string) => FastifyReply;
}

const keptForGood = 'public, max-age=31536000, immutable';
const html = 'text/html; charset=utf-8';
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

export function followBuiltPages(folder: string): BuiltPages {
  const build = followBuild(folder);
  return {
    page: () => build()?.page ?? null,
    sendAsset: (request, reply, name) => {
      const file = build()?.assets.get(name);
      if (!file) throw new Failure('missing', 'This path does not exist.');
      return sendAs(reply.header('Cache-Control', keptForGood).type(file.type), file, encodingFor(request));
    },
  };
}

/** Sends a page with its content policy; null: it is being built. */
export function sendBuiltPage(reply: FastifyReply, page: string | null, policy: string): FastifyReply {
  if (page === null) return reply.code(503).header('Retry-After', '5').type(html).send(unbuiltPage);
  return reply.header('Content-Security-Policy', policy).type(html).send(page);
}

/** Reads the build, and reads it again when another one has been made: then the time of index.html, which is written last, differs. */
function followBuild(folder: string): () => Build | null {
  let kept: { build: Build; writtenMs: number } | null = null;
  return () => {
    const writtenMs = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
    if (writtenMs === undefined) return null;
    if (kept?.writtenMs !== writtenMs) kept = { build: readBuild(folder), writtenMs };
    return kept.build;
  };
}

function readBuild(folder: string): Build {
  const names = readdirSync(join(folder, 'asset')).filter((name) => types[extname(name)]);
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    assets: new Map(names.map((name) => [name, readAsset(join(folder, 'asset', name))])),
  };
}

function readAsset(path: string): BuiltFile {
  return { type: types[extname(path)] as string, ...compressed(readFileSync(path)) };
}
