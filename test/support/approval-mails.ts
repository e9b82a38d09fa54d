import assert from 'node:assert/strict';
import type { Email } from 'postal-mime';
import { eventually } from './eventually.ts';
import { parseMail } from './mail-server.ts';
import type { TestService } from './service.ts';
import type { TestMailServer } from './smtp.ts';

export interface DecisionAnswer {
  status: number;
  /** As a browser shows it: without tags. */
  text: string;
  page: string;
}

/** What approvers and senders do with the emails of a service. Tests tell orders apart by their amounts. */
export function createInbox(service: TestService, mailServer: TestMailServer) {
  const all = async (address: string, about: string): Promise<Email[]> => {
    const mails = await Promise.all(mailServer.to(address).map(parseMail));
    return mails.filter(({ subject }) => subject?.includes(about));
  };
  const mail = async (address: string, about: string): Promise<Email> => {
    const [first] = await eventually(
      () => all(address, about),
      (mails) => mails.length > 0,
      { withinMs: 15_000 },
    );
    return first as Email;
  };
  const post = async (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<DecisionAnswer> => {
    const body = new URLSearchParams(fields);
    const answer = await fetch(service.url + path, { method: 'POST', body, headers });
    const page = await answer.text();
    return { status: answer.status, page, text: shownText(page) };
  };
  const look = (token: string, headers?: Record<string, string>) => post('/decide/look', { token }, headers);
  return {
    all,
    mail,
    post,
    look,
    /** The secret of the link in an approver's email. */
    token: async (address: string, about: string) => tokenIn(await mail(address, about)),
    /** Opens the page, then presses a button on it. */
    async decide(token: string, decision: 'APPROVED' | 'DECLINED', comment = '', headers?: Record<string, string>) {
      const { page } = await look(token, headers);
      return post('/decide', { token, form: formIn(page), decision, comment }, headers);
    },
  };
}

export function tokenIn({ text = '' }: Email): string {
  const [, token] = /\/(?:decide|note)#([\w-]+)/.exec(text) ?? [];
  assert.ok(token, `no link in: ${text}`);
  return token;
}

export function formIn(page: string): string {
  return /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

function shownText(page: string): string {
  return page
    .replace(/^[\s\S]*<main>|<\/main>[\s\S]*$/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;|&#34;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
