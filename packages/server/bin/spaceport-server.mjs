#!/usr/bin/env -S node --max-semi-space-size=16
// This file is plain JavaScript. Node's loader for TypeScript takes 20 MB and a tenth of a second; it is only
// loaded for sources that are not in the cache that is opened here yet, at the first start.
import * as nodeModule from 'node:module';
import { currentBuild } from './current-build.mjs';
import { refusalOf } from './node-version.mjs';

const refusal = refusalOf(process.version);
if (refusal) {
  console.error(refusal);
  process.exit(1);
}
nodeModule.enableCompileCache();
await import(currentBuild() ?? '../src/main.ts');
