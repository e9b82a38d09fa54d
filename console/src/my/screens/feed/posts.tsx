import type { FeedPost } from '@giftwire/sdk';
import { Post } from './post.tsx';

/** Shoutouts of several pages, one after the other. */
export function Posts({ pages }: { pages: readonly { posts: readonly FeedPost[] }[] }) {
  return (
    <ul className="posts">
      {pages
        .flatMap(({ posts }) => posts)
        .map((post) => (
          <li key={post.id}>
            <Post post={post} />
          </li>
        ))}
    </ul>
  );
}
