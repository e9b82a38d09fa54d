import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { giftwire } from '../../data/client.ts';
import { download } from '../../data/download.ts';
import { faultText } from '../../parts/fault.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';

/** Saves everything about a person as a ZIP. */
export async function downloadData(id: number): Promise<void> {
  await download(`data-${id}.zip`, await giftwire.members.data(id));
}

/** What a person can ask for: a file of their data, and erasure. */
export function RightsItems({ id }: { id: number }) {
  const { erasure: words, parts } = useWords();
  const navigate = useNavigate();
  const save = () => downloadData(id).catch((error: unknown) => tell(faultText(error, parts)));
  return (
    <>
      <Menu.Divider />
      <Menu.Item onClick={() => void save()}>{words.download}</Menu.Item>
      <Menu.Item color="red" onClick={() => void navigate({ to: `/people/${id}/erase` as never })}>
        {words.erase}
      </Menu.Item>
    </>
  );
}
