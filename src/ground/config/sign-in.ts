import type { Fault } from '../errors.ts';
import { parsePublicUrl, type Setting, setting, wholeNumber } from './texts.ts';

/** The settings about people who sign in to the console. */
export const signInSettings = {
  sessionHours: setting({
    name: 'GIFTWIRE_SESSION_HOURS',
    default: '168',
    meaning: 'How long users stay signed in to the console, 1 to 720 hours',
    parse: wholeNumber(1, 720),
  }),
  oidcIssuer: setting<string | null>({
    name: 'GIFTWIRE_OIDC_ISSUER',
    default: '',
    meaning: 'The OpenID provider through which users can sign in, for example https://login.example.com',
    parse: (text, name) => parsePublicUrl(text, name),
    absent: null,
  }),
  oidcClientId: setting<string | null>({
    name: 'GIFTWIRE_OIDC_CLIENT_ID',
    default: '',
    meaning: 'The client id of this service at the OpenID provider. Required with GIFTWIRE_OIDC_ISSUER',
    parse: (text) => text,
    absent: null,
  }),
  oidcClientSecret: setting<string | null>({
    name: 'GIFTWIRE_OIDC_CLIENT_SECRET',
    default: '',
    meaning: 'The client secret of this service at the OpenID provider. Required with GIFTWIRE_OIDC_ISSUER',
    parse: (text) => text,
    absent: null,
  }),
  oidcName: setting<string | null>({
    name: 'GIFTWIRE_OIDC_NAME',
    default: 'the host of the issuer',
    meaning: 'How the sign-in page names the OpenID provider, for example Okta',
    parse: (text) => text,
    absent: null,
  }),
};

interface OidcValues {
  oidcIssuer: string | null;
  oidcClientId: string | null;
  oidcClientSecret: string | null;
  oidcName: string | null;
  publicUrl: string | null;
  environment: 'test' | 'production';
}

/** What an OpenID provider needs beside its address. */
export function missingForOidc(values: OidcValues): readonly Fault[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, publicUrl, environment } = values;
  if (!oidcIssuer) return [];
  const isReal = environment === 'production';
  const why = 'is required with GIFTWIRE_OIDC_ISSUER';
  const needed: [isThere: boolean, Setting | { name: string }, problem: string][] = [
    [oidcClientId !== null, signInSettings.oidcClientId, why],
    [oidcClientSecret !== null, signInSettings.oidcClientSecret, why],
    [publicUrl !== null || !isReal, { name: 'GIFTWIRE_PUBLIC_URL' }, `${why}: the provider sends people back to it`],
    [oidcIssuer.startsWith('https:') || !isReal, signInSettings.oidcIssuer, 'must begin with https: in production'],
  ];
  return needed.flatMap(([isThere, { name }, problem]) => (isThere ? [] : [{ path: name, problem }]));
}

/** The OpenID provider; null if people sign in otherwise. */
export function oidcOf({ oidcIssuer, oidcClientId, oidcClientSecret, oidcName }: OidcValues) {
  if (oidcIssuer === null) return null;
  return {
    issuer: oidcIssuer,
    clientId: oidcClientId ?? '',
    clientSecret: oidcClientSecret ?? '',
    name: oidcName ?? new URL(oidcIssuer).host,
  };
}
