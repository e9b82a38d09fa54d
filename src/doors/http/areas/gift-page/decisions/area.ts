import type { Area } from '../../../area.ts';
import { pageArea } from '../area.ts';
import { linkErrorPage } from './notices.ts';
import { serveDecisions } from './routes.ts';
import type { DecisionPageOptions } from './visit.ts';

/** The page on which approvers decide from their email. No credential is needed; the link in the email gives access. */
export function decisionPageArea(options: DecisionPageOptions): Area {
  return pageArea('/decide', linkErrorPage, (app) => serveDecisions(app, options));
}
