import { constants, existsSync } from 'node:fs';
import { access, type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure } from '../errors.ts';

export interface TextOutput {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

/** A file that the first write creates, with these rights. Whether it can be written is checked at once. */
export async function createTextFile(path: string, mode = 0o666): Promise<TextOutput> {
  const refuse = (cause: NodeJS.ErrnoException) => {
    throw new Failure('setup', `${path} cannot be written (${cause.code}): name a file in another folder.`, { cause });
  };
  await access(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK).catch(refuse);
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
