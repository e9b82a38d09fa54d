import { createPrivateKey, createPublicKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';

export type FindTexts = (name: string) => Promise<string[]>;

/** The TXT records of a name. Throws where the name server does not answer. */
export const findTexts: FindTexts = async (name) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
};

export async function hasSpf(find: FindTexts, domain: string): Promise<boolean> {
  return (await find(domain)).some((text) => /^v=spf1( |$)/i.test(text));
}

/** The policy may be at the domain or at one above it. */
export async function hasDmarc(find: FindTexts, domain: string): Promise<boolean> {
  const labels = domain.split('.');
  for (let from = 0; from < Math.max(1, labels.length - 1); from++)
    if ((await find(`_dmarc.${labels.slice(from).join('.')}`)).some((text) => /^v=DMARC1\s*(;|$)/i.test(text)))
      return true;
  return false;
}

/** Whether the name server has the public half of the key that emails are signed with. */
export async function hasDkim(find: FindTexts, name: string, privateKey: string): Promise<boolean> {
  const wanted = publicPart(privateKey);
  const published = (await find(name)).map((text) => /(?:^|;)\s*p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, ''));
  return published.includes(wanted);
}

/** The record to publish. */
export function dkimRecord(privateKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicPart(privateKey)}`;
}

function publicPart(privateKey: string): string {
  return createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' }).toString('base64');
}
