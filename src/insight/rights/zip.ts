import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  name: string;
  content: string | Buffer;
}

/** No attributes of a system: the moment of 1 January 1980, which the format begins with, says nothing about when the file was made. */
const [noTime, firstDay] = [0, 0x21];
/** Names are UTF-8. */
const flags = 0x0800;
const deflated = 8;
const version = 20;

/** A ZIP of a few small files, which are all in memory. Larger than 4 GB is rejected by the fields themselves. */
export function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const data = Buffer.from(content as string);
    const packed = deflateRawSync(data);
    const text = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(version, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(deflated, 4);
    common.writeUInt16LE(noTime, 6);
    common.writeUInt16LE(firstDay, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(text.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([version, 0]);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), madeBy, common, place, text);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, text, packed];
    parts.push(...local);
    offset += local.reduce((sum, one) => sum + one.length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
