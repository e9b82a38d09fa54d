import type { FastifyRequest } from 'fastify';
import type { Area } from '../../../area.ts';
import type { ErrorForm } from '../../../errors/error-answers.ts';
import { contentPolicy } from '../area.ts';
import { visitorWords } from '../visitor.ts';
import { linkErrorPage } from './notices.ts';
import { serveDecisions } from './routes.ts';
import type { DecisionPageOptions } from './visit.ts';

const errors: ErrorForm = {
  contentType: 'text/html; charset=utf-8',
  write: (status, failure, request: FastifyRequest) => ({
    body: linkErrorPage(visitorWords(request), status, failure),
  }),
};

/** The page on which approvers decide from their email. No credential is needed; the link in the email gives access. */
export function decisionPageArea(options: DecisionPageOptions): Area {
  return {
    prefix: '/decide',
    authenticate: 'public',
    errors,
    headers: { 'Content-Security-Policy': contentPolicy, 'X-Robots-Tag': 'noindex' },
    plugin: (app) => serveDecisions(app, options),
  };
}
