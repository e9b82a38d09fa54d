import Type, { type Static } from 'typebox';
import { FeedPerson, FeedTeam } from './feed.ts';
import { named, nullable, ref, strictQuery } from './schema.ts';

const Colleague = named(
  'Colleague',
  Type.Object(
    {
      ...FeedPerson.properties,
      team: nullable<string>('string', { description: 'The name of their team.' }),
      location: nullable<string>('string', { description: 'Where they work.' }),
    },
    { description: 'A colleague who can be thanked.' },
  ),
);
export const ColleagueQuery = strictQuery({
  search: Type.String({ format: 'text', maxLength: 200, default: '', description: 'The beginning of names.' }),
  size: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'How many people at most.' }),
});
export type ColleagueQuery = Static<typeof ColleagueQuery>;
export const Colleagues = named(
  'Colleagues',
  Type.Object(
    {
      people: Type.Array(ref(Colleague), { description: 'The best first. Without a search: those of the own team.' }),
      teams: Type.Array(
        Type.Object({
          ...FeedTeam.properties,
          people: Type.Integer({ minimum: 0, description: 'How many people are in it.' }),
        }),
        { description: 'Teams whose names begin so.' },
      ),
    },
    { description: 'Who can be thanked.' },
  ),
);
export type Colleagues = Static<typeof Colleagues>;

export const colleagueSchemas = [Colleague, Colleagues];
