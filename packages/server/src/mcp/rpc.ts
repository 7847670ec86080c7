/** Error codes of JSON-RPC 2.0. */
export const rpcCodes = { parse: -32_700, invalidRequest: -32_600, methodNotFound: -32_601 } as const;

/** Returns an error of the protocol itself, for an invalid request. */
export function rpcError(code: number, message: string, body?: unknown) {
  return { jsonrpc: '2.0', id: idOf(body), error: { code, message } };
}

export function methodOf(body: unknown): string | null {
  const method = fieldOf(body, 'method');
  return typeof method === 'string' ? method : null;
}

function idOf(body: unknown): string | number | null {
  const id = fieldOf(body, 'id');
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
