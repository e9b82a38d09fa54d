import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './cleanup.ts';

/** It has no types of its own; these are the parts that are used here. */
const { default: Provider } = await import('oidc-provider' as string);

export interface OidcPerson {
  subject: string;
  email: string;
  isVerified: boolean;
}

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whom it lets in next, without asking. */
  person: OidcPerson;
  /** How often somebody has asked it for tokens, with the secret. */
  asked: number;
  /** Tells it where the service is, which listens after it. */
  knows(serviceUrl: string): void;
}

/** A real OpenID provider, in which somebody is always signed in. */
export async function startProvider(person: OidcPerson): Promise<TestProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => {
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tested: TestProvider = {
    issuer,
    clientId: 'giftwire',
    clientSecret: 'a secret between the two of them',
    person,
    asked: 0,
    knows(serviceUrl) {
      const provider = new Provider(issuer, configure(tested, `${serviceUrl}/session/oidc/callback`));
      const others = provider.callback();
      answer = (request, response) => {
        if (request.url?.startsWith('/token')) tested.asked++;
        if (!request.url?.startsWith('/interaction/')) void others(request, response);
        else void provider.interactionFinished(request, response, { login: { accountId: tested.person.subject } });
      };
    },
  };
  return tested;
}

interface Seen {
  oidc: {
    provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> } };
    client?: { clientId: string };
    session?: { accountId: string };
  };
}

function configure(tested: TestProvider, redirectUri: string) {
  return {
    clients: [{ client_id: tested.clientId, client_secret: tested.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['of this test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_seen: Seen, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_seen: Seen, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email: tested.person.email, email_verified: tested.person.isVerified }),
    }),
    // Nobody is asked whether the service may know who they are.
    async loadExistingGrant({ oidc }: Seen) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

/** A browser without pages: follows redirects, and keeps the cookies of each host and port apart. */
export function createVisitor(cookies = new Map<string, Map<string, string>>()) {
  const jarOf = (url: string) => {
    const { host } = new URL(url);
    const jar = cookies.get(host) ?? new Map<string, string>();
    cookies.set(host, jar);
    return jar;
  };
  return {
    cookieAt: (url: string, name: string) => jarOf(url).get(name) || null,
    setCookie: (url: string, name: string, value: string) => jarOf(url).set(name, value),
    /** Where it ends up, after all redirects. The page there is not opened. */
    async follow(start: string, until: (url: URL) => boolean): Promise<URL> {
      let url = start;
      for (let hops = 0; hops < 20; hops++) {
        if (until(new URL(url))) return new URL(url);
        const cookie = [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(url, { redirect: 'manual', headers: { Cookie: cookie } });
        for (const text of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
          jarOf(url).set(name, value);
        }
        const location = answer.headers.get('location');
        if (!location) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
        url = new URL(location, url).href;
      }
      throw new Error('too many redirects');
    },
  };
}
