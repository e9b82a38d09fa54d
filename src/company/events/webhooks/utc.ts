/** The SQL of a time as the API shows it for webhooks and their attempts: UTC, with milliseconds. */
export const utc = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
