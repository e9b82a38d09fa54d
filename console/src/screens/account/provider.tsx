import type { MyAccount } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readWays } from '../../data/session.ts';
import { Section } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';

/** The OpenID provider of the company, where one is set up. */
export function Provider({ account }: { account: MyAccount }) {
  const { account: words } = useWords();
  const { data: ways } = useQuery({ queryKey: ['ways'], queryFn: () => readWays() });
  if (!ways?.oidc) return null;
  const { name } = ways.oidc;
  return (
    <Section title={words.provider(name)}>
      {account.oidcIssuer ? (
        <p>{words.connected(name)}</p>
      ) : (
        <>
          <p className="second">{words.providerText(name)}</p>
          <Button component="a" mt={12} href={`/session/oidc?connect&to=${encodeURIComponent(location.pathname)}`}>
            {words.connect(name)}
          </Button>
        </>
      )}
    </Section>
  );
}
