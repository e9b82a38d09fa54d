import type { FeedPost } from '@giftwire/sdk';
import type { ReactNode } from 'react';
import { Sentence } from '../../../parts/sentence.tsx';
import { fullName } from '../../data/people.ts';
import { useFormats, useWords } from '../../words/words.tsx';

const shownNames = 3;

/** "Priya Nair thanked the night shift", with the names in bold. */
export function WhoThanked({ post }: { post: FeedPost }) {
  const { feed: words } = useWords();
  const { sender } = post;
  return (
    <Sentence
      text={words.thanked}
      parts={{
        sender: <b>{sender.self ? words.youSender : fullName(sender)}</b>,
        receivers: <Receivers post={post} />,
      }}
    />
  );
}

function Receivers({ post: { receivers, receiverCount, team } }: { post: FeedPost }): ReactNode {
  const { feed: words } = useWords();
  const formats = useFormats();
  if (team) return <b>{team.name}</b>;
  const names = receivers.map((person) => (person.self ? words.you : fullName(person)));
  const isAll = receiverCount <= shownNames;
  const shown = isAll ? names : [...names.slice(0, shownNames - 1), words.others(receiverCount - shownNames + 1)];
  return formats
    .listParts(shown.map((name, nth) => ({ name, isName: isAll || nth < shownNames - 1 })))
    .map((part, nth) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence
      typeof part === 'string' ? part : part.isName ? <b key={nth}>{part.name}</b> : part.name,
    );
}
