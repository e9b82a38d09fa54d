import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { cleanUp } from './cleanup.ts';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
}

/** A collector of traces over OTLP (http/protobuf) on a real port. */
export async function startCollector(): Promise<{ url: string; spans: CollectedSpan[]; text(): string }> {
  const spans: CollectedSpan[] = [];
  let text = '';
  const server = createServer(async (request, response) => {
    const pieces = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const sent = Buffer.concat(pieces);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    text += body.toString('latin1');
    // resource_spans = 1, scope_spans = 2, spans = 2
    for (const resource of fieldsOf(body, 1))
      for (const scope of fieldsOf(resource, 2)) for (const span of fieldsOf(scope, 2)) spans.push(readSpan(span));
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, text: () => text };
}

function readSpan(span: Buffer): CollectedSpan {
  const hex = (field: number) => fieldsOf(span, field)[0]?.toString('hex') ?? '';
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentSpanId: hex(4),
    name: fieldsOf(span, 5)[0]?.toString() ?? '',
  };
}

/** The values of a field with a length, in a message of protobuf. */
function fieldsOf(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(message[at++] ?? 0);
      value |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) return Number(value);
    }
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag & 7;
    if (kind === 0) varint();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else {
      const length = varint();
      if (tag >> 3 === wanted) found.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}
