import { Button, FileButton, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './branding.module.css';

/** The logo is stored as soon as it is chosen: an email carries the file itself. */
export function Logo({ address, isFixed }: { address: string | null; isFixed: boolean }) {
  const { settings } = useWords();
  const { branding } = settings;
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all(['settings', 'preview'].map((name) => queries.invalidateQueries({ queryKey: [name] })));
  const choose = useMutation({
    mutationFn: (file: File) => giftwire.settings.setLogo(file),
    onSuccess: async () => {
      await refresh();
      tell(settings.saved);
    },
  });
  const remove = useMutation({
    mutationFn: () => giftwire.settings.removeLogo(),
    onSuccess: async () => {
      await refresh();
      tell(branding.logoRemoved);
    },
  });
  return (
    <fieldset className={styles.logo}>
      <legend>{branding.logo}</legend>
      <p className="quiet small">{branding.logoHint}</p>
      {address && (
        <div className={styles.plate}>
          <img src={address} alt={branding.logoAlt} />
        </div>
      )}
      {!isFixed && (
        <Group gap={8} mt={10}>
          <FileButton accept="image/png,image/jpeg" onChange={(file) => file && choose.mutate(file)}>
            {(props) => (
              <Button {...props} loading={choose.isPending}>
                {address ? branding.logoReplace : branding.logoChoose}
              </Button>
            )}
          </FileButton>
          {address && (
            <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {branding.logoRemove}
            </Button>
          )}
        </Group>
      )}
      <Fault error={choose.error ?? remove.error} />
    </fieldset>
  );
}
