import { GiftwireError } from '@giftwire/sdk';
import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { openLink } from '../../data/session.ts';
import { Fault } from '../../parts/fault.tsx';
import { useWords } from '../../words/words.tsx';

interface LinkFormProps {
  link: string;
  onSignedIn: () => void;
  onOther: () => void;
}

/** Only the button uses the link, so email scanners are harmless. */
export function LinkForm({ link, onSignedIn, onOther }: LinkFormProps) {
  const { signIn } = useWords();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => openLink(link),
    onSuccess: onSignedIn,
  });
  const isUsed = error instanceof GiftwireError && error.status === 401;
  return (
    <Stack gap={16}>
      <div>
        <h1>{signIn.linkTitle}</h1>
        {!isUsed && <p className="second">{signIn.linkText}</p>}
      </div>
      {isUsed ? (
        <>
          <Fault error={new Error(signIn.linkFault)} />
          <MakeLink />
          <Button onClick={onOther}>{signIn.otherWay}</Button>
        </>
      ) : (
        <>
          <Fault error={error} />
          <Button variant="filled" size="md" autoFocus loading={isPending || isSuccess} onClick={() => mutate()}>
            {signIn.enter}
          </Button>
        </>
      )}
    </Stack>
  );
}

/** How to get a link. */
export function MakeLink() {
  const { signIn } = useWords();
  return (
    <div className="small second">
      {signIn.linkHelp}
      <code className="raw">npx giftwire admin link --email you@example.com</code>
    </div>
  );
}
