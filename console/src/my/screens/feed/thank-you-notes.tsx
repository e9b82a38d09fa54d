import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { fullName } from '../../data/people.ts';
import { useFormats, useWords } from '../../words/words.tsx';

/** What recipients replied to the sender, who alone reads all of it. */
export function ThankYouNotes({ id }: { id: number }) {
  const { shoutouts: words } = useWords();
  const formats = useFormats();
  const { data } = useQuery({
    queryKey: ['post', id, 'thanks'],
    queryFn: () => giftwire.myShoutouts.thanks(id),
  });
  if (!data || data.thanks.length === 0) return null;
  return (
    <section className="block">
      <h2>{words.notes}</h2>
      <ul className="comments">
        {data.thanks.map(({ from, text, at }) => (
          <li key={from.id}>
            <p className="letter">{text}</p>
            <p className="small quiet">
              {fullName(from)} · {formats.moment(at)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
