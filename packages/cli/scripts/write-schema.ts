import { writeFileSync } from 'node:fs';
import { serviceJsonSchemaText } from '../src/service-json.ts';

// Run after a change to the contract's fields or declarations: node packages/cli/scripts/write-schema.ts
writeFileSync(new URL('../service.schema.json', import.meta.url), serviceJsonSchemaText());
