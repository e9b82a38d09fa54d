import { encodingByMark } from '../../../../../src/ground/sheets/encoding.ts';

/** The text of a file as Excel, LibreOffice and payroll systems write it: UTF-8 with or without its mark, UTF-16, else Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingByMark(bytes), { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
