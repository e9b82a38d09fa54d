import { GiftwireError } from '@giftwire/sdk';
import type { Job, Part } from './plan.ts';

export interface Running {
  /** Orders a part with its key. A key that the service knows gives the order of the first time. */
  create: (part: Part) => Promise<{ requestId: string }>;
  /** Stores the job before the next part is sent. */
  save: (job: Job) => Promise<void>;
  onProgress: (job: Job) => void;
  signal: AbortSignal;
}

/**
 * Sends the parts of a job that have no answer yet, one after the other. The job and the key of each part are stored before. So a job
 * that was interrupted can be sent again, and no part becomes two orders. A failure that may pass, as a lost connection, is thrown. A
 * refusal is noted in its part, and the other parts are sent.
 */
export async function runJob(job: Job, { create, save, onProgress, signal }: Running): Promise<Job> {
  let current = job;
  for (const [at, part] of job.parts.entries()) {
    if (part.requestId !== null || part.refusal !== null) continue;
    signal.throwIfAborted();
    const answered = await answerOf(part, create);
    current = { ...current, parts: current.parts.with(at, answered) };
    await save(current);
    onProgress(current);
  }
  return current;
}

async function answerOf(part: Part, create: Running['create']): Promise<Part> {
  try {
    return { ...part, requestId: (await create(part)).requestId };
  } catch (error) {
    if (error instanceof GiftwireError && isFinal(error.status)) return { ...part, refusal: error.message };
    throw error;
  }
}

/** The input is invalid: the same request would be rejected again. */
function isFinal(status: number | null): boolean {
  return status === 400 || status === 402 || status === 413 || status === 422;
}
