import { Link } from '../shell/place.tsx';
import { useWords } from '../words/words.tsx';
import { Empty } from './empty.tsx';

/** A page about something that is not there, or is not the person's, and the way back. */
export function NotHere({ title }: { title: string }) {
  const { frame } = useWords();
  return (
    <Empty
      isPage
      title={title}
      action={
        <Link className="button" to="/">
          {frame.notFoundAction}
        </Link>
      }
    >
      {frame.notFoundText}
    </Empty>
  );
}
