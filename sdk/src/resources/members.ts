import { eachElement, usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { Member, MemberPage, MemberQuery, MemberSuggestion, SuggestionQuery } from '../types/member.ts';

/** The people of the workspace. */
export class Members {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of members. Filters and search combine with AND. */
  async list(query: MemberQuery = {}, { signal }: CallOptions = {}): Promise<MemberPage> {
    return (await this.#transport.json<MemberPage>({ method: 'GET', path: '/members', query, signal })).body;
  }

  /** All members that fit, for `for await`. */
  all(filters: Omit<MemberQuery, 'page'> = {}, options: CallOptions = {}): AsyncGenerator<Member, void> {
    return eachElement(
      (page) => this.list({ size: usualSize, ...filters, page }, options),
      ({ members }) => members,
    );
  }

  /** People to choose from while somebody types, the best first. Nobody who has left. */
  async suggest(query: SuggestionQuery, { signal }: CallOptions = {}): Promise<MemberSuggestion[]> {
    const call = { method: 'GET', path: '/members/suggestions', query: { ...query }, signal } as const;
    return (await this.#transport.json<{ members: MemberSuggestion[] }>(call)).body.members;
  }

  /** One person, including people who have left. A merged record gives the one that it was merged into. */
  async get(id: number, { signal }: CallOptions = {}): Promise<Member> {
    return (await this.#transport.json<Member>({ method: 'GET', path: `/members/${id}`, signal })).body;
  }
}
