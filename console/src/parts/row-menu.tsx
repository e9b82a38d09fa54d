import { ActionIcon, Menu } from '@mantine/core';
import { Icon } from './icon.tsx';

export interface RowAction {
  label: string;
  run: () => void;
  isDangerous?: boolean;
}

/** What can be done with a row, behind three dots. */
export function RowMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={label}>
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label: name, run, isDangerous }) => (
          <Menu.Item key={name} onClick={run} {...(isDangerous && { color: 'red' })}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
