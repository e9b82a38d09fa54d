import type { KioskCode, Member } from '@giftwire/sdk';
import { Menu } from '@mantine/core';
import { useState } from 'react';
import { giftwire, workspaceId } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { nameOf } from '../../parts/name.ts';
import { OnceDialog } from '../../parts/once-dialog.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';

export type KioskDialog = 'kiosk' | 'revokeKiosk';

/** Creates and revokes the code with which a person without email signs in at a shared screen. */
export function KioskItems({ onChoose }: { onChoose: (dialog: KioskDialog) => void }) {
  const { employees: words } = useWords();
  return (
    <>
      <Menu.Item onClick={() => onChoose('kiosk')}>{words.kioskCreate}</Menu.Item>
      <Menu.Item onClick={() => onChoose('revokeKiosk')}>{words.kioskRevoke}</Menu.Item>
    </>
  );
}

interface KioskDialogsProps {
  member: Member;
  dialog: string | null;
  onClose: () => void;
}

export function KioskDialogs({ member, dialog, onClose }: KioskDialogsProps) {
  const { employees: words } = useWords();
  const [created, setCreated] = useState<KioskCode | null>(null);
  const name = nameOf(member);
  return (
    <>
      <Confirm
        isOpen={dialog === 'kiosk'}
        onClose={onClose}
        title={words.kioskTitle(name)}
        act={words.kioskCreate}
        isDangerous={false}
        onAct={async () => setCreated(await giftwire.members.createKioskCode(member.id))}
      >
        <p>{words.kioskText(name)}</p>
      </Confirm>
      <OnceDialog
        value={created?.code ?? null}
        title={words.kioskTitle(name)}
        text={words.kioskOnce(created?.employeeNumber ?? '', `${location.origin}/my/${workspaceId}/kiosk`)}
        label={words.kiosk}
        done={words.kioskDone}
        onClose={() => setCreated(null)}
      />
      <Confirm
        isOpen={dialog === 'revokeKiosk'}
        onClose={onClose}
        title={words.kioskRevokeTitle(name)}
        act={words.kioskRevoke}
        onAct={async () => {
          await giftwire.members.revokeKioskCode(member.id);
          tell(words.kioskRevoked);
        }}
      >
        <p>{words.kioskRevokeText}</p>
      </Confirm>
    </>
  );
}
