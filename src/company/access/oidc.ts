import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  clockSkew,
  discovery,
  fetchUserInfo,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type UserInfoResponse,
} from 'openid-client';
import { Failure } from '../../ground/errors.ts';
import { certificateProblem } from '../../ground/values/certificate.ts';

/** The OpenID provider of the company. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** As the button on the sign-in page names it. */
  name: string;
}

/** What the browser keeps while the provider identifies the user. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** The user's identity according to the provider. */
export interface OidcPerson {
  issuer: string;
  subject: string;
  /** Null unless the provider says that it belongs to them. */
  verifiedEmail: string | null;
}

export interface OidcProvider {
  name: string;
  /** Where the browser goes, and what it keeps meanwhile. */
  begin(redirectUri: string): Promise<{ url: string; attempt: OidcAttempt }>;
  /**
   * Who came back. `returned` is the address that the provider sent the browser to. What the provider says has to be valid `now`,
   * by the database's clock.
   */
  finish(returned: URL, attempt: OidcAttempt, now: Date): Promise<OidcPerson>;
}

const timeoutSeconds = 5;
// The library tolerates 30 s between the provider's clock and ours.
const skewIgnoredSeconds = 10;

/** Some providers say the address with the identity, others when asked for it. Those that say none let in only people they know already. */
async function readEmail(configuration: Configuration, accessToken: string, claims: IDToken): Promise<string | null> {
  const hasOwn = claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint;
  const { email, email_verified: isVerified } = hasOwn
    ? claims
    : await fetchUserInfo(configuration, accessToken, claims.sub).catch((): Partial<UserInfoResponse> => ({}));
  return isVerified === true && typeof email === 'string' ? email : null;
}

/** Speaks with an OpenID provider: authorization code with PKCE, state and nonce. It is asked for its addresses when first needed. */
export function createOidcProvider({ issuer, clientId, clientSecret, name }: OidcSettings): OidcProvider {
  let found: Promise<Configuration> | null = null;
  let skew = 0;
  const discover = (offSeconds = skew) => {
    if (Math.abs(offSeconds - skew) > skewIgnoredSeconds) {
      found = null;
      skew = offSeconds;
    }
    const metadata = { client_secret: clientSecret, [clockSkew]: skew };
    found ??= discovery(new URL(issuer), clientId, metadata, undefined, {
      timeout: timeoutSeconds,
      // A provider without https is for trying things out: config.ts refuses it in production.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    });
    // Asked again next time.
    found.catch(() => {
      found = null;
    });
    return found.catch((cause) => {
      const problem = certificateProblem(cause);
      const message =
        problem === null
          ? `${name} cannot be reached: try again later, or sign in another way.`
          : `${name} cannot be reached, because ${problem}. Tell the operator of this service, or sign in another way.`;
      throw new Failure('unavailable', message, { cause });
    });
  };
  return {
    name,
    async begin(redirectUri) {
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },
    async finish(returned, { state, nonce, verifier }, now) {
      const configuration = await discover(Math.round((now.getTime() - Date.now()) / 1_000));
      const tokens = await authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }).catch((cause) => {
        throw new Failure('unauthenticated', `${name} did not say who you are: try again.`, { cause });
      });
      const claims = tokens.claims();
      if (!claims) throw new Failure('unauthenticated', `${name} did not say who you are: try again.`);
      const { iss, sub } = claims;
      return { issuer: iss, subject: sub, verifiedEmail: await readEmail(configuration, tokens.access_token, claims) };
    },
  };
}
