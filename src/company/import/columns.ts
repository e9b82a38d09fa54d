import { type OpenField, openFields } from '../../ground/values/member.ts';

/** The columns that an export writes, in its order. Manager and team come before the currency, as in earlier files. */
export const memberColumns: readonly MemberColumn[] = [
  ...(openFields as MemberColumn[]).toSpliced(openFields.indexOf('currency'), 0, 'manager', 'team'),
  'active',
  'leavingDate',
];
type MemberColumn = OpenField | 'manager' | 'team' | 'active' | 'leavingDate';

/** The fields that a column can hold: those of an export, and further ones that HR systems write. */
const furtherFields = [
  ...(['status', 'hasLeft', 'fullName'] as const),
  ...(['preferredName', 'preferredFirstName', 'preferredLastName'] as const),
];
export type Field = MemberColumn | (typeof furtherFields)[number];
export const knownFields: readonly Field[] = [...memberColumns, ...furtherFields];

/** The position of each field's column in a row. */
export type Columns = ReadonlyMap<Field, number>;

export interface Understood {
  columns: Columns;
  notUnderstood: string[];
  /** Understood, but another column says the same more specifically. */
  superseded: string[];
  /** Whether the manager's column may hold names, by which nobody is found. */
  managerMayBeName: boolean;
}

/** The field that the caller chose for a header; null: the column is ignored. Overrides the table below. */
export type HeaderMap = ReadonlyMap<string, Field | null>;

export function understandHeader(header: readonly string[], mapped: HeaderMap = new Map()): Understood {
  const names = header.map(fold);
  const chosen = new Map([...mapped].map(([name, field]) => [fold(name), field]));
  const columns = new Map<Field, number>();
  for (const field of knownFields) {
    const byMap = names.findIndex((name) => chosen.get(name) === field);
    const bySynonym = synonyms[field].map((synonym) =>
      names.findIndex((name) => name === synonym && !chosen.has(name)),
    );
    const column = byMap >= 0 ? byMap : bySynonym.find((one) => one >= 0);
    if (column !== undefined) columns.set(field, column);
  }
  const manager = columns.has('manager') ? -1 : names.findIndex((name) => looseManagers.has(name) && !chosen.has(name));
  if (manager >= 0) columns.set('manager', manager);
  for (const [better, worse] of preferences) if (columns.has(better)) columns.delete(worse);
  const used = new Set(columns.values());
  const others = header.filter((_, column) => {
    const name = names[column] as string;
    return name !== '' && !used.has(column) && chosen.get(name) !== null && !ownColumns.has(name);
  });
  const isKnown = (text: string) => chosen.has(fold(text)) || fieldOf.has(fold(text)) || looseManagers.has(fold(text));
  return {
    columns,
    notUnderstood: others.filter((text) => !isKnown(text)),
    superseded: others.filter(isKnown),
    managerMayBeName: manager >= 0,
  };
}

/** The headers in `mapped` that the file does not have. */
export function missingHeaders(header: readonly string[], mapped: HeaderMap): string[] {
  const names = new Set(header.map(fold));
  return [...mapped.keys()].filter((name) => !names.has(fold(name)));
}

