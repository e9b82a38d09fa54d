import { useCan } from '../data/me.tsx';
import { Face } from './face.tsx';
import { Go } from './link.tsx';
import { nameOf } from './name.ts';
import styles from './person-link.module.css';

interface Person {
  id: number;
  firstName: string;
  lastName: string;
  email: string | null;
}

/** Face, name and address of a member, with a link to their page for those who may see it. */
export function PersonLink({ person }: { person: Person }) {
  const can = useCan();
  const name = nameOf(person, `${person.id}`);
  return (
    <span className={styles.who}>
      <Face name={name} />
      <span>
        {can('directory:read') ? <Go to={`/people/${person.id}`}>{name}</Go> : <b>{name}</b>}
        {person.email && person.email !== name && <span className={styles.address}>{person.email}</span>}
      </span>
    </span>
  );
}
