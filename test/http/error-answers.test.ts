import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { answerErrors } from '../../src/doors/http/errors/error-answers.ts';
import { Failure } from '../../src/ground/errors.ts';

test('a form that fails is replaced by plain text, also where Fastify catches nothing', async () => {
  const answer = answerErrors({
    contentType: 'text/html',
    write: () => {
      throw new TypeError('no query');
    },
  });
  const app = Fastify({ frameworkErrors: answer });
  app.setErrorHandler(answer);
  app.get('/file/:name', () => {
    throw new Failure('missing', 'There is no such file.');
  });
  const missing = await app.inject('/file/a');
  assert.deepEqual([missing.statusCode, missing.body], [404, 'There is no such file.\n']);
  const broken = await app.inject('/file/%ed');
  assert.deepEqual([broken.statusCode, broken.headers['content-type']], [400, 'text/plain; charset=utf-8']);
  await app.close();
});
