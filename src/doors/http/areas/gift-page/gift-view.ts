import { html } from 'ghtml';
import type { GiftSettings } from '../../../../company/workspaces/gift-settings.ts';
import type { DayNotice } from '../../../../giving/automations/notice.ts';
import type { Gift } from '../../../../giving/gifts/gift.ts';
import type { Words } from '../../../../giving/gifts/words/words.ts';
import type { Language } from '../../../../ground/values/language.ts';
import { hidden, initials, isolate, type PageCompany, type WrittenPage, writeGiftPage } from './page.ts';
import type { SpendingView } from './spending.ts';

/** What the pages of a gift are made of. */
export interface GiftView {
  gift: Gift;
  settings: GiftSettings;
  company: PageCompany;
  words: Words;
  /** What forms send: the token of the link, also where the visitor typed the short code. */
  longToken: string;
  /** As people type it. */
  shortToken: string;
  lang: Language | null;
  /** Null before the gift is claimed. */
  spending: SpendingView | null;
  /** Whether colleagues are told about the day that the gift is for; null for other gifts. */
  notice: DayNotice | null;
  /** The host that the page comes from, so that people can compare it. */
  host: string;
}

/** The names in a gift, for the middle of sentences. */
export function namesOf({ gift, company }: GiftView) {
  return {
    name: isolate(gift.firstName),
    sender: isolate(gift.senderName || company.name),
    company: isolate(company.name),
  };
}

export function giftPage(view: GiftView, title: string, body: string, more: Partial<WrittenPage> = {}): string {
  const { words, company, longToken, lang } = view;
  return writeGiftPage({
    words,
    company,
    title,
    body,
    sent: { token: longToken, lang },
    languageAction: '/g',
    ...more,
  });
}

export function postForm(view: GiftView, action: string, inner: string): string {
  return html`<form method="post" action="${action}">!${hidden({ token: view.longToken, lang: view.lang })}!${inner}</form>`;
}

/** The message, in the voice of the person who wrote it. */
export function giftQuote({ gift }: GiftView, kind = ''): string {
  return gift.message === '' ? '' : html`<blockquote class="words ${kind}" dir="auto">${gift.message}</blockquote>`;
}

export function signature(view: GiftView): string {
  const { gift, company } = view;
  const sender = gift.senderName || company.name;
  const below = sender === company.name ? '' : html`<br><span class="small"><bdi>${company.name}</bdi></span>`;
  return html`<p class="from"><span class="face" aria-hidden="true">${initials(sender)}</span><span><b><bdi>${sender}</bdi></b>!${below}</span></p>`;
}

export function amountOf({ gift, words }: GiftView): string {
  return words.money(gift.amount, gift.currency);
}

/** The last day on which the gift can be claimed, where the company is. */
export function lastDay({ gift, settings, words }: GiftView): string | null {
  return gift.expiresAt && words.lastDay(gift.expiresAt, settings.timeZone);
}

/** The recipient decides here whether colleagues are told about their day. */
export function dayNotice(view: GiftView): string {
  const { notice, words } = view;
  if (notice === null) return '';
  const { day, isHidden } = notice;
  const told = words.say(isHidden ? 'noticeHidden' : 'noticeTold', { day });
  const button = html`<button class="link" name="hide" value="${isHidden ? 'no' : 'yes'}">${words.say(isHidden ? 'noticeTell' : 'noticeHide')}</button>`;
  return html`<div class="notice small centre"><span>${told}</span> !${postForm(view, '/g/notice', button)}</div>`;
}
