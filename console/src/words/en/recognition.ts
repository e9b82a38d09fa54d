export const recognition = {};
