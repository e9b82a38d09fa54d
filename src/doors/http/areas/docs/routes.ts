import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../../ground/errors.ts';
import { type Compressed, compressed, encodingFor, sendAs } from '../../compressed.ts';
import type { OpenApiDocument } from './document.ts';
import { writeFiles } from './pages.ts';

interface Kept extends Compressed {
  type: string;
  hash: string;
}

interface KeptFiles {
  found: ReadonlyMap<string, Kept>;
  missing: Kept;
}

/** The OpenAPI document at /openapi.json, and the guide and the reference under /docs. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  const json = once(() => keep('application/json; charset=utf-8', JSON.stringify(app.swagger())));
  const yaml = once(() => keep('application/x-yaml', app.swagger({ yaml: true })));
  const files = once(() => keepFiles(app));
  const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) =>
    app.route({ method: 'GET', url, schema: { hide: true }, handler });

  get('/openapi.json', (request, reply) => send(request, reply, json()));
  get('/docs/json', (request, reply) => send(request, reply, json()));
  get('/docs/yaml', (request, reply) => send(request, reply, yaml()));
  get('/docs', (request, reply) => sendPage(request, reply, files(), ''));
  get('/docs/*', (request, reply) => sendPage(request, reply, files(), (request.params as { '*': string })['*']));
}

/** Strangers may ask as often as they like, so everything is written once, when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function keep(type: string, written: string): Kept {
  const text = Buffer.from(written);
  return { type, hash: createHash('sha256').update(text).digest('base64url'), ...compressed(text) };
}

function keepFiles(app: FastifyInstance): KeptFiles {
  const scopes = app.routeTable.map(
    ({ method, url, access }) => [`${method} ${url.replace(/:(\w+)/g, '{$1}')}`, access] as const,
  );
  const { found, missing } = writeFiles(app.swagger() as unknown as OpenApiDocument, new Map(scopes));
  return {
    found: new Map([...found].map(([name, { type, text }]) => [name, keep(type, text)])),
    missing: keep(missing.type, missing.text),
  };
}

/** Each form has its own tag, because the bytes differ. */
function send(request: FastifyRequest, reply: FastifyReply, file: Kept): FastifyReply {
  const encoding = encodingFor(request);
  const tag = `"${file.hash}${encoding === null ? '' : `-${encoding}`}"`;
  reply.header('ETag', tag).header('Cache-Control', 'no-cache').header('Vary', 'Accept-Encoding');
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return sendAs(reply.type(file.type), file, encoding);
}

/** A proxy may have marked the tag as weak. */
function isKnown(known = '', tag: string): boolean {
  return known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { found, missing }: KeptFiles, name: string) {
  const file = found.get(name);
  if (!file && !request.headers.accept?.includes('text/html'))
    throw new Failure('missing', 'There is no page at this address: /docs lists what there is.');
  return file ? send(request, reply, file) : reply.code(404).type(missing.type).send(missing.plain);
}
