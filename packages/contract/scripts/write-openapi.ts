import { writeFileSync } from 'node:fs';
import { type Audience, audiences, buildOpenApi } from '../src/openapi.ts';

/** The descriptions are checked in, so that a change of the contract shows in the diff. */
const files: Readonly<Record<Audience, string>> = {
  everyone: 'openapi.json',
  operators: 'openapi.operator.json',
  pages: 'openapi.pages.json',
};
for (const audience of audiences)
  writeFileSync(
    new URL(`../${files[audience]}`, import.meta.url),
    `${JSON.stringify(buildOpenApi(audience), null, 2)}\n`,
  );
