import { Icon, type IconName } from '../../parts/icon.tsx';
import { useCan } from '../data/me.tsx';
import { useWords } from '../words/words.tsx';
import { Link } from './place.tsx';

export type PlaceName = 'gifts' | 'feed' | 'shoutouts' | 'give' | 'you';

interface PlaceLink {
  name: PlaceName;
  to: string;
  icon: IconName;
  scope: string;
}

const places: readonly PlaceLink[] = [
  { name: 'gifts', to: '/', icon: 'gift', scope: 'me:read' },
  { name: 'feed', to: '/feed', icon: 'heart', scope: 'feed:read' },
  { name: 'give', to: '/give', icon: 'talk', scope: 'feed:write' },
  { name: 'you', to: '/you', icon: 'person', scope: 'feed:read' },
];

const widePlaces: readonly PlaceLink[] = [
  ...places.slice(0, 2),
  { name: 'shoutouts', to: '/shoutouts', icon: 'talk', scope: 'feed:read' },
];

/** The four places, at the end of the thumb's reach. People who have left have their gifts alone, so no bar. */
export function Places({ at }: { at: PlaceName }) {
  const { frame } = useWords();
  const can = useCan();
  const open = places.filter(({ scope }) => can(scope));
  const current = at === 'shoutouts' ? 'you' : at;
  if (open.length < 2) return null;
  return (
    <nav className="places" aria-label={frame.places}>
      {open.map(({ name, to, icon }) => (
        <Link key={name} to={to} aria-current={name === current ? 'page' : undefined}>
          <Icon name={icon} size={22} />
          {frame[name]}
        </Link>
      ))}
    </nav>
  );
}

export function WidePlaces({ at }: { at: PlaceName | undefined }) {
  const { frame } = useWords();
  const can = useCan();
  const open = widePlaces.filter(({ scope }) => can(scope));
  if (open.length < 2) return <span className="wide-places" />;
  return (
    <nav className="wide-places" aria-label={frame.places}>
      {open.map(({ name, to }) => (
        <Link key={name} to={to} aria-current={name === at ? 'page' : undefined}>
          {frame[name]}
        </Link>
      ))}
      {can('feed:write') && (
        <Link className="pill go" to="/give" aria-current={at === 'give' ? 'page' : undefined}>
          {frame.giveAction}
        </Link>
      )}
    </nav>
  );
}
