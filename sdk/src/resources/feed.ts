import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { FeedCase, FeedComment } from '../types.ts';

/** Recognition between employees: posts, reactions, comments. */
export class Feed extends Resource {
  /** A page of who recognized whom, the newest first. */
  readonly list = this.method('GET /feed', 'query');
  /** Thanks one or several people, or a team. */
  readonly give = this.method('POST /feed/posts', 'body', { once: true });
  /** What would become of a post with gifts, without giving it. */
  readonly check = this.method('POST /feed/posts/check', 'body');
  /** What the caller can give together with posts. */
  readonly giving = this.method('GET /feed/giving');
  /** People and teams that can be thanked. */
  readonly colleagues = this.method('GET /feed/colleagues', 'query');
  /** What people can be thanked for, the default first. */
  readonly reasons = this.part('reasons', 'GET /feed/reasons');
  readonly retrieve = this.method('GET /feed/posts/{id}');
  /** Edits a post of the caller. */
  readonly update = this.method('PATCH /feed/posts/{id}', 'body');
  /** Deletes a post of the caller, or withdraws one that waits. */
  readonly delete = this.method('DELETE /feed/posts/{id}');
  /** All people whom a post thanks. */
  readonly receivers = this.method('GET /feed/posts/{id}/receivers', 'query');
  /** Who chose a reaction. */
  readonly reactions = this.method('GET /feed/posts/{id}/reactions', 'query');
  /** Adds a reaction of the caller. Repeating it changes nothing. */
  readonly react = this.method('PUT /feed/posts/{id}/reactions/{kind}');
  /** Takes a reaction of the caller back. */
  readonly unreact = this.method('DELETE /feed/posts/{id}/reactions/{kind}');
  /** The comments on a post, the oldest first. */
  readonly comments = this.method('GET /feed/posts/{id}/comments', 'query');

  comment(id: number, text: string, options: CallOptions = {}): Promise<FeedComment> {
    return this.call('POST /feed/posts/{id}/comments', { path: { id }, body: { text }, once: true }, options);
  }

  /** Edits a comment of the caller. */
  updateComment(id: number, text: string, options: CallOptions = {}): Promise<FeedComment> {
    return this.call('PATCH /feed/comments/{id}', { path: { id }, body: { text } }, options);
  }

  /** Deletes a comment of the caller. */
  readonly deleteComment = this.method('DELETE /feed/comments/{id}');

  /** Tells the people team what is wrong with a post. */
  report(id: number, why = '', options: CallOptions = {}): Promise<void> {
    return this.call('POST /feed/posts/{id}/report', { path: { id }, body: { why }, once: true }, options);
  }

  /** Tells the people team what is wrong with a comment. */
  reportComment(id: number, why = '', options: CallOptions = {}): Promise<void> {
    return this.call('POST /feed/comments/{id}/report', { path: { id }, body: { why }, once: true }, options);
  }

  /** Screens that show the latest public shoutouts. */
  readonly screens = this.part('screens', 'GET /feed/screens');
  /** Creates a screen. The link of its page, with its secret, is in the response alone. */
  readonly createScreen = this.method('POST /feed/screens', 'body', { once: true });
  /** Revokes the link of a screen. */
  readonly deleteScreen = this.method('DELETE /feed/screens/{id}');

  /** What was reported, or the log of what was decided. */
  readonly cases = this.method('GET /feed/moderation', 'query');

  /** Hides what was reported. */
  hide(caseId: number, note: string | null = null, options: CallOptions = {}): Promise<FeedCase> {
    return this.call('POST /feed/moderation/{id}/hide', { path: { id: caseId }, body: { note }, once: true }, options);
  }

  /** Keeps what was reported, or shows it again. */
  keep(caseId: number, note: string | null = null, options: CallOptions = {}): Promise<FeedCase> {
    return this.call('POST /feed/moderation/{id}/keep', { path: { id: caseId }, body: { note }, once: true }, options);
  }
}
