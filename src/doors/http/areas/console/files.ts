import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Compressed, compressed } from '../../compressed.ts';

export interface ConsoleFile extends Compressed {
  type: string;
}

export interface Build {
  /** index.html. */
  page: string;
  /** By name. The names have a hash of the content. */
  assets: ReadonlyMap<string, ConsoleFile>;
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the build, and reads it again when another one has been made: then the time of index.html, which is written last, differs. */
export function followBuild(folder: string): () => Build | null {
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

function readAsset(path: string): ConsoleFile {
  return { type: types[extname(path)] as string, ...compressed(readFileSync(path)) };
}
