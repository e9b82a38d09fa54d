/** What `giftwire doctor` has found. */
export interface Finding {
  check: string;
  ok: boolean;
  /** Neither good nor bad: shown without a check mark. */
  isNote?: true;
  detail: string;
  /** What to do about it. */
  advice?: string;
}

/** The exit code of `giftwire doctor` for each check, the most urgent first: with several problems, the first one decides. */
const exitCodes: Readonly<Record<string, number>> = {
  settings: 10,
  database: 11,
  migrations: 12,
  environment: 13,
  'token key': 14,
  disk: 15,
  connections: 16,
  service: 17,
  queue: 18,
  transactions: 19,
  replication: 20,
  clock: 21,
  bloat: 22,
  background: 23,
  access: 24,
  managers: 25,
  owners: 26,
  ledger: 28,
  backup: 29,
  replica: 30,
  erasures: 31,
  servers: 32,
  webhooks: 33,
};
/** Emails, the mail server, DKIM, the public URL. */
const anyOther = 27;

export function exitCodeOf(findings: readonly Finding[]): number {
  const codes = findings.filter(({ ok }) => !ok).map(({ check }) => exitCodes[check] ?? anyOther);
  return codes.length === 0 ? 0 : Math.min(...codes);
}
