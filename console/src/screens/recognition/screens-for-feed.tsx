import type { FeedScreen } from '@giftwire/sdk';
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OnceDialog } from '../../parts/once-dialog.tsx';
import { tell } from '../../parts/tell.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

/** Screens on walls that show the latest public shoutouts, each with a link that can be revoked. */
export function ScreensForFeed() {
  const { recognition: words } = useWords();
  const formats = useFormats();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'add' | FeedScreen | null>(null);
  const [path, setPath] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: ['feed', 'screens'], queryFn: () => giftwire.feed.screens() });
  const close = () => setDialog(null);
  const again = () => queries.invalidateQueries({ queryKey: ['feed', 'screens'] });
  return (
    <>
      <p className="second">{words.screensText}</p>
      <Button my={12} onClick={() => setDialog('add')}>
        {words.addScreen}
      </Button>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting lines={3} />}
      {data?.length === 0 && <Empty title={words.noScreens}>{words.noScreensText}</Empty>}
      {data && data.length > 0 && (
        <ul className="entries">
          {data.map((screen) => (
            <li key={screen.id}>
              <Icon name="eye" size={20} />
              <div>
                <p>
                  <b>{screen.name}</b>
                </p>
                <p className="quiet small">{words.screenSince(formats.day(screen.createdAt))}</p>
                <Button size="compact-sm" mt={8} onClick={() => setDialog(screen)}>
                  {words.revokeScreen}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <AddScreen
        isOpen={dialog === 'add'}
        onClose={close}
        onAdded={(added) => {
          setPath(added);
          void again();
        }}
      />
      <OnceDialog
        value={path && `${location.origin}${path}`}
        title={words.screenLinkTitle}
        text={words.screenLinkText}
        label={words.screenLink}
        done={words.screenDone}
        onClose={() => setPath(null)}
      />
      <Confirm
        isOpen={dialog !== null && dialog !== 'add'}
        onClose={close}
        title={words.revokeScreenTitle(dialog !== null && dialog !== 'add' ? dialog.name : '')}
        act={words.revokeScreen}
        onAct={async () => {
          if (dialog === null || dialog === 'add') return;
          await giftwire.feed.deleteScreen(dialog.id);
          tell(words.screenRevoked);
          await again();
        }}
      >
        <p>{words.revokeScreenText}</p>
      </Confirm>
    </>
  );
}

interface AddScreenProps {
  isOpen: boolean;
  onClose: () => void;
  onAdded: (link: string) => void;
}

function AddScreen({ isOpen, onClose, onAdded }: AddScreenProps) {
  const { recognition: words } = useWords();
  const [name, setName] = useState('');
  const { error, isBusy, submit } = useSubmit(async () => {
    const { link } = await giftwire.feed.createScreen({ name: name.trim() });
    setName('');
    onClose();
    onAdded(link);
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.addScreen}
      onSave={() => name.trim() !== '' && void submit()}
      isSaving={isBusy}
      fault={error}
    >
      <TextInput
        label={words.screenName}
        description={words.screenNameHint}
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}
