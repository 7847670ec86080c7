import { gatewayOf } from '@spaceport/contract/portals';
import type { ShimHost } from '../../shim-host.ts';
import type { Answered, Answering, Called } from '../answer-calls.ts';
import type { NewgroundsKeys } from '../keys.ts';
import type { Parameters } from './component.ts';
import { createComponents } from './components.ts';
import { asRefusal, Refusal } from './refusal.ts';
import { opened } from './secure.ts';
import { createSession } from './session.ts';

/** A call of a component. A request has one or a list of them. */
interface Execute {
  readonly component?: unknown;
  readonly parameters?: unknown;
  readonly secure?: unknown;
  readonly echo?: unknown;
}

/** `gateway_v3.php` of Newgrounds.io, built on `Spaceport`. */
export function createNewgrounds(host: ShimHost, keys: NewgroundsKeys) {
  const session = createSession(host);
  const components = createComponents(host, keys, session);
  const { app_id } = keys;

  async function executed(given: Execute): Promise<object[]> {
    let component = String(given.component ?? '');
    const { echo } = given;
    const result = (data: object) => ({ component, data, ...(echo !== undefined && { echo }) });
    try {
      if (typeof given.secure === 'string') {
        const plain = await opened(given.secure, keys.encryption_key, host.frame.crypto);
        return (await Promise.all(listOf(plain).map(executed))).flat();
      }
      const run = components[component];
      if (!run) throw new Refusal('invalidParameter', `There is no component ${component}.`);
      const answers = [];
      for (const parameters of listOf(given.parameters ?? {}))
        answers.push(result({ success: true, ...(await run(parameters as Parameters)) }));
      return answers;
    } catch (error) {
      const { code, message } = asRefusal(error);
      component ||= 'secure';
      return [result({ success: false, error: { code, message } })];
    }
  }

  async function answer({ fields, text }: Called): Promise<Answered> {
    const request = requestIn(fields.get('request') ?? fields.get('input') ?? text);
    if (!request) return json({ success: false, error: { code: 101, message: 'There is no request.' } });
    if (request.app_id !== app_id) {
      const error = new Refusal('invalidAppId', 'Another app_id is named in service.json.');
      return json({ success: false, app_id, error: { code: error.code, message: error.message } });
    }
    await host.spaceport.ready();
    const results: object[] = [];
    for (const one of listOf(request.execute)) results.push(...(await executed(one as Execute)));
    const { echo } = request;
    return json({
      success: true,
      app_id,
      result: Array.isArray(request.execute) ? results : (results[0] ?? null),
      ...(echo !== undefined && { echo }),
    });
  }

  const busy = { code: 504, message: 'Calls that stop the page are carried out, and not answered.' };
  const answering: Answering = {
    isAsked: (address) => gatewayOf(address) === 'newgrounds',
    answer,
    busy: json({ success: false, app_id, error: busy }),
  };
  return { answering, components, session };
}

function listOf(given: unknown): object[] {
  return (Array.isArray(given) ? given : [given]).filter((one) => typeof one === 'object' && one !== null);
}

interface Request {
  readonly app_id?: unknown;
  readonly execute?: unknown;
  readonly echo?: unknown;
}

function requestIn(text: string): Request | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' ? found : null;
  } catch {
    return null;
  }
}

function json(value: object): Answered {
  return { type: 'application/json', text: JSON.stringify(value) };
}
