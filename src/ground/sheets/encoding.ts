/** The encoding that a byte order mark names; UTF-8 without one. */
export function encodingByMark([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Whether bytes begin as a ZIP archive does, which every Excel workbook is. */
export function isArchive([first, second, third]: Uint8Array): boolean {
  return first === 0x50 && second === 0x4b && third === 0x03;
}
