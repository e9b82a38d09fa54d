import type { FeedPost, ReactionKind } from '@giftwire/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon, type IconName } from '../../../parts/icon.tsx';
import { giftwire } from '../../data/client.ts';
import { useReplacePost } from '../../data/feed.ts';
import { fullName } from '../../data/people.ts';
import { Fault } from '../../parts/fault.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

export const kinds: readonly [ReactionKind, IconName][] = [
  ['WARM', 'heart'],
  ['WELL_DONE', 'bow'],
  ['WOW', 'spark'],
  ['SMILE', 'smile'],
];

/** Four reactions, one of each for each person. They change at once, and change back if the service does not take them. */
export function Reactions({ post }: { post: FeedPost }) {
  const { feed: words } = useWords();
  const replace = useReplacePost();
  const { id, reactions, myReactions } = post;
  const { mutate, error } = useMutation({
    mutationFn: ({ kind, isOn }: { kind: ReactionKind; isOn: boolean }) =>
      isOn ? giftwire.feed.react(id, kind) : giftwire.feed.unreact(id, kind),
    onMutate: ({ kind, isOn }) => {
      const count = (reactions[kind] ?? 0) + (isOn ? 1 : -1);
      replace(id, {
        reactions: { ...reactions, [kind]: count },
        myReactions: isOn ? [...myReactions, kind] : myReactions.filter((one) => one !== kind),
      });
    },
    onError: () => replace(id, { reactions, myReactions }),
    onSuccess: (now) => replace(id, now),
  });
  return (
    <>
      <fieldset className="reactions" aria-label={words.react}>
        {kinds.map(([kind, icon]) => {
          const isMine = myReactions.includes(kind);
          return (
            <button
              key={kind}
              type="button"
              className="pill"
              aria-pressed={isMine}
              onClick={() => mutate({ kind, isOn: !isMine })}
            >
              <Icon name={icon} size={19} />
              <span className="said">{words.reactions[kind]}</span>
              {reactions[kind] > 0 && <span className="amount">{reactions[kind]}</span>}
            </button>
          );
        })}
      </fieldset>
      <Fault error={error} not={words.notReacted} />
    </>
  );
}

/** The names of those who reacted, when a person asks for them. */
export function WhoReacted({ post: { id, reactions } }: { post: FeedPost }) {
  const { feed: words } = useWords();
  const [isAsked, setIsAsked] = useState(false);
  if (!kinds.some(([kind]) => reactions[kind] > 0)) return null;
  if (!isAsked)
    return (
      <p className="small">
        <button type="button" className="link" onClick={() => setIsAsked(true)}>
          {words.whoReacted}
        </button>
      </p>
    );
  return (
    <ul className="small second reactors">
      {kinds
        .filter(([kind]) => reactions[kind] > 0)
        .map(([kind]) => (
          <Reactors key={kind} id={id} kind={kind} count={reactions[kind]} />
        ))}
    </ul>
  );
}

function Reactors({ id, kind, count }: { id: number; kind: ReactionKind; count: number }) {
  const { feed: words } = useWords();
  const formats = useFormats();
  const { data } = useQuery({
    queryKey: ['post', id, 'reactors', kind, count],
    queryFn: () => giftwire.feed.reactions(id, { kind, size: 10 }),
  });
  if (!data) return null;
  const names = data.people.map((person) => (person.self ? words.you : fullName(person)));
  const others = count - names.length;
  const text = words.reactors[kind](formats.list(others > 0 ? [...names, words.others(others)] : names));
  return <li>{text.charAt(0).toUpperCase() + text.slice(1)}</li>;
}
