import { Giftwire, type GiftwireOptions } from '@giftwire/sdk';
import type { TestService } from './service.ts';
import { openWorkspace } from './workspace.ts';

/** A new workspace of a service, and a client of it. */
export async function openClient(
  service: TestService,
  { opening = {}, ...options }: Partial<GiftwireOptions> & { opening?: Parameters<typeof openWorkspace>[1] } = {},
) {
  const workspace = await openWorkspace(service, opening);
  const clientOf = (more: Partial<GiftwireOptions> = {}) =>
    new Giftwire({ url: service.url, token: workspace.token, workspace: workspace.id, ...options, ...more });
  return { ...workspace, giftwire: clientOf(), clientOf };
}

/** An order of one gift, with the types that the client expects. */
export function anOrderOf(email: string, amount = 25) {
  return { currency: 'CAD', orderItems: [{ message: 'Thank you!', amount, recipient: { email } }] };
}

/** All elements of an iteration. */
export async function collect<T>(elements: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const element of elements) found.push(element);
  return found;
}

/** Notes which methods of the resources are called. */
export function watchMethods(client: Giftwire): Set<string> {
  const names = new Set<string>();
  for (const [resource, one] of Object.entries(client))
    for (const name of methodsOf(one)) {
      const method = one[name];
      const watched = (...given: unknown[]) => {
        names.add(`${resource}.${name}`);
        return method.apply(one, given);
      };
      // Former names too, so that they are still known as the same method.
      for (const alias of [name, ...Object.keys(one).filter((key) => one[key] === method)]) one[alias] = watched;
    }
  return names;
}

/** The names of all methods, without former names: these are the same functions. */
export function methodsOf(resource: object): string[] {
  const found = new Map<unknown, string>();
  const inherited = Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter(
    (name) => name !== 'constructor',
  );
  for (const name of [...inherited, ...Object.keys(resource)]) {
    const method = (resource as Record<string, unknown>)[name];
    if (typeof method === 'function' && !found.has(method)) found.set(method, name);
  }
  return [...found.values()];
}
