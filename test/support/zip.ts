import { inflateRawSync } from 'node:zlib';

/** The files of a ZIP, read by its directory as other programs do. */
export function unzip(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let nth = 0; nth < zip.readUInt16LE(end + 10); nth++) {
    const [size, nameLength, local] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const begin = local + 30 + zip.readUInt16LE(local + 26);
    files.set(name, inflateRawSync(zip.subarray(begin, begin + size)).toString());
    at += 46 + nameLength;
  }
  return files;
}
