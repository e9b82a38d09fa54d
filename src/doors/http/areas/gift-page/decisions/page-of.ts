import type { Matter } from '../../../../../giving/delivery/approvals/matter.ts';
import { formToken } from '../../../../../giving/delivery/mail-link.ts';
import type { Shown } from '../shown.ts';
import { decidedPage } from './decided.ts';
import { askedElsewherePage, notAskedPage } from './notices.ts';
import { requestPage } from './request.ts';
import { type DecisionPageOptions, readVisited, type Typed, type Visit } from './visit.ts';

/** The page of a link, by the current state of its request: it asks, says what was decided, or says that the link does not decide. */
export async function decisionPageOf(
  options: DecisionPageOptions,
  visit: Visit,
  typed?: Typed,
  status = 200,
): Promise<Shown> {
  const read = await readVisited(options, visit);
  if (read.open) return { status, text: requestPage(visit, read.open, formOf(options, visit, read.open), typed) };
  if (read.isAskedNow) return { status: 403, text: askedElsewherePage(visit) };
  if (read.decided) return { status, text: decidedPage(visit, read.decided, read.memberId) };
  return { status: 403, text: notAskedPage(visit) };
}

/** The form is good for these orders at this level. */
export function shownOf({ requestIds, level, total, gifts }: Matter): string[] {
  return [String(level), String(gifts), String(total), ...requestIds];
}

function formOf({ keys }: DecisionPageOptions, { mail }: Visit, matter: Matter): string {
  return formToken(keys, mail, shownOf(matter));
}
