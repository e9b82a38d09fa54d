import { GiftwireError } from '@giftwire/sdk';
import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { enterPassword, readWays } from '../../data/session.ts';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';
import { EmailLink } from './email-link.tsx';
import { MakeLink } from './link-form.tsx';
import styles from './sign-in.module.css';

export function PasswordForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { signIn } = useWords();
  const [fault] = useState(() => providerFault(signIn.faults));
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { data: ways } = useQuery({ queryKey: ['ways'], queryFn: () => readWays() });
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => enterPassword(email, password),
    onSuccess: onSignedIn,
  });
  const isWrong = error instanceof GiftwireError && error.status === 401;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <>
      <h1>{signIn.title}</h1>
      {fault && <Fault error={new Error(signIn.faults[fault])} />}
      {ways?.oidc && (
        <Stack gap={16} mt={16}>
          <Button component="a" href={`/session/oidc?to=${encodeURIComponent(wantedPage())}`} size="md">
            {signIn.with(ways.oidc.name)}
          </Button>
          <Divider label={signIn.or} />
        </Stack>
      )}
      <form onSubmit={submit}>
        <Stack gap={16} mt={16}>
          <TextInput
            label={signIn.email}
            type="email"
            name="email"
            autoComplete="username"
            required
            ref={field}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <PasswordInput
            label={signIn.password}
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
          <Fault error={isWrong ? new Error(signIn.wrong) : error} />
          <Button type="submit" variant="filled" size="md" loading={isPending || isSuccess}>
            {signIn.enter}
          </Button>
        </Stack>
      </form>
      {ways?.email ? (
        <EmailLink email={email} check={() => field.current?.reportValidity() ?? false} />
      ) : (
        <details className={styles.help}>
          <summary>{signIn.noPassword}</summary>
          <MakeLink />
        </details>
      )}
    </>
  );
}

/** The page that the user wanted before signing in. */
function wantedPage(): string {
  return location.pathname === '/sign-in' ? '/' : location.pathname + location.search;
}

/** Why the provider sent the browser back without a session: the address says so. */
function providerFault<Kind extends string>(faults: Record<Kind, string>): Kind | 'unauthenticated' | null {
  const kind = new URLSearchParams(location.search).get('fault');
  if (kind === null || location.pathname !== '/sign-in') return null;
  return Object.hasOwn(faults, kind) ? (kind as Kind) : 'unauthenticated';
}
