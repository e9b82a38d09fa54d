import type { FeedPost } from '@giftwire/sdk';
import { Face } from '../../../parts/face.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { fullName } from '../../data/people.ts';
import { Link } from '../../shell/place.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { Reactions } from './reactions.tsx';
import { Reply } from './reply.tsx';
import { WhoThanked } from './who.tsx';

interface PostProps {
  post: FeedPost;
  /** Whether the page is about this post alone. */
  isAlone?: boolean;
}

/** A shoutout: the words of a person, whom they are for, and what colleagues feel about it. */
export function Post({ post, isAlone = false }: PostProps) {
  const { feed: words } = useWords();
  const formats = useFormats();
  const { id, sender, reason, message, isPrivate, status, commentCount } = post;
  const isShown = status === 'APPROVED';
  const facts = [
    reason?.description,
    whenOf(post.createdAt, formats),
    post.editedAt !== null && words.edited,
    post.gift && words.withGift,
  ].filter(Boolean);
  return (
    <article className={isPrivate ? 'post private' : 'post'} aria-labelledby={`post-${id}`}>
      <header>
        <Face name={fullName(sender)} size={40} />
        <div>
          <p id={`post-${id}`}>
            <WhoThanked post={post} />
          </p>
          <p className="small quiet">{facts.join(' · ')}</p>
          {isPrivate && <Private post={post} />}
        </div>
      </header>
      <blockquote className="letter">{message}</blockquote>
      {!isShown && (
        <p className="small marked">
          <Icon name={status === 'PENDING' ? 'pause' : 'no'} size={15} />
          {status === 'DECLINED' ? words.declined : post.gift?.state === 'PREPARING' ? words.preparing : words.pending}
        </p>
      )}
      {post.gift?.myGiftId && (
        <p className="small">
          <Link className="link" to={`/gifts/${post.gift.myGiftId}`}>
            {words.openGift}
          </Link>
        </p>
      )}
      {isShown && (
        <div className="under-post">
          <Reactions post={post} />
          {!isAlone && (
            <Link className="pill bare" to={`/feed/${id}`}>
              <Icon name="talk" />
              <span className="said">{words.comments(commentCount)}</span>
              <span aria-hidden="true">{commentCount > 0 && commentCount}</span>
            </Link>
          )}
        </div>
      )}
      {isShown && post.isForMe && <Reply post={post} />}
    </article>
  );
}

function Private({ post: { sender, receivers, receiverCount } }: { post: FeedPost }) {
  const { feed: words } = useWords();
  const formats = useFormats();
  const nameOf = (person: FeedPost['sender']) => (person.self ? words.you : fullName(person));
  const text =
    receiverCount > 2
      ? words.privateMany(nameOf(sender), receiverCount)
      : words.private(formats.list([sender, ...receivers].map(nameOf)));
  return (
    <p className="small locked">
      <Icon name="lock" size={15} />
      {text}
    </p>
  );
}

/** 09:40 today, Friday within a week, else the day. */
function whenOf(at: string, formats: ReturnType<typeof useFormats>): string {
  const date = new Date(at);
  const days = (Date.now() - date.getTime()) / 86_400_000;
  if (days < 1 && date.getDate() === new Date().getDate()) return formats.time(at);
  return days < 6 ? formats.weekdayName(at, 'long') : formats.moment(at);
}
