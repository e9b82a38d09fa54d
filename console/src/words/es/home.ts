const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);
const many = (count: number, text: string) => (count >= 1_000 ? `${text} o más` : text);

export const home: typeof import('../en/home.ts').home = {
  morning: (name) => (name ? `Buenos días, ${name}` : 'Buenos días'),
  afternoon: (name) => (name ? `Buenas tardes, ${name}` : 'Buenas tardes'),
  evening: (name) => (name ? `Buenas noches, ${name}` : 'Buenas noches'),
  today: (day) => `${day}.`,
  noName: (address) => `Los regalos que usted envía llegan de ${address}.`,
  chooseName: 'Elegir su nombre',
  nothingToDo: 'Nada le espera.',
  things: (count) =>
    count === 1
      ? 'Una cosa que mirar.'
      : `${['', '', 'Dos', 'Tres', 'Cuatro', 'Cinco', 'Seis'][count] ?? count} cosas que mirar.`,
  attention: 'Por atender',
  failed: (count, text) =>
    `${many(count, text)} ${plural(count, 'regalo no se pudo enviar', 'regalos no se pudieron enviar')}`,
  failedText: (name, when) => `Su correo volvió o fue rechazado. El último: ${name}, ${when}`,
  failedAct: 'Corregir direcciones',
  noAddress: (count, text) => `${many(count, text)} ${plural(count, 'regalo espera', 'regalos esperan')} una dirección`,
  noAddressText: 'Imprímalos o añada una dirección',
  noAddressAct: 'Elegir',
  expiring: (count, text, day, amount) =>
    `${many(count, text)} ${plural(count, 'regalo termina', 'regalos terminan')} en siete días, el primero el ${day}: ${amount} sin reclamar`,
  expiringText: 'Las personas reciben un recordatorio antes. Puede darles más tiempo.',
  expiringAct: 'Ver regalos',
  waiting: (count, text) =>
    `${many(count, text)} ${plural(count, 'agradecimiento espera', 'agradecimientos esperan')} aprobación`,
  waitingText: (days) =>
    days < 1 ? 'La más antigua desde hoy' : `La más antigua desde hace ${days} ${plural(days, 'día', 'días')}`,
  waitingAct: 'Revisar',
  failedOrders: (count, text) => `${many(count, text)} ${plural(count, 'pedido falló', 'pedidos fallaron')} en 30 días`,
  failedOrdersText: 'No se envió ningún regalo de un pedido fallido. Puede intentarlo de nuevo.',
  failedOrdersAct: 'Ver pedidos',
  exhaustedBudgets: (count, text) =>
    count === 1 ? 'Un presupuesto está agotado' : `${text} presupuestos están agotados`,
  exhaustedBudgetsText: 'Los pedidos que lo usan se rechazan hasta que se conceda dinero',
  lowBudgets: (count, text) => (count === 1 ? 'Un presupuesto está bajo' : `${text} presupuestos están bajos`),
  lowBudgetsText: 'Conceda dinero antes de que se rechacen pedidos',
  budgetsAct: 'Ver presupuestos',
  openRequests: (count, text) => (count === 1 ? 'Un destinatario pide algo' : `${text} destinatarios piden algo`),
  openRequestsText: 'Una donación, por ejemplo: hágala o rechácela',
  openRequestsAct: 'Ver peticiones',
  lowStocks: (count, text) =>
    count === 1 ? 'Se agotan los códigos de una tienda' : `Se agotan ${text} clases de códigos`,
  lowStocksText: 'Lo que no tiene códigos no se puede elegir',
  lowStocksAct: 'Ver reservas',
  failingWebhooks: (count, text) =>
    `${many(count, text)} ${plural(count, 'destino no recibe', 'destinos no reciben')} eventos`,
  failingWebhooksText: 'Otros sistemas se pierden lo que pasa aquí hasta que se arregle.',
  failingWebhooksAct: 'Ver webhooks',
  soFar: (month) => `${month} hasta ahora`,
  beside: (days, before) => `${days} junto a ${before}`,
  giftsSent: 'Regalos enviados',
  value: 'Valor',
  noValue: 'Ningún regalo',
  recognized: 'Personas reconocidas',
  claimed: 'Regalos aceptados',
  from: (before) => `desde ${before}`,
  asBefore: (before) => `${before} como antes`,
  ofPeople: (share, people) => `${share} de ${people}`,
  byWeek: 'Reconocimiento por semana',
  gifts: 'Regalos',
  shoutouts: 'Agradecimientos',
  byWeekLabel: (weeks, gifts, shoutouts) =>
    `Gráfico de ${weeks} semanas. En la última semana hubo ${gifts} regalos y ${shoutouts} agradecimientos.`,
  table: 'Tabla',
  covered: 'Reconocidos en 90 días',
  company: (share) => `empresa ${share}`,
  none: 'Sin departamento',
  forgotten: (count, text) =>
    `${text} ${plural(count, 'persona no fue reconocida', 'personas no fueron reconocidas')} en 90 días`,
  allCovered: 'Todos fueron reconocidos en 90 días.',
  latest: 'Lo último',
  all: 'Todo el reconocimiento',
  thanked: 'dio las gracias a',
  others: (people) => (people === null ? 'otras personas' : `${people} personas más`),
  gift: 'Regalo',
  shoutout: 'Agradecimiento',
  waitsForApproval: 'espera aprobación',
  isPrivate: 'privada',
  firstTitle: 'Aquí todavía no se ha dado las gracias a nadie',
  firstText: 'Envíe un regalo o dé las gracias, y esta página mostrará a quién se reconoció y a quién se olvidó.',
  firstAct: 'Enviar el primer regalo',
};
