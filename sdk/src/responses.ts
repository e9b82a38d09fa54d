/** One attempt of a call, before it is sent. */
export interface RequestInfo {
  method: string;
  /** The whole address. */
  url: string;
  /** 1 for the first attempt. */
  attempt: number;
}

/** The response to an attempt. */
export interface ResponseInfo extends RequestInfo {
  status: number;
  headers: Headers;
  /** The service's own id of the request. The log of the service has it as `reqId`. */
  requestId: string | null;
  /** The version of what was read or changed: pass it as `ifMatch` to change exactly this version. */
  etag: string | null;
  durationMs: number;
}

const responses = new WeakMap<object, ResponseInfo>();

/** The response that a result came with: its status, headers, request id and ETag. Undefined for results of other programs. */
export function responseOf(result: object): ResponseInfo | undefined {
  return responses.get(result);
}

export function keepResponse<Result>(result: Result, response: ResponseInfo | undefined): Result {
  if (response && typeof result === 'object' && result !== null) responses.set(result, response);
  return result;
}
