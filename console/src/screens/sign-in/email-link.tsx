import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { askForLink } from '../../data/session.ts';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';

interface EmailLinkProps {
  email: string;
  /** Shows what is wrong with the email address, if something is. */
  check: () => boolean;
}

/** Has a link emailed to the address in the form. It says the same for known and unknown addresses. */
export function EmailLink({ email, check }: EmailLinkProps) {
  const { signIn } = useWords();
  const { mutate, isPending, isSuccess, variables, error } = useMutation({ mutationFn: askForLink });
  return (
    <Stack gap={12} mt={12}>
      <Button size="md" loading={isPending} onClick={() => check() && mutate(email.trim())}>
        {signIn.emailLink}
      </Button>
      <Fault error={error} />
      {isSuccess && (
        <p role="status" className="second">
          {signIn.emailedLink(variables)}
        </p>
      )}
    </Stack>
  );
}
