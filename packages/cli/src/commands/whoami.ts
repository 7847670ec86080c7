import { type Context, signedIn } from '../context.ts';
import { describeReach } from '../token-reach.ts';

export async function whoami(context: Context): Promise<void> {
  const client = signedIn(context);
  const { creator, token } = await client.readMe({}, { signal: context.signal });
  const handle = creator.handle === null ? 'no handle yet' : `@${creator.handle}`;
  context.output.result(
    { server: client.baseUrl, creator, token },
    `${creator.name} (${handle}) at ${client.baseUrl}; the token is valid until ${token.expires_at.slice(0, 10)}. ${describeReach(token)}`,
  );
}
