import { deviceCalls } from './device.ts';
import { letIn, oauthCalls } from './oauth.ts';
import type { TestService } from './service.ts';
import type { Visitor } from './visitor.ts';

/**
 * Approves a device and an OAuth client. `exchangeAll` asks for their tokens, and returns the error of each;
 * undefined for a token.
 */
export async function approveAll(service: TestService, who: Visitor) {
  const device = deviceCalls(() => service);
  const oauth = oauthCalls(() => service);
  const { user_code, device_code } = await device.start();
  await who.post('/device', { user_code, decision: 'approve' });
  const { path, fields } = oauth.begin(await oauth.newClient());
  const code = (await letIn(who, path)).searchParams.get('code') ?? '';
  return {
    exchangeAll: async (): Promise<(string | undefined)[]> => {
      const answers = [await device.exchange(device_code), await oauth.exchange(fields(code))];
      return answers.map((answer) => answer.json().error);
    },
  };
}
