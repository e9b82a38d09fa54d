import { constants, existsSync } from 'node:fs';
import { access, type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure } from '../errors.ts';

export interface TextOutput {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

/** A file that is not made before there is something to write; whether it can be is found out before anything happens. */
export async function createTextFile(path: string): Promise<TextOutput> {
  const refuse = (cause: NodeJS.ErrnoException) => {
    throw new Failure('setup', `${path} cannot be written (${cause.code}): name a file in another folder.`, { cause });
  };
  await access(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK).catch(refuse);
  let file: FileHandle | undefined;
  return {
    async write(text) {
      file ??= await open(path, 'w').catch(refuse);
      await file.appendFile(text).catch(refuse);
    },
    async end() {
      await file?.close();
    },
  };
}

export function standardOutput(): TextOutput {
  // The write that failed says so itself.
  process.stdout.on('error', () => {});
  return { write: (text) => writeText(process.stdout, text), end: async () => {} };
}

function writeText(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
