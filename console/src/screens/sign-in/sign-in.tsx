import { useEffect } from 'react';
import { useLinkInAddress } from '../../data/signed-in.ts';
import { Wordmark } from '../../parts/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { LinkForm } from './link-form.tsx';
import { PasswordForm } from './password-form.tsx';
import styles from './sign-in.module.css';

/** The way in: with the link that the address carries, or with a password or an OpenID provider. */
export function SignIn({ onSignedIn, isSignedOut = false }: { onSignedIn: () => void; isSignedOut?: boolean }) {
  const { signIn } = useWords();
  const [link, forgetLink] = useLinkInAddress();
  useEffect(() => {
    document.title = `${signIn.title} · Giftwire`;
  }, [signIn.title]);
  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <div className={styles.word}>
          <Wordmark />
        </div>
        {isSignedOut && (
          <p className={styles.notice} role="status">
            {location.pathname.includes('/send') ? signIn.signedOutGift : signIn.signedOut}
          </p>
        )}
        {link ? (
          <LinkForm link={link} onSignedIn={onSignedIn} onOther={forgetLink} />
        ) : (
          <PasswordForm onSignedIn={onSignedIn} />
        )}
      </main>
      <WireAcross />
    </div>
  );
}

/** The wire crosses the page and ties itself into a bow. */
function WireAcross() {
  return (
    <svg
      className={styles.wire}
      viewBox="0 0 1440 120"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      aria-hidden="true"
    >
      <path d="M0 96H632C672 96 700 86 720 62C744 26 780 2 804 14C830 28 808 62 720 62C632 62 610 28 636 14C660 2 696 26 720 62C740 86 768 96 808 96H1440" />
    </svg>
  );
}
