import { TextDecoder } from 'node:util';
import { Failure } from '../../ground/errors.ts';
import { encodingByMark, isArchive } from '../../ground/sheets/encoding.ts';
import type { Advice } from './advice.ts';

/**
 * Decodes bytes to text. A byte order mark says UTF-8 or UTF-16; without one the text must be UTF-8. Other bytes are refused:
 * a wrong guess would store wrong names.
 */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  advice: Advice,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let begun: Uint8Array = new Uint8Array();
  let line = 1;
  const read = (chunk: Uint8Array | undefined): string => {
    if (!decoder && isArchive(begun))
      throw new Failure('setup', 'The file is an Excel workbook or another archive: save it as CSV (UTF-8) first.');
    decoder ??= createDecoder(encoding ?? encodingByMark(begun));
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      line += text.split('\n').length - 1;
      return text;
    } catch (cause) {
      throw new Failure(
        'setup',
        `The file is not ${decoder.encoding.toUpperCase()} text (after line ${line}): ${advice.encoding}.`,
        { cause },
      );
    }
  };
  for await (const chunk of bytes) {
    if (decoder) yield read(chunk);
    else {
      begun = Buffer.concat([begun, chunk]);
      if (begun.length >= longestMark) yield read(begun);
    }
  }
  if (!decoder) yield read(begun);
  yield read(undefined);
}

/** Whether the platform knows an encoding by this name. */
export function isEncoding(name: string): boolean {
  try {
    return createDecoder(name) !== null;
  } catch {
    return false;
  }
}

function createDecoder(encoding: string): TextDecoder {
  return new TextDecoder(encoding, { fatal: true });
}

const longestMark = 3;
