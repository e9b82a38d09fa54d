import type { Grants } from '../../company/access/grants.ts';
import type { TokenUses } from '../../company/access/token-uses.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { Area } from './area.ts';
import { apiArea } from './areas/api/area.ts';
import type { ApiParts } from './areas/api/parts.ts';
import { type ConsoleOptions, consoleArea } from './areas/console/area.ts';
import { docsArea } from './areas/docs/area.ts';
import { giftPageArea } from './areas/gift-page/area.ts';
import { companyReader, ownColours } from './areas/gift-page/company.ts';
import { decisionPageArea } from './areas/gift-page/decisions/area.ts';
import type { DecisionPageOptions } from './areas/gift-page/decisions/visit.ts';
import { notePageArea } from './areas/gift-page/notes/area.ts';
import type { NotePageOptions } from './areas/gift-page/notes/visit.ts';
import type { GiftPageOptions } from './areas/gift-page/options.ts';
import { type HealthOptions, healthArea } from './areas/health/area.ts';
import { myArea } from './areas/my/area.ts';
import { type ScimOptions, scimArea } from './areas/scim/area.ts';
import { sessionArea } from './areas/session/area.ts';
import type { SessionOptions } from './areas/session/options.ts';
import { createAuthentication } from './callers/authenticate.ts';
import { readSessionAt } from './callers/session-cookie.ts';

export interface AreasOptions {
  health: HealthOptions;
  /** Null on a node that only works: it answers health and metrics alone. */
  interfaces: Interfaces | null;
}

export interface Interfaces {
  grants: Grants;
  tokenUses: TokenUses;
  api: ApiParts;
  scim: ScimOptions;
  giftPage: GiftPageOptions;
  decisionPage: Omit<DecisionPageOptions, 'grants' | 'readSession'>;
  notePage: Omit<NotePageOptions, 'grants' | 'readSession'>;
  console: ConsoleOptions;
  /** The employees' app: where its build is, and where it reads the company's look. */
  my: { folder: string; lookUps: Queryable };
  session: SessionOptions;
}

/** The list of areas. A new one is a folder and an entry here; what its routes work with goes into `Interfaces` and service.ts. */
export function listAreas({ health, interfaces }: AreasOptions): Area[] {
  if (!interfaces) return [healthArea(health)];
  const { grants, my } = interfaces;
  const authenticateBy = createAuthentication(grants, interfaces.tokenUses);
  const readSession = readSessionAt(interfaces.session);
  return [
    healthArea(health),
    consoleArea(interfaces.console),
    myArea({ folder: my.folder, readCompany: companyReader(my.lookUps), style: ownColours, lookUps: my.lookUps }),
    docsArea,
    giftPageArea(interfaces.giftPage),
    decisionPageArea({ ...interfaces.decisionPage, grants, readSession }),
    notePageArea({ ...interfaces.notePage, grants, readSession }),
    sessionArea(interfaces.session),
    apiArea(interfaces.api, authenticateBy, readSession),
    scimArea(interfaces.scim, authenticateBy),
  ];
}
