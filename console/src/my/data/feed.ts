import type { FeedPage, FeedPost } from '@giftwire/sdk';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';

/** Puts a post that has changed in place of the one before, wherever it is on the screen. */
export function useReplacePost(): (id: number, change: Partial<FeedPost> | null) => void {
  const queries = useQueryClient();
  return (id, change) => {
    queries.setQueriesData<InfiniteData<FeedPage>>(
      { queryKey: ['posts'] },
      (read) =>
        read && {
          ...read,
          pages: read.pages.map((page) => ({
            ...page,
            posts: page.posts.flatMap((post) => (post.id !== id ? post : change ? { ...post, ...change } : [])),
          })),
        },
    );
    queries.setQueryData<FeedPost>(['post', id], (post) => (post && change ? { ...post, ...change } : post));
  };
}
