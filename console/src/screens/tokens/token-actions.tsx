import type { Token } from '@giftwire/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';

const overlapHours = 24;

export function TokenActions({ token, onSecret }: { token: Token; onSecret: (secret: string) => void }) {
  const { tokens: words } = useWords();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'rotate' | 'revoke' | null>(null);
  const name = token.name ?? words.unnamed;
  const refresh = () => queries.invalidateQueries({ queryKey: ['tokens'] });
  const close = () => setDialog(null);
  return (
    <>
      <RowMenu
        label={words.actionsFor(name)}
        actions={[
          { label: words.rotate, run: () => setDialog('rotate') },
          { label: words.revoke, run: () => setDialog('revoke'), isDangerous: true },
        ]}
      />
      <Confirm
        onClose={close}
        isOpen={dialog === 'rotate'}
        title={words.rotateTitle(name)}
        act={words.rotate}
        isDangerous={false}
        onAct={async () => {
          const rotated = await giftwire.tokens.rotate(token.id, { overlapHours });
          onSecret(rotated.token);
          await refresh();
        }}
      >
        {words.rotateText}
      </Confirm>
      <Confirm
        onClose={close}
        isOpen={dialog === 'revoke'}
        title={words.revokeTitle(name)}
        act={words.revoke}
        onAct={async () => {
          await giftwire.tokens.delete(token.id);
          await refresh();
          tell(words.revokedNow(name));
        }}
      >
        {words.revokeText}
      </Confirm>
    </>
  );
}
