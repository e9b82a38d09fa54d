import { answerOf } from './send/outcome.ts';

/** What an email that came back says. */
export interface BounceFacts {
  /** Texts of which one names the email: its Message-ID, the return path, or all of a report. */
  names: string;
  /** As 5.1.1. */
  status: string;
  /** Whether no server retries any more. */
  isFinal: boolean;
  answer: string;
}

/** Of a longer report the rest is the email that came back. */
const longestReport = 256 * 1_024;
const status = /^status:[ \t]*([245]\.\d{1,3}\.\d{1,3})/im;
const action = /^action:[ \t]*([a-z]+)/im;
const diagnostic = /^diagnostic-code:[ \t]*(?:[a-z0-9-]+;)?(.*(?:\r?\n[ \t].*)*)/im;
const statuses = new Map([
  ['failed', '5.0.0'],
  ['delayed', '4.0.0'],
]);

/**
 * Reads a delivery status report (RFC 3464) as a mail server sends it. Only its machine-readable part is believed. Null where it has
 * none, or says that the email was delivered. Its action tells whether that is the end: a server that has tried for days gives up
 * with the status of a delay.
 */
export function readReport(raw: string): BounceFacts | null {
  const report = raw.slice(0, longestReport);
  const begin = report.search(/^content-type:[ \t]*message\/(?:global-)?delivery-status/im);
  if (begin < 0) return null;
  const fields = fieldsFrom(report, begin);
  const given = status.exec(fields)?.[1];
  const said = action.exec(fields)?.[1]?.toLowerCase() ?? (given?.startsWith('4') ? 'delayed' : 'failed');
  const code = given ?? statuses.get(said);
  if (!statuses.has(said) || code === undefined || code.startsWith('2')) return null;
  const answer = answerOf(diagnostic.exec(fields)?.[1] ?? code);
  // A line that was too long for its encoding is put together again.
  return { names: report.replace(/=\r?\n/g, ''), status: code, isFinal: said === 'failed', answer };
}

/** The part that begins there, up to the next one. */
function fieldsFrom(report: string, begin: number): string {
  const end = report.slice(begin).search(/^--/m);
  return end < 0 ? report.slice(begin) : report.slice(begin, begin + end);
}
