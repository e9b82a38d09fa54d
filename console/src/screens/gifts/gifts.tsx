import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';

export default function Gifts() {
  const { screens } = useWords();
  return <Page title={screens.gifts} />;
}
