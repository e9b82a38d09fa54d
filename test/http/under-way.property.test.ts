import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, nowhere } from '../../src/doors/http/answer.ts';
import { AnswersUnderWay } from '../../src/doors/http/limits/under-way.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

test('answers under way are those that have begun and are not over, each once', () => {
  const step = fc.record({ begins: fc.boolean(), nth: fc.nat({ max: 7 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 100 }), (steps) => {
      const routes = [{}, { access: 'public' }, { access: 'orders:read' }];
      const answers = Array.from({ length: 8 }, (_, nth) => ({ place: nowhere, route: routes[nth % 3] }) as Answer);
      const underWay = new AnswersUnderWay();
      const model = new Set<Answer>();
      for (const { begins, nth } of steps) {
        const answer = answers[nth] as Answer;
        if (begins) {
          underWay.add(answer);
          model.add(answer);
        } else {
          underWay.remove(answer);
          model.delete(answer);
        }
        assert.equal(underWay.size, model.size);
        assert.equal(underWay.visitors, [...model].filter(({ route }) => route.access !== 'orders:read').length);
        assert.deepEqual(new Set(underWay), model);
      }
    }),
    { numRuns: runs(300) },
  );
});
