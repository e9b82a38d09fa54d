import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automations.module.css';

const steps = { day: 1, week: 7, month: 30, year: 365 } as const;

/** Test environment: lets time pass in the workspace, so that one sees what automations do. */
export function Clock() {
  const { automations: words } = useWords();
  const { day } = useFormats();
  const { me } = useHere();
  const canManage = useCan()('automations:manage');
  const queries = useQueryClient();
  const advance = useMutation({
    mutationFn: async (days: number) => {
      let moved = await giftwire.clock.advance({ days });
      while (moved.daysLeft > 0) moved = await giftwire.clock.advance({ days: moved.daysLeft });
      return moved;
    },
    onSuccess: async ({ at }) => {
      await queries.invalidateQueries();
      tell(words.clock.done(day(at)));
    },
  });
  if (me.environment !== 'test' || !canManage) return null;
  return (
    <section className={styles.clock} aria-label={words.clock.act}>
      <Icon name="clock" />
      <p>{words.clock.text}</p>
      <div className={styles.acts}>
        {(Object.keys(steps) as (keyof typeof steps)[]).map((step) => (
          <Button
            key={step}
            size="compact-md"
            loading={advance.isPending && advance.variables === steps[step]}
            disabled={advance.isPending}
            onClick={() => advance.mutate(steps[step])}
          >
            {words.clock[step]}
          </Button>
        ))}
      </div>
      <Fault error={advance.error} />
    </section>
  );
}
