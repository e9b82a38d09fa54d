const untrusted =
  'its certificate is not trusted here. If a private authority has issued it, start Node with NODE_EXTRA_CA_CERTS=<file of that authority>';

const problems: readonly [RegExp, string][] = [
  [/CERT_HAS_EXPIRED/, 'its certificate has expired'],
  [/CERT_NOT_YET_VALID/, 'its certificate is not valid yet: check the clocks'],
  [/ALTNAME_INVALID/, 'its certificate is for another host name: give the url with that name'],
  [/SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/, untrusted],
];

/** What is wrong with the certificate of the service or of a proxy before it, by the code that Node reports; undefined for other codes. */
export function certificateProblem(code: string | undefined): string | undefined {
  return problems.find(([pattern]) => pattern.test(code ?? ''))?.[1];
}
