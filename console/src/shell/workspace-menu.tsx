import { Menu, UnstyledButton } from '@mantine/core';
import { basePath } from '../data/client.ts';
import { useHere } from '../data/me.tsx';
import { Icon } from '../parts/icon.tsx';
import { useWords } from '../words/words.tsx';
import styles from './frame.module.css';

/** The name of the workspace, and the way to the others. */
export function WorkspaceMenu() {
  const { frame } = useWords();
  const { me, workspace } = useHere();
  const tile = (name: string) => (
    <span className={styles.tile} aria-hidden="true" data-initial={[...name][0]?.toUpperCase()} />
  );
  if (me.workspaces.length === 1)
    return (
      <span className={styles.workspace}>
        {tile(workspace.name)}
        <span>{workspace.name}</span>
      </span>
    );
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={styles.workspace}>
          {tile(workspace.name)}
          <span className="said">{frame.switchWorkspace(workspace.name)}</span>
          <span aria-hidden="true">{workspace.name}</span>
          <Icon name="down" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me.workspaces.map(({ id, name }) => (
          <Menu.Item
            key={id}
            component="a"
            href={`${basePath(id)}/`}
            aria-current={id === workspace.id || undefined}
            leftSection={tile(name)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
