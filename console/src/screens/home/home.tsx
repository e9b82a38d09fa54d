import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';

export default function Home() {
  const { screens } = useWords();
  return <Page title={screens.home} />;
}
