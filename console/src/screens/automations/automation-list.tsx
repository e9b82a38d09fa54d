import type { Automation, AutomationOutlook } from '@giftwire/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Face } from '../../parts/face.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { type RowAction, RowMenu } from '../../parts/row-menu.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automations.module.css';
import { PauseDialog, useSwitch } from './dialogs.tsx';
import { useOccasion } from './occasion.ts';
import { AutomationPill } from './states.tsx';
import { iconOf } from './templates.ts';
import { cityOf } from './zone.ts';

interface AutomationListProps {
  automations: readonly Automation[];
  outlooks: ReadonlyMap<number, AutomationOutlook>;
  canManage: boolean;
}

export function AutomationList({ automations, outlooks, canManage }: AutomationListProps) {
  const { automations: words } = useWords();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ what: 'pause' | 'delete'; automation: Automation } | null>(null);
  const { resume, error } = useSwitch();
  const close = () => setAsked(null);
  return (
    <>
      <Notes automations={automations} outlooks={outlooks} />
      <Fault error={error} />
      <ul className={`box ${styles.list}`} aria-label={words.list}>
        {automations.map((automation) => (
          <Row
            key={automation.id}
            automation={automation}
            outlook={outlooks.get(automation.id)}
            actions={
              canManage
                ? [
                    automation.state === 'ON'
                      ? { label: words.pause, run: () => setAsked({ what: 'pause', automation }) }
                      : {
                          label: automation.state === 'DRAFT' ? words.bar.turnOn : words.resume,
                          run: () => resume(automation),
                        },
                    {
                      label: words.delete,
                      isDangerous: true,
                      run: () => setAsked({ what: 'delete', automation }),
                    },
                  ]
                : []
            }
          />
        ))}
      </ul>
      {asked && <PauseDialog isOpen={asked.what === 'pause'} automation={asked.automation} onClose={close} />}
      {asked && (
        <Confirm
          isOpen={asked.what === 'delete'}
          onClose={close}
          title={words.deleteTitle(asked.automation.name)}
          keep={words.cancel}
          act={words.delete}
          onAct={async () => {
            await giftwire.automations.delete(asked.automation.id);
            await queries.invalidateQueries({ queryKey: ['automations'] });
            tell(words.deleted(asked.automation.name));
          }}
        >
          {words.deleteText}
        </Confirm>
      )}
    </>
  );
}

/** What needs care, with its reason. */
function Notes({ automations, outlooks }: Pick<AutomationListProps, 'automations' | 'outlooks'>) {
  const { automations: words } = useWords();
  const { money, month } = useFormats();
  return automations.map((automation) => {
    const outlook = outlooks.get(automation.id);
    const { id, name, action } = automation;
    if (!outlook) return null;
    const { shortMonth, short, notDone } = outlook;
    const first = shortMonth && `${shortMonth}-01`;
    return (
      <div key={id}>
        {first && action.currency && (
          <div className={styles.note}>
            <Icon name="warn" />
            <div>
              <b>{words.short(name, month(first))}</b> {words.shortText(money(short, action.currency))}
            </div>
            <GoButton size="compact-md" to={`/automations/${id}`}>
              {words.seeMonth(month(first))}
            </GoButton>
          </div>
        )}
        {notDone > 0 && (
          <div className={styles.note}>
            <Icon name="warn" />
            <div>
              <b>{words.notDone(name, notDone)}</b> {words.notDoneText}
            </div>
            <GoButton
              size="compact-md"
              to="/automations/happened"
              search={{ automation: String(id), only: 'NOT_DONE' } as never}
            >
              {words.seeReasons}
            </GoButton>
          </div>
        )}
      </div>
    );
  });
}

interface RowProps {
  automation: Automation;
  outlook: AutomationOutlook | undefined;
  actions: readonly RowAction[];
}

function Row({ automation, outlook, actions }: RowProps) {
  const { automations: words } = useWords();
  const navigate = useNavigate();
  const gistOf = useGist();
  const { id, name, state, action } = automation;
  const shown = state !== 'ON' ? state : outlook?.shortMonth ? 'SHORT' : (outlook?.waiting ?? 0) > 0 ? 'WAITING' : 'ON';
  const open = { label: words.open, run: () => void navigate({ to: `/automations/${id}` }) };
  return (
    <li>
      <span className={styles.dot} data-tinted={state === 'ON' || undefined}>
        <Icon name={iconOf(automation)} />
      </span>
      <div>
        <h2>
          <Go to={`/automations/${id}`}>{name}</Go>
        </h2>
        <p className="quiet small">{gistOf(automation)}</p>
      </div>
      <div>
        <AutomationPill state={shown} />
      </div>
      <Next automation={automation} outlook={outlook} />
      <div className={`small ${styles.cost}`}>
        {state === 'ON' && outlook ? (
          <>
            <b>
              {action.is === 'GIFT' && action.currency ? (
                <Money amount={outlook.amount} currency={action.currency} />
              ) : (
                words.noCost
              )}
            </b>
            <p className="quiet">{words.thirtyDays(outlook.people)}</p>
          </>
        ) : (
          state === 'DRAFT' && <span className="quiet">{words.notOn}</span>
        )}
      </div>
      <RowMenu label={words.more(name)} actions={[open, ...actions]} />
    </li>
  );
}

/** Who is next, or why there is no one. */
function Next({ automation, outlook }: Pick<RowProps, 'automation' | 'outlook'>) {
  const { automations: words } = useWords();
  const { momentIn } = useFormats();
  const occasionOf = useOccasion();
  const { state, pausedBy, pauseNote, trigger } = automation;
  if (state === 'PAUSED') return <p className="quiet small">{words.pausedBy(pausedBy, pauseNote)}</p>;
  if (state === 'DRAFT' || !outlook) return <span />;
  if (outlook.waiting > 0) return <p className="quiet small">{words.waitingFor(outlook.waiting)}</p>;
  if (!outlook.next) return <p className="quiet small">{words.noNext}</p>;
  const { firstName, lastName, dueAt, timeZone } = outlook.next;
  const name = `${firstName} ${lastName}`.trim();
  return (
    <div className={styles.next}>
      <Face name={name} />
      <div>
        <b>{name}</b>
        <p className="quiet small">
          {trigger.is === 'ANNIVERSARY' && `${occasionOf(automation, outlook.next)}, `}
          {momentIn(dueAt, timeZone)}, {cityOf(timeZone)}
        </p>
      </div>
    </div>
  );
}

/** What an automation does, in one line. */
function useGist(): (automation: Automation) => string {
  const { automations: words } = useWords();
  const { money } = useFormats();
  const { gist, sendersInText } = words;
  return ({ action, from }) => {
    const sender = sendersInText[from.is];
    if (action.is === 'NUDGE') return gist.NUDGE;
    if (action.is === 'SHOUTOUT') return gist.SHOUTOUT(sender);
    const { byYears, further, amount = 0, currency = 'CAD' } = action;
    if (!byYears?.length) return gist.gift(money(amount, currency), sender);
    const amounts = [...byYears, ...(further ? [further] : [])].map((one) => one.amount ?? 0);
    return gist.byYears(money(Math.min(...amounts), currency), money(Math.max(...amounts), currency), sender);
  };
}
