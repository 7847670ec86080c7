import { writeFileSync } from 'node:fs';
import { serviceJsonSchemaText } from '@spaceport/contract/service-json';

// Run after a change to the contract's fields or declarations: node packages/cli/scripts/write-schema.ts
writeFileSync(new URL('../service.schema.json', import.meta.url), serviceJsonSchemaText());
