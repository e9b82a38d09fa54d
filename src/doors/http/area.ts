import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './connections/address.ts';
import { answerErrors, type ErrorForm } from './errors/error-answers.ts';
import { problemForm } from './errors/problems.ts';
import type { Tag } from './openapi/openapi.ts';

/** A hook with a callback: unlike a promise it does not wait for another turn when there is nothing to wait for. */
export type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * A part of the HTTP interface with rules of its own. An area declares what the kernel has to know about it. Everything
 * else (media types, body parsers, further hooks) its plugin sets with Fastify's own means, which end at the plugin.
 */
export interface Area {
  /**
   * All its addresses begin with this. Errors at unknown addresses that begin with it have this area's form. Empty: its routes are
   * at the root, and errors at unknown addresses there are Problem JSON.
   */
  prefix: string;
  /** Runs before every route of the area. `public`: no credential is needed, and no route may require a scope. */
  authenticate: OnRequest | 'public';
  /** Problem JSON if absent. */
  errors?: ErrorForm;
  /** Sent with every answer, in place of the kernel's own headers of the same name. */
  headers?: Readonly<Record<string, string>>;
  /** Corrects an address before it is routed. It is asked about every request, also those of other areas. */
  tidyAddress?: (url: string) => string;
  /** Whether pages of the origins that an operator lists may call it in a browser. */
  servesOtherOrigins?: boolean;
  /** Where people read which addresses there are. The answer to an unknown address says so. */
  guide?: string;
  /** The schemas that its routes refer to by name. */
  schemas?: readonly NamedSchema[];
  /** Its tags in the OpenAPI document. */
  tags?: readonly Tag[];
  plugin: (app: FastifyInstance) => Promise<void>;
}

export type NamedSchema = { $id: string };

declare module 'fastify' {
  interface FastifyInstance {
    /** The area that the plugin belongs to. */
    area?: Area;
  }
}

export async function registerArea(app: FastifyInstance, area: Area): Promise<void> {
  const { prefix, authenticate, errors = problemForm, headers, plugin } = area;
  const open = async (scope: FastifyInstance) => {
    scope.decorate('area', area);
    scope.setErrorHandler(answerErrors(errors));
    if (headers) scope.addHook('onRequest', sendHeaders(headers));
    if (authenticate !== 'public') scope.addHook('onRequest', authenticate);
    await plugin(scope);
  };
  await app.register(namedPlugin(`area ${prefix}`, open), { prefix });
}

/** Where a plugin does not say its name, Fastify looks for it among all modules that are loaded, each time. */
export function namedPlugin<Plugin extends object>(name: string, plugin: Plugin): Plugin {
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name });
}

function sendHeaders(headers: Readonly<Record<string, string>>): OnRequest {
  return (_request, reply, done) => {
    reply.headers(headers);
    done();
  };
}

/** Answers errors of requests that reached no route, in the form of the area that the address belongs to. */
export function answerUnrouted(areas: readonly Area[]) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const path = pathOf(request.url).toLowerCase();
    const area = areas.find(({ prefix }) => prefix !== '' && `${path}/`.startsWith(`${prefix}/`));
    reply.headers(area?.headers ?? {});
    answerErrors(area?.errors ?? problemForm)(error, request, reply);
  };
}

export function tidyAddresses(areas: readonly Area[]): (request: { url?: string | undefined }) => string {
  const tidiers = areas.flatMap(({ tidyAddress }) => tidyAddress ?? []);
  return ({ url = '/' }) => {
    let tidied = url;
    for (const tidy of tidiers) tidied = tidy(tidied);
    return tidied;
  };
}
