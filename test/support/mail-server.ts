import PostalMime, { type Email } from 'postal-mime';
import { cleanUp } from './cleanup.ts';
import { type MailServerOptions, openMailServer, type ReceivedMail, type TestMailServer } from './smtp.ts';

/** A mail server on a real port, until the file's tests are over. */
export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const server = await openMailServer(options);
  cleanUp(server.close);
  return server;
}

export function parseMail({ raw }: ReceivedMail): Promise<Email> {
  return PostalMime.parse(raw);
}

/** A header's value, by its name in lower case. */
export function headerOf(mail: Email, name: string): string | undefined {
  return mail.headers.find(({ key }) => key === name)?.value;
}
