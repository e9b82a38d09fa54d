export const orders: typeof import('../en/orders.ts').orders = {};
