import type { FeedPost } from '@giftwire/sdk';
import { useEffect, useRef } from 'react';
import { fullName } from '../../data/people.ts';
import { Action } from '../../parts/action.tsx';
import { DoneBow, Wire } from '../../parts/empty.tsx';
import { Link } from '../../shell/place.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** What has become of a shoutout: it is sent, or it waits, and then who decides and what happens without a decision. */
export function Given({ post, onAnother }: { post: FeedPost; onAnother: () => void }) {
  const { give: words, feed } = useWords();
  const formats = useFormats();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { receivers, receiverCount, team, isPrivate, status } = post;
  const others = receiverCount - receivers.length;
  const names = team
    ? team.name
    : formats.list([...receivers.map(fullName), ...(others > 0 ? [feed.others(others)] : [])]);
  // Gifts are issued in a moment, and the shoutout comes with them.
  const isWaiting = status === 'PENDING' && post.gift?.state !== 'PREPARING';
  const title = isWaiting ? words.waitsTitle : words.doneTitle(names);
  const text = isWaiting ? words.waitsText : isPrivate ? words.donePrivate : words.doneText;
  return (
    <div className="step">
      <div className="centred">
        {isWaiting ? <Wire /> : <DoneBow />}
        <h1 ref={heading} tabIndex={-1} className="told">
          {title}
        </h1>
        <p className="second">{text}</p>
      </div>
      <div className="card block lines">
        <blockquote className="letter">{post.message}</blockquote>
        <p className="small quiet">
          {[names, post.reason?.description, post.gift && feed.withGift].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="end">
        <Action look="plain" onClick={onAnother}>
          {words.another}
        </Action>
        <p className="small">
          <Link className="link" to={`/feed/${post.id}`}>
            {isWaiting && !post.gift ? words.editMessage : words.look}
          </Link>
        </p>
      </div>
    </div>
  );
}
