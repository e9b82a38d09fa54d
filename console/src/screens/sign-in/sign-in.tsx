import { Wordmark } from '../../parts/icon.tsx';
import { useWords } from '../../words/words.tsx';

export function SignIn({ onSignedIn: _ }: { onSignedIn: () => void }) {
  const { signIn } = useWords();
  return (
    <main>
      <Wordmark />
      <h1>{signIn.title}</h1>
    </main>
  );
}
