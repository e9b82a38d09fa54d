import { GiftwireError } from '@giftwire/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { askForMyLink, openLink, readWays } from '../../../data/session.ts';
import { useLinkInAddress } from '../../../data/signed-in.ts';
import { theCompany } from '../../company.ts';
import { base, workspaceId } from '../../data/client.ts';
import { Action } from '../../parts/action.tsx';
import { Fault, Notice } from '../../parts/fault.tsx';
import { Field } from '../../parts/field.tsx';
import { Plain } from '../../shell/plain.tsx';
import { useWords } from '../../words/words.tsx';

interface SignInProps {
  onSignedIn: () => void;
  isSignedOut?: boolean;
}

/** The way in: with the link that the address carries, a work account, or a link that is emailed. There are no passwords. */
export function SignIn({ onSignedIn, isSignedOut = false }: SignInProps) {
  const { signIn } = useWords();
  const [link, forgetLink] = useLinkInAddress();
  useEffect(() => {
    document.title = [signIn.pageTitle, theCompany?.name].filter(Boolean).join(' · ');
  }, [signIn.pageTitle]);
  return (
    <Plain>
      {isSignedOut && (
        <Notice look="calm" icon="lock" role="status">
          {signIn.signedOut}
        </Notice>
      )}
      {link ? <LinkForm link={link} onSignedIn={onSignedIn} onOther={forgetLink} /> : <Ways />}
    </Plain>
  );
}

interface LinkFormProps {
  link: string;
  onSignedIn: () => void;
  onOther: () => void;
}

/** Only the button uses the link, so email scanners are harmless. */
function LinkForm({ link, onSignedIn, onOther }: LinkFormProps) {
  const { signIn } = useWords();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => openLink(link),
    onSuccess: onSignedIn,
  });
  const isUsed = error instanceof GiftwireError && error.status === 401;
  return (
    <>
      <h1>{signIn.linkTitle}</h1>
      {!isUsed && <p className="second">{signIn.linkText}</p>}
      <div className="way">
        <Fault error={isUsed ? new Error(signIn.linkUsed) : error} />
        {isUsed ? (
          <Action onClick={onOther}>{signIn.otherLink}</Action>
        ) : (
          <Action autoFocus isPending={isPending || isSuccess} onClick={() => mutate()}>
            {signIn.enter}
          </Action>
        )}
      </div>
    </>
  );
}

function Ways() {
  const { signIn } = useWords();
  const { data: ways, error, refetch } = useQuery({ queryKey: ['ways'], queryFn: () => readWays(workspaceId) });
  const fault = providerFault();
  const text = ways?.oidc ? (ways.email ? signIn.textWithAccount : signIn.textAccountAlone) : signIn.text;
  const isOnly = ways && !ways.oidc;
  return (
    <>
      <h1>{signIn.title}</h1>
      {ways && (ways.oidc || ways.email) && <p className="second">{text}</p>}
      <div className="way">
        {fault && <Fault error={new Error(signIn.faults[fault])} />}
        <Fault error={error} retry={() => void refetch()} />
        {ways?.oidc && (
          <a className="button" href={`/session/oidc?to=${encodeURIComponent(wantedPage())}`}>
            {signIn.with(ways.oidc.name)}
          </a>
        )}
        {ways?.oidc && ways.email && <p className="or">{signIn.or}</p>}
        {ways?.email && <EmailForm isOnly={Boolean(isOnly)} />}
        {ways && !ways.oidc && !ways.email && <Notice look="calm">{signIn.noWay}</Notice>}
      </div>
      {ways?.kiosk && base !== '/my' && (
        <p className="foot">
          <a className="link" href={`${base}/kiosk`}>
            {signIn.toKiosk}
          </a>
        </p>
      )}
    </>
  );
}

/** Has a link emailed. It says the same for known and unknown addresses. */
function EmailForm({ isOnly }: { isOnly: boolean }) {
  const { signIn } = useWords();
  const [email, setEmail] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: askForMyLink });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = email.trim();
    const isAddress = /^[^\s@]+@[^\s@]+$/.test(typed);
    setIsWrong(!isAddress);
    if (isAddress && !isPending) mutate(typed);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Field label={signIn.email} fault={isWrong ? signIn.notAnEmail : null}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <Action type="submit" isPending={isPending} {...(!isOnly && { look: 'plain' })}>
        {signIn.emailLink}
      </Action>
      <Fault error={error} not={signIn.notEmailed} />
      {isSuccess && (
        <Notice look="calm" icon="ok" role="status">
          {signIn.emailed}
        </Notice>
      )}
    </form>
  );
}

/** The page that the person wanted before signing in. */
function wantedPage(): string {
  return location.pathname.endsWith('/sign-in') ? base : location.pathname + location.search;
}

/** Why the provider sent the browser back without a session: the address says so. */
function providerFault(): 'forbidden' | 'unauthenticated' | null {
  const fault = new URLSearchParams(location.search).get('fault');
  if (fault === null) return null;
  return fault === 'forbidden' ? fault : 'unauthenticated';
}
