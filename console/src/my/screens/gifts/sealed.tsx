import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { MiniParcel } from '../../parts/mini-parcel.tsx';
import { Link } from '../../shell/place.tsx';
import { useWords } from '../../words/words.tsx';

/** Unopened gifts keep their wrapping and their secret: no amount until then. */
export function SealedGifts() {
  const { gifts: words } = useWords();
  const { data } = useQuery({
    queryKey: ['gifts', 'sealed'],
    queryFn: () => giftwire.myGifts.list({ standing: 'SEALED', size: 20 }),
  });
  return (
    <ul>
      {data?.gifts.map(({ id, senderName }) => (
        <li key={id}>
          <Link className="sealed" to={`/gifts/${id}`}>
            <MiniParcel />
            <span>
              <b>{words.leftYou(senderName)}</b>
              <span className="small">{words.sealed}</span>
            </span>
            <span className="pill go">{words.open}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
