import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';

export default function Send() {
  const { screens } = useWords();
  return <Page title={screens.send} />;
}
