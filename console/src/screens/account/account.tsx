import { useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { DeputySection } from './deputy.tsx';
import { PasswordForm } from './password-form.tsx';
import { Profile } from './profile.tsx';
import { Provider } from './provider.tsx';
import { Sessions } from './sessions.tsx';

/** The account of the person who is signed in. */
export default function Account() {
  const { screens, account: words } = useWords();
  const { user } = useHere().me;
  const can = useCan();
  const { data, error, refetch } = useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => giftwire.me.account({ signal }),
  });
  return (
    <Page title={screens.account} text={user?.email}>
      <Section title={words.you}>
        <Profile />
      </Section>
      {can('approvals:decide') && <DeputySection />}
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting />}
      {data && (
        <>
          <Section title={words.password}>
            <PasswordForm account={data} />
          </Section>
          <Provider account={data} />
          <Section title={words.sessions}>
            <Sessions sessions={data.sessions} />
          </Section>
        </>
      )}
    </Page>
  );
}
