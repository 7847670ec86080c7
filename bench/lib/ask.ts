import { type Agent, request } from 'node:http';

/** Requests an address from the server at a port, with the address's own host name. */
export function ask(
  agent: Agent,
  port: number,
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string }> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host: '127.0.0.1', port, method, path: pathname + search, headers: { ...headers, host } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.once('error', reject);
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
