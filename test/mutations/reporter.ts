import { resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** What one test of a run says about the program: `broken` where it could not judge the program at all. */
export interface Finding {
  kind: 'passed' | 'failed' | 'broken';
  test: string;
}

/** A reporter for `node --test`: one JSON object a line. */
export default async function* reportFindings(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const finding = event.type === 'test:pass' ? passed(event.data) : event.type === 'test:fail' && judge(event.data);
    if (finding) yield `${JSON.stringify(finding)}\n`;
  }
}

type Passed = Extract<TestEvent, { type: 'test:pass' }>['data'];
type Failed = Extract<TestEvent, { type: 'test:fail' }>['data'];
type Reason = { failureType?: string; cause?: { code?: string; message?: string } };

/** Node reports a file in which no test has the asked name as a test that passes: that is no finding. */
function passed({ name, file }: Passed): Finding | null {
  return isFile(name, file) ? null : { kind: 'passed', test: name };
}

function judge({ name, file, details }: Failed): Finding | null {
  const { failureType, cause } = details.error as Reason;
  // The tests inside it, or the test around it, say why.
  if (failureType === 'subtestsFailed' || failureType === 'cancelledByParent') return null;
  if (failureType === 'hookFailed') return { kind: isCheckAfterwards(details.error) ? 'failed' : 'broken', test: name };
  // Node gives a file that crashes, at its import for instance, the file's own path as the name of a failed test.
  // Tests whose subject is the start run the program as a process instead, and fail in their own words.
  const isBroken = isFile(name, file) || cause?.message?.startsWith('the service did not start');
  return { kind: isBroken ? 'broken' : 'failed', test: name };
}

/** Hooks after the tests may check the database that the tests leave. */
function isCheckAfterwards(error: Error): boolean {
  return (error as Reason).cause?.code === 'ERR_ASSERTION' && !error.message.startsWith('failed running before');
}

function isFile(name: string, file: string | undefined): boolean {
  return file !== undefined && resolve(name) === file;
}
