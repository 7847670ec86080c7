import { writeFileSync } from 'node:fs';
import { typesText } from './types-text.ts';

// Run after a change to the module's interface: node packages/sdk/scripts/write-types.ts
writeFileSync(new URL('../../../docs/sdk.d.ts', import.meta.url), typesText());
