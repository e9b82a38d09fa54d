const untrusted =
  'its certificate is not trusted here: if a private authority has issued it, set NODE_EXTRA_CA_CERTS to the file of that authority and restart';

/** What OpenSSL and Node report, by code and by message: some libraries replace the code. */
const problems: readonly [RegExp, string][] = [
  [/CERT_HAS_EXPIRED|certificate has expired/, 'its certificate has expired: renew it'],
  [/CERT_NOT_YET_VALID|certificate is not yet valid/, 'its certificate is not valid yet: check the clocks'],
  [/ALTNAME_INVALID|does not match certificate's altnames/, 'its certificate is for another host name: use that name'],
  [/SELF_SIGNED_CERT|self-signed certificate/, untrusted],
  [
    /UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|unable to (verify the first|get (local )?issuer) certificate/,
    untrusted,
  ],
];

/** What is wrong with the certificate of a server that could not be reached; null if the error is about something else. */
export function certificateProblem(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const text = `${(at as NodeJS.ErrnoException).code ?? ''} ${at.message}`;
    const known = problems.find(([pattern]) => pattern.test(text));
    if (known) return known[1];
  }
  return null;
}
