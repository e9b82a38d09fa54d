import { Resource } from '../resource.ts';

/** People whose erasure was asked for. `members` asks for one, agrees to it and stops it. */
export class Erasures extends Resource {
  /** A page of erasures: those that wait or run, or those that have ended. */
  readonly list = this.method('GET /erasures', 'query');
  /** All of them, for `for await`. */
  readonly all = this.eachPage('GET /erasures', 'erasures');
}
