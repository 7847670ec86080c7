import { cliLine } from '@spaceport/contract/cli-line';
import type { FastifyInstance } from 'fastify';
import type { Urls } from '../platform/urls.ts';

/** GET /llms.txt (llmstxt.org): how a coding agent that knows nothing of this service publishes to it. */
export function mountAgentGuide(app: FastifyInstance, urls: Pick<Urls, 'app'>): void {
  const guide = agentGuide(urls.app);
  app.get('/llms.txt', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('text/plain; charset=utf-8').send(guide),
  );
}

function agentGuide(app: string): string {
  return `# Spaceport

> ${app} publishes and hosts spaces: web games and other web apps. A space is a folder of static files with an
> index.html. Publishing makes a version: a preview that only those with the link can open, or, after a safety check, the
> live page.

## Publish a folder with one command

Node 20 or newer and npx are all it takes: this service serves the command itself, and the command talks to this service. Publish the folder with the built files, not the sources; paths in it must be relative.

    ${cliLine(app, 'publish ./dist --anonymous --title "My game" --type game --devices desktop,mobile --json')}

No account is needed. It prints one JSON document with \`pageUrl\`, the address to give to the person you work for, and
\`claimUrl\`, which lets them keep the page: unclaimed it ends after a week. Publish again in the same folder and the same page
gets the next version; only what changed is sent.

With an account:

    ${cliLine(app, 'login --start')}          # prints a link and a code, and ends: ask the person to open it and approve
    ${cliLine(app, 'login --finish')}         # waits until they have
    ${cliLine(app, 'publish ./dist')}         # a preview, and its link
    ${cliLine(app, 'publish ./dist --live')}  # live when the safety check passes; waits for the verdict
    ${cliLine(app, 'status --json')}          # how the version stands, with the findings of the check

- Every command takes \`--json\` and prints exactly one JSON document; \`--help\` lists options and exit codes.
- Every version that was checked has \`report.findings\`, previews and live ones too: each says in \`fix\` what to change. Mend it and publish again.
- \`report.page\` tells what a browser saw: errors in the console, requests that failed, whether anything was drawn.
- A \`service.json\` in the folder keeps title, type, boards and achievements: \`init\` writes one.

## Publish with one call, without the command

    tar -czC dist . | curl --data-binary @- -H 'content-type: application/gzip' "${app}/api/v1/hosting/publish?title=My%20game&type=game&devices=desktop"
    curl -F file=@dist.zip "${app}/api/v1/hosting/publish"       # a zip, or each file with its path: -F 'file=@dist/js/a.js;filename=js/a.js'

The answer has \`pageUrl\`, \`previewUrl\` (and \`previewPageUrl\`, the same with boards and saves), \`claimUrl\`, \`claimToken\`, and the check's \`report\`,
for which it waits up to 25 s (\`&wait=60\` for longer). The next version: send the whole folder again with
\`-H "x-service-claim: <claim token>"\`; with an API token, \`&space=<slug>\`, and \`&live=true\` to go live.

## Publish over HTTP in three calls, sending only what changed

1. \`POST ${app}/api/v1/hosting/versions\` with
   \`{ "fields": { "title": "My game", "space_type": "game", "devices": ["desktop"] }, "files": [{ "path": "index.html", "size": 1234, "sha256": "<64 hex digits>" }] }\`.
   \`files\` is the whole folder, each time: what it does not name is removed. With an API token as
   \`Authorization: Bearer sp_token_…\`; without one the page is unlisted, lasts a week, and the answer has a \`claimToken\` to
   keep, shown once, and a \`claimUrl\` where the person you work for makes the page theirs. To publish the next version send \`"space": "<slug>"\` (or \`"claim": "<claim token>"\`).
2. \`PUT\` the bytes of each file to its \`url\` in \`uploads\`, with no authorization header. Files the service has are not listed.
3. \`POST ${app}/api/v1/hosting/versions/{id}/finish\` with \`{ "preview": true }\`, or \`{ "preview": false }\` to go live. A
   version that was finished as a preview stays one: to make it live, publish the same files again with \`"preview": false\`.
4. \`GET ${app}/api/v1/hosting/versions/{id}?wait=30\` until a \`preview\` has its \`report\` (nothing follows: stop there), or \`status\` is \`live\`,
   \`refused\` or \`unjudged\`, or \`stopped\` is true.

A token: \`POST ${app}/api/agent/login\` with \`{ "client_name": "your name", "scopes": ["publish"] }\`
(also \`boards\`, \`moderate\`; with \`"space": "<slug>"\` for one space alone), show the person \`verification_uri_complete\` and
\`user_code\`, then \`POST ${app}/api/agent/token\` with \`{ "device_code": … }\` every \`interval\` seconds until it answers 200.

## Players, scores and saves without a server

Every published page has the global \`Spaceport\` before its first script; nothing is installed. All calls give promises, and errors have a \`code\`.

    await Spaceport.ready();                                             // within 2 s, never fails
    const save = await Spaceport.saves.get('progress');                  // null, or { data, version, … }; read a slot before its first write
    await Spaceport.saves.set('progress', { level: 3 });                 // JSON or a Uint8Array, 256 KiB, 16 slots a player
    const run = await Spaceport.run('high'); const { rank, best } = await run.submit(120);
    await Spaceport.achievements.unlock('first-win'); await Spaceport.stats.add('coins', 5);
    Spaceport.on('pause', stop); Spaceport.on('resume', go); Spaceport.on('mute', (muted) => setVolume(muted ? 0 : 1));

- Declare in \`service.json\`, or beside \`files\` in the create: \`"boards": [{ "key": "high" }], "stats": [{ "key": "coins" }], "achievements": [{ "key": "first-win", "title": "First win" }]\`.
- To try it on localhost: \`<script src="${app}/sdk.js"></script>\` in the head, and \`?spaceport=guest|signed-in|offline\`. Guests play too: let no failed call end the game.

## Rules

- 1 to 2,000 files; no dotfiles, no node_modules, no service.json among the files; \`limits\` in the first answer has the sizes.
- Every space has an origin of its own and runs in a sandboxed frame: it can open no window and lead no page away. Storage may be
  refused where a browser blocks third-party cookies, so catch errors of localStorage.
- Errors are JSON, with \`issues\` by field and, where something helps, \`next\`: a sentence with the address to call. Outside hosting \`error\` is a code; under /api/v1/hosting \`code\` is, and \`error\` is a sentence. 429 and 503 carry
  \`Retry-After\`.

## Reference

- [API reference](${app}/docs/api): every operation with its fields and errors, to read
- [OpenAPI](${app}/api/openapi.json): the same for programs
- [Gallery](${app}/): what others have published
`;
}
