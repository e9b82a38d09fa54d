import { certificateProblem } from '../../../ground/values/certificate.ts';
import { beginningOf } from '../../../ground/values/text.ts';

/** What became of an email that was to be handed to the mail server. */
export type MailOutcome =
  | { is: 'sent'; answer: string }
  /** The server asks to try later, or has not responded after it got the email: then the outcome is unknown. */
  | { is: 'later'; answer: string; status: string }
  | { is: 'refused'; answer: string; status: string }
  /** The server could not be used, for this email or any other. */
  | { is: 'unreachable'; answer: string }
  /** It was not handed over: the gift was claimed, cancelled, expired or issued again. */
  | { is: 'withdrawn' }
  | { is: 'without address' };

/** What nodemailer says of a failure. */
export interface SendingError {
  message: string;
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

const longestAnswer = 500;

/**
 * Classifies an SMTP failure: does it affect this message or the whole server? A refused recipient or message concerns one email. A refused sender, a failed login or a lost
 * connection concerns all of them: such a failure is not counted against the email. Once the server has begun to read an email, it may
 * have taken it, whether we hear of that or not.
 */
export function mailOutcomeOf(error: SendingError, hasBegun: boolean): MailOutcome {
  const answer = answerOf(error.response ?? certificateProblem(error) ?? error.message);
  if (error.responseCode === undefined) return outcomeWithoutAnswer(error, answer, hasBegun);
  if (concernsAll(error, error.responseCode)) return { is: 'unreachable', answer };
  const status = statusOf(answer, error.responseCode);
  const isFinal = error.responseCode >= 500 && error.responseCode !== 503;
  return { is: isFinal ? 'refused' : 'later', answer, status };
}

function outcomeWithoutAnswer({ code = '', message }: SendingError, answer: string, hasBegun: boolean): MailOutcome {
  const status = 'UNKNOWN';
  if (hasBegun) return { is: 'later', answer: `no answer after the email was handed over: ${answer}`, status };
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return { is: 'refused', answer, status };
  // A conversation that stalls in the middle: the server may have trouble with this recipient alone.
  if (code === 'ETIMEDOUT' && message === 'Timeout') return { is: 'later', answer, status };
  if (connectionCodes.has(code) || /pool was closed/.test(message)) return { is: 'unreachable', answer };
  return { is: 'later', answer, status };
}

const connectionCodes = new Set(
  'ECONNECTION ETIMEDOUT ESOCKET EDNS ETLS EREQUIRETLS EPROTOCOL EAUTH ENOAUTH EOAUTH2 EPROXY'.split(' '),
);

/** 552 before the email: it is too large. */
function concernsAll({ code = '', command = '' }: SendingError, responseCode: number): boolean {
  if (code === 'EAUTH' || code === 'ETLS' || [454, 530, 535, 538].includes(responseCode)) return true;
  return !['RCPT TO', 'DATA'].includes(command) && responseCode !== 552;
}

/** The enhanced status code, else the reply code. */
function statusOf(answer: string, code: number): string {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1] ?? String(code);
}

/** One line of bounded length, for people to read. */
export function answerOf(text: string): string {
  return beginningOf(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), longestAnswer);
}
