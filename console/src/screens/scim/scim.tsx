import { Page } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';

export default function Scim() {
  const { screens } = useWords();
  return <Page title={screens.scim} />;
}
