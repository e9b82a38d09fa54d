import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Face } from '../../../parts/face.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Sentence } from '../../../parts/sentence.tsx';
import { theCompany } from '../../company.ts';
import { base } from '../../data/client.ts';
import { Company } from '../../shell/company.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

interface ScreenPost {
  sender: string;
  receivers: string[];
  others: number;
  team: string | null;
  reason: string;
  message: string;
  at: string;
  withGift: boolean;
}

const lookEveryMs = 20_000;
/** Sooner while the service cannot be reached. */
const retryEveryMs = 5_000;
const showEachMs = 20_000;
/** How many stand beside the large one. */
const besides = 3;

/** The link was revoked, or is not complete: another look would not help at once. */
class Revoked extends Error {}

/** The latest public shoutouts on a wall, one large at a time. They stay while the network is away, and go once the link is revoked. */
export function Tv() {
  const { tv: words } = useWords();
  const { data, error } = useQuery({
    queryKey: ['tv'],
    queryFn: readPosts,
    retry: false,
    networkMode: 'always',
    refetchInterval: ({ state }) => (state.error ? retryEveryMs : lookEveryMs),
    refetchIntervalInBackground: true,
  });
  useEffect(() => {
    document.title = [words.title, theCompany?.name].filter(Boolean).join(' · ');
  }, [words.title]);
  const isRevoked = error instanceof Revoked;
  const posts = isRevoked ? [] : (data ?? []);
  return (
    <div className="tv">
      <header>
        <Company />
        <Clock />
      </header>
      <main>
        {isRevoked ? (
          <Said title={words.revoked} text={words.revokedText} />
        ) : posts.length > 0 ? (
          <Rotation key={posts[0]?.at} posts={posts} />
        ) : (
          data && <Said title={words.empty} text={words.emptyText} />
        )}
      </main>
      <svg viewBox="0 0 168 56" aria-hidden="true">
        <path d="M-2000 46H60C72 46 79 40 84 32C90 18 102 6 110 11C119 16 112 32 84 32C56 32 49 16 58 11C66 6 78 18 84 32C89 40 96 46 108 46H2000" />
      </svg>
      <footer>
        {error && !isRevoked ? (
          <p className="away" role="status">
            <Icon name="warn" size={22} />
            {words.away}
          </p>
        ) : (
          <p>{words.note}</p>
        )}
        <p>{words.join(`${location.host}${base}`)}</p>
      </footer>
    </div>
  );
}

async function readPosts(): Promise<ScreenPost[]> {
  const headers = { Authorization: `Bearer ${location.hash.slice(1)}` };
  const response = await fetch(`${base}/tv/posts`, { headers, cache: 'no-store', credentials: 'omit' });
  if (response.status === 403) throw new Revoked();
  if (!response.ok) throw new Error(String(response.status));
  return ((await response.json()) as { posts: ScreenPost[] }).posts;
}

/** One large, the next ones beside it, the newest first. It begins again with each new shoutout. */
function Rotation({ posts }: { posts: readonly ScreenPost[] }) {
  const [turns, setTurns] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurns((before) => before + 1), showEachMs);
    return () => clearInterval(timer);
  }, []);
  const postAt = (nth: number) => posts[nth % posts.length] as ScreenPost;
  const next = Array.from({ length: Math.min(besides, posts.length - 1) }, (_, nth) => postAt(turns + 1 + nth));
  return (
    <div className="turn" key={turns}>
      <Shoutout post={postAt(turns)} />
      {next.length > 0 && (
        <ul>
          {next.map((post) => (
            <li key={post.at}>
              <blockquote className="letter">{post.message}</blockquote>
              <p>
                <WhoThanked post={post} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The words stand first, then who they are from and for. */
function Shoutout({ post }: { post: ScreenPost }) {
  const { tv: words } = useWords();
  const formats = useFormats();
  const { sender, reason, message, at, withGift } = post;
  const facts = [reason, formats.shortDay(at), withGift && words.withGift].filter(Boolean);
  return (
    <article data-length={lengthOf(message)}>
      <blockquote className="letter">{message}</blockquote>
      <div className="by">
        <Face name={sender} />
        <div>
          <h1>
            <WhoThanked post={post} />
          </h1>
          <p>{facts.join(' · ')}</p>
        </div>
      </div>
    </article>
  );
}

function WhoThanked({ post: { sender, receivers, others, team } }: { post: ScreenPost }) {
  const { feed } = useWords();
  const formats = useFormats();
  const names = team ?? formats.list([...receivers, ...(others > 0 ? [feed.others(others)] : [])]);
  return <Sentence text={feed.thanked} parts={{ sender: <b>{sender}</b>, receivers: <b>{names}</b> }} />;
}

/** A long text is written smaller, so that it is on the screen as a whole. */
function lengthOf(message: string): 'short' | 'medium' | 'long' | 'longest' {
  const { length } = message;
  if (length <= 90) return 'short';
  if (length <= 220) return 'medium';
  return length <= 480 ? 'long' : 'longest';
}

function Said({ title, text }: { title: string; text: string }) {
  return (
    <article>
      <h1 className="letter">{title}</h1>
      <p>{text}</p>
    </article>
  );
}

function Clock() {
  const formats = useFormats();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return <time className="clock">{[formats.weekday(now), formats.time(now)].join(', ')}</time>;
}
