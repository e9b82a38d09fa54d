import { constants } from 'node:fs';
import { access, type FileHandle, open, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { Failure } from '../../ground/errors.ts';

export interface TextOutput {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

/** A file that the first write creates, with these rights. Whether it can be written is checked at once. */
export async function createTextFile(path: string, mode = 0o666): Promise<TextOutput> {
  const refuse = (cause: NodeJS.ErrnoException) => {
    throw new Failure('setup', `${path} cannot be written (${cause.code}): name a file in another folder.`, { cause });
  };
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() || path.endsWith(sep))
    throw new Failure('setup', `${path} is a directory: name a file in it.`);
  await access(found ? path : dirname(resolve(path)), constants.W_OK).catch(refuse);
  let file: FileHandle | undefined;
  return {
    async write(text) {
      file ??= await open(path, 'w', mode).catch(refuse);
      await file.appendFile(text).catch(refuse);
    },
    async end() {
      await file?.close();
    },
  };
}

export function standardOutput(): TextOutput {
  // The failed write rejects its promise, so the event is ignored.
  process.stdout.on('error', () => {});
  return { write: (text) => writeText(process.stdout, text), end: async () => {} };
}

function writeText(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
