import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';

export default function Users() {
  const { screens } = useWords();
  return <Page title={screens.users} />;
}
