#!/usr/bin/env -S node --max-semi-space-size=8
// Plain JavaScript: what strips the sources of their types is loaded at the first start alone, for what is not yet in
// the cache that is opened here. It takes 20 MB and a tenth of a second.
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
