import { html } from 'ghtml';
import type { Matter } from '../../../../../giving/delivery/approvals/matter.ts';
import { figuresOf } from '../../../../../giving/delivery/approvals/message.ts';
import { isolate } from '../page.ts';
import { brokenWire, intro } from '../parcel.ts';
import { consoleOf, decisionPage, pausedWire, toConsole, wholeWire } from './notices.ts';
import { factList } from './request.ts';
import type { Visit } from './visit.ts';

/** Who decided, when, and what happens then. `memberId` is the person whose link it is. */
export function decidedPage(visit: Visit, matter: Matter, memberId: number | null): string {
  const { words, timeZone } = visit;
  const { decision } = matter;
  if (decision === null) throw new Error('the request is not decided');
  const { sender, amount, whom } = figuresOf(words, matter);
  const { is, by, comment, at, isFirstOfTwo } = decision;
  const title =
    by !== null && by.id === memberId
      ? words.say('decidedByYou', { decision: is })
      : words.say('decidedByOther', { decision: is, name: isolate(by?.name ?? '') });
  const lead = words.say('decidedLead', { decision: isFirstOfTwo ? 'NEXT' : is, amount, whom: isolate(whom) });
  const mark = isFirstOfTwo ? pausedWire : is === 'APPROVED' ? wholeWire : brokenWire;
  const facts = factList([
    [words.say('decidedAsked'), sender],
    [words.say('decidedAt'), [by?.name, words.moment(at, timeZone)].filter(Boolean).join(', ')],
  ]);
  const quote = comment === null ? '' : html`<blockquote class="words first" dir="auto">${comment}</blockquote>`;
  const body = html`<section class="state">!${intro(mark, title, lead)}
<article class="letter ask">!${quote}!${facts}</article>
<div class="after">!${toConsole(words, consoleOf(visit))}</div>
</section>`;
  return decisionPage(visit, title, body);
}
