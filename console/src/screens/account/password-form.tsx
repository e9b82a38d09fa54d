import type { MyAccount } from '@giftwire/sdk';
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { useHere } from '../../data/me.tsx';
import { queries } from '../../data/queries.ts';
import { Fault } from '../../parts/fault.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';

export function PasswordForm({ account }: { account: MyAccount }) {
  const { account: words } = useWords();
  const { user } = useHere().me;
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => giftwire.me.choosePassword({ password, ...(account.needsCurrent && { current }) }),
    onSuccess: async () => {
      setPassword('');
      setCurrent('');
      await queries.invalidateQueries({ queryKey: ['account'] });
      tell(words.chosen);
    },
  });
  const faults = fieldFaults(error, ['password', 'current']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={16} maw={420}>
        <p className="second">{account.hasPassword ? words.passwordHas : words.passwordNone}</p>
        {/* Lets a password manager know whose password it keeps. */}
        <input type="email" name="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        {account.needsCurrent && (
          <PasswordInput
            label={words.current}
            autoComplete="current-password"
            required
            value={current}
            error={faults.of('current')}
            onChange={({ target }) => setCurrent(target.value)}
          />
        )}
        <PasswordInput
          label={words.wanted}
          description={words.wantedHint}
          autoComplete="new-password"
          required
          value={password}
          error={faults.of('password')}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Fault error={faults.rest} />
        <Group>
          <Button type="submit" loading={isPending}>
            {words.choose}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
