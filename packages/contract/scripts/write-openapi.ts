import { writeFileSync } from 'node:fs';
import { buildOpenApi } from '../src/openapi.ts';

// The description is checked in, so that a change of the contract shows in the diff.
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(buildOpenApi(), null, 2)}\n`);
