import { Button, type ButtonProps } from '@mantine/core';
import { createLink, Link } from '@tanstack/react-router';
import { forwardRef } from 'react';

/** A link to another screen: `<Go to="/gifts/17">`. The workspace is not part of it. */
export const Go = Link;

/** For links that say themselves where one is: the router would call every address below theirs the current one. */
export const exactly = { exact: true, includeSearch: false } as const;

const Anchor = forwardRef<HTMLAnchorElement, ButtonProps & React.AnchorHTMLAttributes<HTMLAnchorElement>>(
  (props, ref) => <Button component="a" ref={ref} {...props} />,
);

/** A link that looks like a button. */
export const GoButton = createLink(Anchor);
