import type { ErasurePreview } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useHere } from '../../data/me.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Bar } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';

interface ActionsProps {
  id: number;
  name: string;
  preview: ErasurePreview;
}

/** Ask for it, agree to it, or stop it. */
export function Actions({ id, name, preview: { erasure, confirmation, obstacles } }: ActionsProps) {
  const { erasure: words } = useWords();
  const { me } = useHere();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'ask' | 'confirm' | 'stop' | null>(null);
  const needsTwo = confirmation === 'TWO_PEOPLE';
  const act = (run: () => Promise<unknown>, said: string) => async () => {
    await run();
    tell(said);
    await queries.invalidateQueries({ queryKey: ['people'] });
    void queries.invalidateQueries({ queryKey: ['reports'] });
  };
  const isOpen = erasure?.state === 'REQUESTED' || erasure?.state === 'WAITING';
  const isMine = erasure?.requestedBy.is === 'USER' && erasure.requestedBy.id === me.user?.id;
  const close = () => setDialog(null);
  const asking = needsTwo ? words.askText : words.askTextPause;
  const hint = !isOpen ? asking : isMine && erasure.state === 'REQUESTED' ? words.notYou : words.stopHint;
  const ask = needsTwo ? words.askSecond : words.askAct;
  return (
    <>
      <Bar
        label={words.erase}
        isStill
        actions={
          isOpen ? (
            <>
              <Button onClick={() => setDialog('stop')}>{words.stop}</Button>
              {erasure.state === 'REQUESTED' && !isMine && (
                <Button variant="filled" color="red" onClick={() => setDialog('confirm')}>
                  {words.confirm}
                </Button>
              )}
            </>
          ) : (
            <Button variant="filled" color="red" disabled={obstacles.length > 0} onClick={() => setDialog('ask')}>
              {ask}
            </Button>
          )
        }
      >
        <p className="second">{hint}</p>
      </Bar>
      <Confirm
        isOpen={dialog === 'ask'}
        onClose={close}
        title={words.askTitle(name)}
        act={ask}
        onAct={act(() => giftwire.members.erase(id), words.asked)}
      >
        <p>{asking}</p>
      </Confirm>
      <Confirm
        isOpen={dialog === 'confirm'}
        onClose={close}
        title={words.confirmTitle(name)}
        act={words.confirm}
        onAct={act(() => giftwire.members.confirmErasure(id), words.confirmed)}
      >
        <p>{words.confirmText}</p>
      </Confirm>
      <Confirm
        isOpen={dialog === 'stop'}
        onClose={close}
        title={words.stopTitle(name)}
        act={words.stop}
        isDangerous={false}
        onAct={act(() => giftwire.members.stopErasure(id), words.stopped)}
      >
        <p>{words.stopText}</p>
      </Confirm>
    </>
  );
}
