// biome-ignore lint/suspicious/noExplicitAny: bodies of every form are read here.
type Step = (operationId: string, expected: number, sent?: any) => Promise<any>;

/** Every operation about the audit log and what is kept for how long, with success and with an error. */
export async function walkRecords(step: Step, scopeless: string): Promise<void> {
  await step('readAuditLog', 200, { query: '?action=token&from=2026-01-01' });
  await step('readAuditLog', 400, { query: '?from=yesterday' });
  await step('verifyAuditLog', 200);
  await step('verifyAuditLog', 403, { token: scopeless });
  for (const one of ['getRetention', 'previewRetention']) await step(one, 200);
  for (const one of ['getRetention', 'previewRetention']) await step(one, 400, { query: '?all=true' });
  await step('changeRetention', 200, { body: { changes: [{ kind: 'emails', days: 365 }, { kind: 'gift-texts' }] } });
  await step('changeRetention', 400, { body: { changes: [{ kind: 'emails', days: 2 }] } });
}
