import { GiftwireError } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { Link } from '../../shell/place.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useWords } from '../../words/words.tsx';
import { AllReceivers } from './all-receivers.tsx';
import { Comments } from './comments.tsx';
import { Post } from './post.tsx';
import { PostActions } from './post-actions.tsx';
import { WhoReacted } from './reactions.tsx';
import { ThankYouNotes } from './thank-you-notes.tsx';

/** One shoutout with everything that was said about it. */
export function PostPage({ id }: { id: number }) {
  const { feed: words } = useWords();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['post', id],
    queryFn: () => giftwire.feed.retrieve(id),
  });
  const isGone = error instanceof GiftwireError && error.status === 404;
  return (
    <Screen title={words.one} at="feed" back="/feed">
      <h1 className="said">{words.one}</h1>
      {isGone ? (
        <Empty
          title={words.gone}
          action={
            <Link className="button plain" to="/feed">
              {words.toFeed}
            </Link>
          }
        >
          {words.goneText}
        </Empty>
      ) : (
        <Fault error={error} retry={() => void refetch()} />
      )}
      {isPending && !isGone && <Waiting rows={2} />}
      {data && (
        <>
          <Post post={data} isAlone />
          <div className="about-post">
            <WhoReacted post={data} />
            <AllReceivers post={data} />
            <PostActions post={data} />
          </div>
          {data.isMine && <ThankYouNotes id={id} />}
          {data.status === 'APPROVED' && <Comments post={data} />}
        </>
      )}
    </Screen>
  );
}
