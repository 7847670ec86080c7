import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { end, freePort, start, untilAnswers } from './processes.ts';
import { requireTool } from './tools.ts';

export interface WebServer extends AsyncDisposable {
  readonly baseUrl: string;
}

/**
 * Starts nginx over a folder with a fast configuration: one worker, `sendfile`, open files cached, no log. It
 * writes only to `workFolder`. @throws MissingTool
 */
export async function startNginx(root: string, workFolder: string): Promise<WebServer> {
  const nginx = requireTool('nginx');
  const port = await freePort();
  const configuration = join(workFolder, 'nginx.conf');
  await writeFile(configuration, settings(root, workFolder, port));
  const child = start('server', nginx, ['-p', workFolder, '-c', configuration, '-e', 'stderr']);
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilAnswers(`${baseUrl}/index.html`, child);
  return { baseUrl, [Symbol.asyncDispose]: () => end(child) };
}

function settings(root: string, workFolder: string, port: number): string {
  // A worker without root's rights could not read root's temporary folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `
daemon off;
${user}
worker_processes 1;
pid ${join(workFolder, 'nginx.pid')};
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=1000 inactive=60s;
  open_file_cache_valid 60s;
  client_body_temp_path ${join(workFolder, 'body')};
  proxy_temp_path ${join(workFolder, 'proxy')};
  fastcgi_temp_path ${join(workFolder, 'fastcgi')};
  uwsgi_temp_path ${join(workFolder, 'uwsgi')};
  scgi_temp_path ${join(workFolder, 'scgi')};
  default_type application/octet-stream;
  server { listen 127.0.0.1:${port} backlog=1024; root ${root}; }
}
`;
}
