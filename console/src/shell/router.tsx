import type { MyWorkspace } from '@giftwire/sdk';
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { basePath } from '../data/client.ts';
import { isOpenTo, screens } from '../screens.ts';
import { Frame } from './frame.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { NotFound } from './not-found.tsx';
import { ScreenFault } from './screen-fault.tsx';

/** The screens that a user's permissions allow, below the path of the workspace. Other screens say that access is missing. */
export function createScreens(workspace: MyWorkspace) {
  const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });
  const routes = screens.filter(isOpenTo(workspace)).map(({ path, load }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: lazyScreen(load),
      errorComponent: ScreenFault,
    }),
  );
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: basePath(workspace.id),
    defaultPreload: 'intent',
    scrollRestoration: true,
    // Plain texts, so that an address reads as ?state=FAILED&page=2.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString();
      return text && `?${text}`;
    },
  });
}
