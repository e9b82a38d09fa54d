import { Empty } from '../parts/empty.tsx';
import { GoButton } from '../parts/link.tsx';
import { screens } from '../screens.ts';
import { useWords } from '../words/words.tsx';
import { usePath } from './path.ts';

/** No screen at this address, or none for this role. */
export function NotFound() {
  const { frame } = useWords();
  const path = usePath();
  const exists = screens.some((screen) => patternOf(screen.path).test(path));
  return (
    <Empty title={exists ? frame.notAllowed : frame.notFound} action={<GoButton to="/">{frame.toHome}</GoButton>}>
      {exists ? frame.notAllowedText : frame.notFoundText}
    </Empty>
  );
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`);
}
