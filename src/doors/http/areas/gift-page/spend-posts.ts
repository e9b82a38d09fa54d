import type { FastifyRequest } from 'fastify';
import type { Gift } from '../../../../giving/gifts/gift.ts';
import { readId } from '../../../../ground/values/id.ts';
import { writtenDecimalsProblem } from '../../../../ground/values/money.ts';
import { spendingKinds } from '../../../../ground/values/spending-kinds.ts';
import { isText, textProblem } from '../../../../ground/values/text.ts';
import { readGivenCode } from '../../../../spending/code-pools/give.ts';
import { mostParts } from '../../../../spending/redemptions/parts.ts';
import { findRedemptionOfGift } from '../../../../spending/redemptions/read.ts';
import { type Choice, type Spent, spendGift } from '../../../../spending/redemptions/spend.ts';
import { claimedPage } from './claimed.ts';
import { confirmPage } from './confirm.ts';
import type { GiftView } from './gift-view.ts';
import { longestRequest, optionPage } from './option-page.ts';
import type { GiftPageOptions } from './options.ts';
import { notFound, pageOf, type Respond, type Shown, type ViewOf } from './shown.ts';
import type { GiftOption } from './spending.ts';
import { cardPage, doneTexts, isShownHere } from './spent.ts';
import type { Fields } from './visitor.ts';

/** What an owner does to spend a gift. GET changes and shows nothing of it: each is a post that carries the gift's token. */
export function spendAnswers(options: GiftPageOptions, viewOf: ViewOf): Record<string, Respond> {
  const withOption =
    (answer: (view: GiftView, option: GiftOption, fields: Fields) => Shown): Respond =>
    async (request, gift, fields) => {
      const view = await viewOf(request, gift);
      const option = view.spending?.spendingOptions.find(({ id }) => id === fields.option);
      return option ? answer(view, option, fields) : { text: pageOf(view, false) };
    };
  return {
    '/option': withOption((view, option) => ({ text: optionPage(view, option) })),
    '/confirm': withOption(confirm),
    '/spend': (request, gift, fields) => spend(options, viewOf, request, gift, fields),
    '/reveal': (request, gift, fields) => reveal(options, viewOf, request, gift, readId(fields.redemption ?? '')),
  };
}

function confirm(view: GiftView, option: GiftOption, fields: Fields): Shown {
  const { texts, fulfilledBy } = spendingKinds[option.kind];
  if (texts.confirm === null) return { text: optionPage(view, option) };
  const { amount = '', requestText = '', retailer } = fields;
  const read = readAmount(amount, view.gift.currency);
  const isInReach = read !== null && read >= option.least && read <= option.most;
  if (!isInReach) return { status: 400, text: optionPage(view, option, { amount, requestText, fault: 'amountFault' }) };
  if (textProblem(requestText.trim(), longestRequest) !== null)
    return { status: 400, text: optionPage(view, option, { amount, requestText, fault: 'requestFault' }) };
  const card = option.codes.find((code) => code.retailer === retailer && code.value === read && code.left > 0);
  if (fulfilledBy === 'code' && !card) return { status: 409, text: optionPage(view, option) };
  return { text: confirmPage(view, option, choiceOf(fields, read), texts.confirm) };
}

/** An amount as people write it: 12.50 or 12,50. Null if it is not an amount; in CAD, 1,500 is not one: it may mean thousands. */
function readAmount(text: string, currency: string): number | null {
  const plain = text.replace(/\s/g, '').replace(',', '.');
  if (!/^\d{1,6}(\.\d{1,4})?$/.test(plain)) return null;
  const amount = Number(plain);
  return amount > 0 && writtenDecimalsProblem(plain, currency) === null ? amount : null;
}

function choiceOf({ option = '', retailer, requestText = '' }: Fields, amount: number): Choice {
  return {
    option,
    amount,
    ...(retailer !== undefined && { retailer }),
    ...(requestText.trim() !== '' && { requestText: requestText.trim() }),
  };
}

/** Whether these are texts as the page before has sent them. */
function isSound({ option = '', retailer = '', requestText = '' }: Fields): boolean {
  return isText(option) && isText(retailer) && textProblem(requestText.trim(), longestRequest) === null;
}

const isKey = /^[0-9a-f-]{36}$/;

async function spend(
  options: GiftPageOptions,
  viewOf: ViewOf,
  request: FastifyRequest,
  found: Gift,
  fields: Fields,
): Promise<Shown> {
  const amount = readAmount(fields.amount ?? '', found.currency);
  const isAsked = found.claimedAt !== null && amount !== null && isKey.test(fields.key ?? '') && isSound(fields);
  if (!isAsked) return { status: 400, text: pageOf(await viewOf(request, found), false) };
  const choice = choiceOf(fields, amount);
  const spent = await spendGift(options, found, choice, fields.key ?? '');
  if (spent.outcome === 'gone') return notFound(request);
  const view = await viewOf(request, spent.gift);
  if (spent.outcome !== 'spent') return { status: 409, text: refusedPage(view, choice, spent.outcome) };
  const { done } = spendingKinds[spent.redemption.kind].texts;
  if (done === null) return reveal(options, viewOf, request, spent.gift, spent.redemption.id);
  return { text: claimedPage(view, { said: doneTexts(view, spent.redemption, done) }) };
}

type Refusal = Exclude<Spent['outcome'], 'spent' | 'gone'>;

function refusedPage(view: GiftView, { retailer = '', amount }: Choice, outcome: Refusal): string {
  const { words, gift } = view;
  const faults: Record<Refusal, string> = {
    'no code': words.say('noCodeFault', { retailer, amount: words.money(amount, gift.currency) }),
    'too many parts': words.say('partsFault', { count: mostParts }),
    refused: words.say('spendFault'),
  };
  return claimedPage(view, { fault: faults[outcome] });
}

/** Only a code that was given for this gift: the redemption is looked for among its own. */
async function reveal(
  { database, keys }: GiftPageOptions,
  viewOf: ViewOf,
  request: FastifyRequest,
  gift: Gift,
  id: number | null,
): Promise<Shown> {
  const view = await viewOf(request, gift);
  const redemption = id === null ? null : await findRedemptionOfGift(database, gift, id);
  const card =
    redemption && isShownHere(redemption) ? await readGivenCode(database, keys, gift.workspaceId, redemption.id) : null;
  return { text: redemption && card ? cardPage(view, redemption, card) : pageOf(view, false) };
}
