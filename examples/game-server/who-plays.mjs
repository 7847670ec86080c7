// Reads player tokens without dependencies: ES256 JWTs, verified with the key set of the service.
const es256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const leastMsBetweenReads = 10_000;

/** Returns a function that returns the claims of a token for this space, or null for an invalid token. */
export function tokenReader({ service, space }) {
  let keys = new Map();
  let readAt = 0;

  async function keyNamed(kid) {
    // An unknown key is either new or made up. Made-up keys must not cause a request each time.
    if (!keys.has(kid) && Date.now() - readAt > leastMsBetweenReads) {
      const answer = await fetch(`${service}/.well-known/jwks.json`);
      const set = await answer.json();
      const read = (jwk) => crypto.subtle.importKey('jwk', jwk, es256, false, ['verify']);
      keys = new Map(await Promise.all(set.keys.map(async (jwk) => [jwk.kid, await read(jwk)])));
      readAt = Date.now();
    }
    return keys.get(kid);
  }

  return async (token) => {
    const [head = '', body = '', signature = ''] = token.split('.');
    const header = decode(head);
    // Accepts only the algorithm that the service signs with, whatever algorithm the token names.
    const key = header?.alg === 'ES256' ? await keyNamed(header.kid) : undefined;
    const [signed, bytes] = [Buffer.from(`${head}.${body}`), Buffer.from(signature, 'base64url')];
    if (!key || !(await crypto.subtle.verify(es256, key, bytes, signed))) return null;
    const claims = decode(body);
    const holds = claims.iss === service && claims.aud === space && claims.exp > Date.now() / 1_000;
    return holds ? claims : null;
  };
}

function decode(part) {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}