/** Headers are compared without case, blanks, punctuation, accents and remarks such as `[Required]`. */
function fold(header: string): string {
  return header
    .replace(/\[[^[\]]*\]/g, '')
    .replace(/#/g, 'number')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** The first columns of a file of rejected rows. */
const ownColumns = new Set(['line', 'reason']);

/** If a file has both fields of a pair, the second is ignored. */
const preferences: [Field, Field][] = [
  ['firstName', 'fullName'],
  ['lastName', 'fullName'],
  ['active', 'hasLeft'],
  ['active', 'status'],
  ['hasLeft', 'status'],
];

/**
 * The names under which HR systems and identity providers export a field, the more specific first. Ambiguous names are left
 * out on purpose, and so are private ones such as "Home email". A column of truth values and a column of statuses have different
 * names, because T means true in the one and Terminated in the other.
 */
const synonyms: Record<Field, string[]> = {
  email: list(`work email, primary work email, email primary work, work contact work email, business email,
    business email information email address, company email, corporate email, office email, work email address,
    business email address, email work, geschäftliche e-mail, primary email, primary email address, email,
    email address, employee email, employee email id, email id, user email, contact email, mail, e-mail-adresse,
    adresse e-mail, courriel, correo electrónico, user principal name, upn, login`),
  employeeNumber: list(`employee number, employee no, employee nr, employee id, employee code, worker id,
    worker number, personnel number, personnel id, personnel no, staff number, staff id, staff no, payroll number,
    payroll id, associate id, emp id, emp no, emp number, badge number, file number, person number, person id,
    person id external, user id, eid, personalnummer, personal nr, mitarbeiternummer, matricule, numéro d'employé,
    número de empleado`),
  firstName: list(`first name, given name, legal first name, legal name first name, forename,
    employee first name, first, fname, vorname, prénom, nombre`),
  lastName: list(
    `last name, surname, family name, legal last name, legal name last name, employee last name, last, lname, nachname, familienname, nom, nom de famille, apellido, apellidos`,
  ),
  department: list(`department name, home department description, department description, department,
    home department, dept name, dept, job department, abteilung, département, service, departamento`),
  costCentre: list(`cost centre, cost center, cost centre name, cost center name, cost centre code, cost center code,
    cost center id, cost centre id, cost center number, cost number description, cost number, kostenstelle,
    centre de coûts, centro de costo, centro de costos`),
  location: list(`work location name, work location, location name, location description, location,
    primary location, office location, office name, office, physical delivery office name, site name, site, work site,
    workplace, business site, branch, building id, standort, arbeitsort, lieu de travail, site de travail, ubicación,
    work city, city, locality`),
  manager: list(`manager email, manager email id, manager work email, manager email address, managers email,
    managers email address, supervisor email, supervisor work email, line manager email, reports to email,
    manager upn, manager user principal name, manager employee number, manager employee id, manager number, manager id,
    manager user id, supervisor employee number, supervisor employee id, supervisor eid, supervisor id,
    line manager id, reports to id, reports to associate id, reports to employee id, e-mail vorgesetzter, manager`),
  team: list(`team name, team, work team, squad, supervisory organization, supervisory organisation, org unit,
    organizational unit, organisational unit, org unit path, équipe, equipo`),
  currency: list(`currency, currency code, currency iso code, local currency, pay currency, salary currency,
    compensation currency, base pay currency, pay rate currency, währung, devise, moneda`),
  pictureUrl: list(`picture url, picture address, photo url, photo link, profile picture url, profile photo url,
    profile image url, image url, avatar url, avatar, thumbnail photo url`),
  active: list(`active, is active, active status, currently active, currently employed, is employed, account enabled,
    enabled, is enabled, aktiv, ist aktiv, actif, est actif, activo`),
  hasLeft: list(`has left, terminated, is terminated, inactive, is inactive, leaver, is leaver, former employee,
    disabled, is disabled, account disabled, suspended, is suspended, inaktiv, ausgeschieden`),
  status: list(`status, employee status, worker status, employment status, hr status, user status, account status,
    position status, work status, assignment status, job status, payroll status, status code, employment status code,
    employee status code, beschäftigungsstatus, mitarbeiterstatus, statut, estado, estatus`),
  fullName: list(`full name, display name, employee full name, employee name, worker name, name, worker, legal name,
    payroll name, formatted name, nom complet, nombre completo`),
  preferredName: list(
    `preferred name, preferred full name, preferred display name, known as, goes by, rufname, nom d'usage`,
  ),
  preferredFirstName: list(
    `preferred first name, preferred given name, preferred name first name, nickname, prénom usuel`,
  ),
  preferredLastName: list(`preferred last name, preferred surname, preferred family name, preferred name last name`),
  leavingDate: list(`leaving date, date of leaving, leave date, termination date, terminated on, date of termination,
    termination effective date, employment end date, end date, employment end, contract end date, contract end,
    last day, last day of work, last working day, last day worked, exit date, separation date, leaver date,
    austrittsdatum, date de départ, date de fin, fecha de baja`),
};

/** Columns of managers that hold an address, a number or "Name (number)" in some systems, and only a name in others. */
const looseManagers = new Set(
  list(`reports to, reporting to, supervisor, line manager, direct manager, reporting manager, people manager, worker's manager,
    manager name, supervisor name, reports to name, vorgesetzter, vorgesetzte, führungskraft, responsable, supérieur, jefe`),
);

function list(names: string): string[] {
  return names.split(',').map(fold);
}

const fieldOf = new Map(knownFields.flatMap((field) => synonyms[field].map((name) => [name, field] as const)));
