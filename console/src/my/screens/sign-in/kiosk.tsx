import { GiftwireError } from '@giftwire/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { enterCode } from '../../../data/session.ts';
import { theCompany } from '../../company.ts';
import { base, baseOf, workspaceId } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { Plain } from '../../shell/plain.tsx';
import { useWords } from '../../words/words.tsx';

const digits = [...'1234567890'];
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ-'];
const longest = { number: 64, code: 20 };

/** Signing in at a shared screen, with an employee number and a printed code. A keyboard of the device works too. */
export function Kiosk() {
  const { signIn } = useWords();
  const [typed, setTyped] = useState({ number: '', code: '' });
  const [at, setAt] = useState<'number' | 'code'>('number');
  const [hasLetters, setHasLetters] = useState(false);
  const workspace = workspaceId ?? Number(new URLSearchParams(location.search).get('workspace'));
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => enterCode(workspace, typed.number, typed.code),
    onSuccess: () => location.replace(baseOf(workspace)),
    onError: () => setTyped(({ number }) => ({ number, code: '' })),
  });
  useEffect(() => {
    document.title = [signIn.pageTitle, theCompany?.name].filter(Boolean).join(' · ');
    // The page of the workspace has its name and colours.
    if (base === '/my' && workspace) location.replace(`${baseOf(workspace)}/kiosk`);
  }, [signIn.pageTitle, workspace]);
  const add = (key: string) => {
    reset();
    setTyped((before) => ({ ...before, [at]: (before[at] + key).slice(0, longest[at]) }));
  };
  const remove = () => setTyped((before) => ({ ...before, [at]: before[at].slice(0, -1) }));
  const enter = () => {
    if (typed.number === '') setAt('number');
    else if (typed.code === '') setAt('code');
    else if (!isPending) mutate();
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^[a-z0-9-]$/i.test(event.key)) add(event.key);
      else if (event.key === 'Backspace') remove();
      else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) enter();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
  const isLast = typed.number !== '' && (at === 'code' || typed.code !== '');
  return (
    <Plain>
      <h1>{signIn.kioskTitle}</h1>
      <p className="second small">{signIn.kioskText}</p>
      <div className="kiosk-fields">
        <KioskField label={signIn.number} isHere={at === 'number'} onChoose={() => setAt('number')}>
          {typed.number}
        </KioskField>
        <KioskField label={signIn.code} isHere={at === 'code'} onChoose={() => setAt('code')}>
          <span aria-hidden="true">{'•'.repeat(Math.max(0, typed.code.length - 2)) + typed.code.slice(-2)}</span>
          <span className="said">{signIn.entered(typed.code.length)}</span>
        </KioskField>
      </div>
      <fieldset className={hasLetters ? 'keys letters' : 'keys'} aria-label={signIn.keys}>
        {(hasLetters ? letters : digits.slice(0, 9)).map((key) => (
          <button key={key} type="button" onClick={() => add(key)}>
            {key}
          </button>
        ))}
        {hasLetters ? (
          <button type="button" className="word" onClick={() => setHasLetters(false)}>
            {signIn.digits}
          </button>
        ) : (
          <>
            <button type="button" className="word" onClick={remove}>
              {signIn.remove}
            </button>
            <button type="button" onClick={() => add('0')}>
              0
            </button>
          </>
        )}
        <button type="button" className="go" aria-disabled={isPending || undefined} onClick={enter}>
          {isLast ? signIn.enter : signIn.next}
        </button>
      </fieldset>
      <KioskFault error={error} />
      <p className="foot quiet">
        {signIn.lost}
        <br />
        {signIn.wrongHint}
        {!hasLetters && (
          <>
            <br />
            <button type="button" className="link" onClick={() => setHasLetters(true)}>
              {signIn.letters}
            </button>
          </>
        )}
      </p>
    </Plain>
  );
}

interface KioskFieldProps {
  label: string;
  isHere: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** What was entered so far. No input, so the device shows no keyboard of its own. */
function KioskField({ label, isHere, onChoose, children }: KioskFieldProps) {
  return (
    <button type="button" className="kiosk-field" aria-current={isHere} onClick={onChoose}>
      <span>{label}</span>
      <span className="input" role="status">
        {children}
      </span>
    </button>
  );
}

function KioskFault({ error }: { error: unknown }) {
  const { signIn } = useWords();
  const status = error instanceof GiftwireError ? error.status : null;
  if (status === 401) return <Fault error={new Error(signIn.wrongCode)} />;
  return <Fault error={status === 429 ? new Error(signIn.waitFive) : error} />;
}
