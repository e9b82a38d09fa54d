import { readFile } from 'node:fs/promises';
import { domainOf } from '../../giving/delivery/compose/message-id.ts';
import {
  dkimRecord,
  type FindTexts,
  findTexts,
  hasDkim,
  hasDmarc,
  hasSpf,
} from '../../giving/delivery/domain-records.ts';
import { openTransport } from '../../giving/delivery/send/transport.ts';
import type { Config } from '../../ground/config/config.ts';
import { certificateProblem } from '../../ground/values/certificate.ts';
import type { Finding } from './finding.ts';

/** What can be checked of mail before the first one is sent. */
export async function examineMail(config: Config, find: FindTexts = findTexts): Promise<Finding[]> {
  const { mailServer, mailFrom, environment } = config;
  const check = 'mail';
  if (mailServer === 'off') return [{ check, ok: true, isNote: true, detail: 'off: gifts are not emailed' }];
  if (mailServer === 'outbox' || mailFrom === null) {
    const detail = 'emails stay in the outbox; "giftwire outbox list" shows them';
    return [
      { check, ok: environment === 'test', detail, ...(environment === 'production' && { advice: serverAdvice }) },
    ];
  }
  const [server, ...records] = await Promise.all([
    examineServer(config),
    examineSpf(config, mailFrom, find),
    examineDkim(config, mailFrom, find),
    examineDmarc(mailFrom, find),
  ]);
  return [server, ...records.filter((one) => one !== null), ...examineAddress(config)];
}

const serverAdvice = 'Set GIFTWIRE_SMTP_URL and GIFTWIRE_MAIL_FROM.';

async function examineServer(config: Config): Promise<Finding> {
  const check = 'mail server';
  const where = new URL(config.mailServer).host;
  try {
    const transport = await openTransport(config);
    await transport?.verify().finally(() => transport.close({ force: true }));
    return { check, ok: true, detail: `${where} answers and accepts the login` };
  } catch (error) {
    const detail = `${where}: ${certificateProblem(error) ?? (error as Error).message}`;
    return {
      check,
      ok: false,
      detail,
      advice: 'Check GIFTWIRE_SMTP_URL: host, port, user and password; and the firewall.',
    };
  }
}

/** Receivers compare the server that an email comes from with the domain that emails return to. */
async function examineSpf({ mailBounces }: Config, mailFrom: string, find: FindTexts): Promise<Finding> {
  const domain = domainOf(mailBounces ?? mailFrom);
  return examineRecord('SPF', () => hasSpf(find, domain), {
    found: `${domain} has an SPF record`,
    missing: `${domain} has no SPF record: receivers cannot tell that the mail server may send its email`,
    advice: `Publish a TXT record at ${domain} that names the servers of your mail provider, for example "v=spf1 include:_spf.your-provider.com ~all". Your provider says which name to include.`,
  });
}

async function examineDkim({ dkim }: Config, mailFrom: string, find: FindTexts): Promise<Finding> {
  if (dkim === null) {
    const detail = 'Giftwire does not sign emails: GIFTWIRE_DKIM is needed unless the mail server signs them';
    return { check: 'DKIM', ok: true, isNote: true, detail };
  }
  const name = `${dkim.selector}._domainkey.${domainOf(mailFrom)}`;
  let privateKey: string;
  try {
    privateKey = await readFile(dkim.keyFile, 'utf8');
    dkimRecord(privateKey);
  } catch (error) {
    const detail = `${dkim.keyFile} is no private key that can be read: ${(error as Error).message}`;
    return { check: 'DKIM', ok: false, detail, advice: 'Make one: openssl genrsa -out dkim.pem 2048' };
  }
  return examineRecord('DKIM', () => hasDkim(find, name, privateKey), {
    found: `${name} has the key that emails are signed with`,
    missing: `${name} does not have the key that emails are signed with`,
    advice: `Publish this TXT record at ${name}: ${dkimRecord(privateKey)}`,
  });
}

async function examineDmarc(mailFrom: string, find: FindTexts): Promise<Finding> {
  const domain = domainOf(mailFrom);
  return examineRecord('DMARC', () => hasDmarc(find, domain), {
    found: `${domain} has a DMARC policy`,
    missing: `${domain} has no DMARC policy: large providers ask for one`,
    advice: `Publish a TXT record at _dmarc.${domain}: "v=DMARC1; p=none". When all your emails pass, change it to p=quarantine.`,
  });
}

interface Texts {
  found: string;
  missing: string;
  advice: string;
}

async function examineRecord(check: string, isThere: () => Promise<boolean>, texts: Texts): Promise<Finding> {
  try {
    if (await isThere()) return { check, ok: true, detail: texts.found };
    return { check, ok: false, detail: texts.missing, advice: texts.advice };
  } catch (error) {
    return {
      check,
      ok: true,
      isNote: true,
      detail: `not checked, the name server does not answer: ${(error as Error).message}`,
    };
  }
}

function examineAddress({ publicUrl, environment }: Config): Finding[] {
  if (environment !== 'production' || publicUrl?.startsWith('https:')) return [];
  const detail = `gift links begin with ${publicUrl}: without https, others on the network can read them`;
  return [{ check: 'public URL', ok: false, detail, advice: 'Set GIFTWIRE_PUBLIC_URL to an address with https.' }];
}
