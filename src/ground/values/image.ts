export interface ImageFacts {
  type: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

/** What an image is, found from its bytes. Null where it is neither PNG nor JPEG, or broken. */
export function readImage(bytes: Buffer): ImageFacts | null {
  const facts = readPng(bytes) ?? readJpeg(bytes);
  return facts && facts.width > 0 && facts.height > 0 ? facts : null;
}

function readPng(bytes: Buffer): ImageFacts | null {
  const begin = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1');
  if (bytes.length < 24 || !bytes.subarray(0, 16).equals(begin)) return null;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** A JPEG is a series of segments. One of the kinds C0 to CF, a frame, has the size; C4, C8 and CC are no frames. */
function readJpeg(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const kind = bytes[at + 1] as number;
    if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind))
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return null;
}
