/** Headers are compared without case, blanks, punctuation, accents and remarks such as `[Required]`. */
export function fold(header: string): string {
  return header
    .replace(/\[[^[\]]*\]/g, '')
    .replace(/#/g, 'number')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Names of columns, separated by commas, as `fold` compares them. */
export function folded(names: string): string[] {
  return names.split(',').map(fold);
}

/**
 * The names under which HR systems and identity providers export a field, the more specific first. Ambiguous names are left
 * out on purpose, and so are private ones such as "Home email". A column of truth values and a column of statuses have different
 * names, because T means true in the one and Terminated in the other.
 */
export const memberHeaders = {
  email: folded(`work email, primary work email, email primary work, work contact work email, business email,
    business email information email address, company email, corporate email, office email, work email address,
    business email address, email work, geschäftliche e-mail, primary email, primary email address, email,
    email address, employee email, employee email id, email id, user email, contact email, mail, e-mail-adresse,
    e-mail-adresse geschäftlich, adresse e-mail, adresse électronique, courriel, adresse courriel, courriel professionnel,
    adresse e-mail professionnelle, adresse mail, adresse mail professionnelle, adresse courriel professionnelle,
    e-mail professionnel, mail professionnel, correo electrónico, correo, dirección de correo electrónico, correo corporativo,
    email del trabajo, user principal name, upn, login`),
  employeeNumber: folded(`employee number, employee no, employee nr, employee id, employee code, worker id,
    worker number, personnel number, personnel id, personnel no, staff number, staff id, staff no, payroll number,
    payroll id, associate id, emp id, emp no, emp number, badge number, file number, person number, person id,
    person id external, user id, eid, personalnummer, personal nr, mitarbeiternummer, mitarbeiter nr, mitarbeiter id,
    matricule, numéro de matricule, n° matricule, numéro d'employé, numéro de salarié, número de empleado,
    número empleado, n.º de empleado, legajo`),
  firstName: folded(`first name, given name, legal first name, legal name first name, forename,
    employee first name, first, fname, vorname, prénom, nombre, nombre de pila`),
  lastName: folded(
    `last name, surname, family name, legal last name, legal name last name, employee last name, last, lname, nachname, familienname, nom, nom de famille, apellido, apellidos`,
  ),
  department: folded(`department name, home department description, department description, department,
    home department, dept name, dept, job department, abteilung, département, service, departamento`),
  costCentre: folded(`cost centre, cost center, cost centre name, cost center name, cost centre code, cost center code,
    cost center id, cost centre id, cost center number, cost center 1, cost centre 1, cost number description, cost number, kostenstelle,
    centre de coûts, centre de coût, code centre de coût, code du centre de coûts,
    centro de coste, centro de costes, centro de costo, centro de costos`),
  location: folded(`work location name, work location, location name, location description, location,
    primary location, office location, office name, office, physical delivery office name, site name, site, work site,
    workplace, business site, branch, building id, standort, arbeitsort, lieu de travail, site de travail, ubicación,
    work city, city, locality`),
  country:
    folded(`country, country code, country name, work country, work location country, location country, country region,
    country/region, land, arbeitsland, pays, pays de travail, país, país de trabajo`),
  manager: folded(`manager email, manager email id, manager work email, manager email address, managers email,
    managers email address, supervisor email, supervisor work email, line manager email, reports to email,
    manager upn, manager user principal name, manager employee number, manager employee id, manager number, manager id,
    manager user id, supervisor employee number, supervisor employee id, supervisor eid, supervisor id,
    line manager id, reports to id, reports to associate id, reports to employee id, reports to number, reports to person number,
    manager person number, manager person id, manager worker id, manager associate id, manager emp no, manager emp id,
    manager emp number, manager employee no, manager code, supervisor emp no, supervisor emp id, supervisor emp number,
    supervisor employee no, supervisor number, supervisor person number, supervisor code, line manager number,
    line manager employee number, e-mail du manager, e-mail du responsable, matricule du manager, matricule du responsable,
    matricule responsable, matricule manager, correo del jefe, número de empleado del jefe, personalnummer vorgesetzter, e-mail vorgesetzter, manager`),
  team: folded(`team name, team, work team, squad, supervisory organization, supervisory organisation, org unit,
    organizational unit, organisational unit, org unit path, équipe, equipo`),
  currency: folded(`currency, currency code, currency iso code, local currency, pay currency, salary currency,
    compensation currency, base pay currency, pay rate currency, währung, devise, moneda`),
  pictureUrl: folded(`picture url, picture address, photo url, photo link, profile picture url, profile photo url,
    profile image url, image url, avatar url, avatar, thumbnail photo url`),
  active: folded(`active, is active, active status, currently active, currently employed, is employed, account enabled,
    enabled, is enabled, aktiv, ist aktiv, actif, est actif, activo`),
  hasLeft: folded(`has left, terminated, is terminated, inactive, is inactive, leaver, is leaver, former employee,
    disabled, is disabled, account disabled, suspended, is suspended, inaktiv, ausgeschieden`),
  status:
    folded(`lifecycle status, employee lifecycle status, status, employee status, worker status, employment status, hr status, user status, account status,
    position status, work status, assignment status, job status, payroll status, status code, employment status code,
    employee status code, assignment status type, assignment status type code, user assignment status, person status,
    staff status, emp status, empl status, empl status code, associate status, current status, termination status,
    active inactive, beschäftigungsstatus, mitarbeiterstatus, statut,
    statut employé, statut de l'employé, statut du salarié, statut d'emploi, statut d'activité, estado, estatus,
    estado empleado, estado del empleado, estado laboral, situación laboral`),
  fullName: folded(`full name, display name, employee full name, employee name, worker name, name, worker, legal name,
    payroll name, formatted name, vollständiger name, nom complet, nom et prénom, prénom et nom, nombre completo,
    nombre y apellidos`),
  preferredName: folded(
    `preferred name, preferred full name, preferred display name, known as, goes by, rufname, nom d'usage`,
  ),
  preferredFirstName: folded(
    `preferred first name, preferred given name, preferred name first name, preferred or chosen first name, chosen first name,
    nickname, prénom usuel`,
  ),
  preferredLastName: folded(`preferred last name, preferred surname, preferred family name, preferred name last name,
    preferred or chosen last name, chosen last name`),
  hireDate:
    folded(`hired on, hire date original, original date of hire, most recent hire date, continuous service date, original hire date, original start date, first day, first day of work, hire date, date of hire, hired date,
    date hired, start date, employment start date, employee start date, joining date, date of joining, join date, commencement date,
    eintritt, eintrittsdatum, eintritt am, einstellungsdatum, date d'entrée, date d'embauche, date d'arrivée,
    date de début, fecha de alta, fecha de ingreso, fecha de contratación, fecha de inicio, fecha de incorporación`),
  birthday: folded(`birthday, birth date, birthdate, date of birth, dob, birth day, born on, birthday month and day,
    birthday month day, birth month and day, date of birth month day, geburtstag, geburtsdatum,
    date de naissance, anniversaire, anniversaire de naissance, fecha de nacimiento, cumpleaños`),
  leaveStartsOn:
    folded(`leave starts on, leave from, leave start, leave start date, first day of leave, leave of absence start date, estimated leave start date,
    abwesend ab, beginn der abwesenheit, début du congé, date de début du congé, inicio de la licencia, inicio de la ausencia`),
  leaveEndsOn:
    folded(`leave ends on, leave until, leave end, leave end date, last day of leave, leave of absence end date, estimated leave end date,
    abwesend bis, ende der abwesenheit, fin du congé, date de fin du congé, fin de la licencia, fin de la ausencia`),
  hiddenDays: folded('hidden days, days hidden from colleagues, verborgene tage, jours masqués, días ocultos'),
  language: folded(`language, preferred language, language preference, communication language, correspondence language,
    user language, default language, locale, default locale, user locale, sprache, bevorzugte sprache, korrespondenzsprache, langue,
    langue préférée, langue de correspondance, idioma, idioma preferido, lengua`),
  timeZone:
    folded(`time zone, timezone, default time zone, user time zone, work time zone, location time zone, time zone name, tz,
    zeitzone, fuseau horaire, zona horaria, huso horario`),
  phone:
    folded(`work phone, work phone number, business phone, business phone number, business phone information phone number,
    primary work phone, office phone, office phone number, biz phone, work mobile, work cell phone, work contact work phone, company phone, phone,
    phone number, telephone, telephone number, telefon, telefonnummer, telefon geschäftlich, téléphone, numéro de téléphone,
    téléphone professionnel, teléfono, número de teléfono, teléfono del trabajo`),
  leavingDate: folded(`leaving date, date of leaving, leave date, termination date, terminated on, date of termination,
    termination effective date, employment end date, end date, employment end, contract end date, contract end,
    last day, last day of work, last working day, last day worked, exit date, separation date, leaver date,
    term date, date terminated, date left, left on, last date worked, separation effective date, actual termination date,
    austritt, austritt am,
    austrittsdatum, date de départ, date de fin, date de sortie,
    date de fin de contrat, date de sortie effective, fecha de baja, fecha de salida, fecha de egreso, fecha de cese,
    fecha de terminación`),
} satisfies Record<string, string[]>;
