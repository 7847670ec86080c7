#!/usr/bin/env -S node --max-semi-space-size=8
// Plain JavaScript: what strips the sources of their types is loaded at the first start alone, for what is not yet in
// the cache that is opened here. It takes 20 MB and a tenth of a second.
import { enableCompileCache } from 'node:module';
import { currentBuild } from './current-build.mjs';

enableCompileCache();
await import(currentBuild() ?? '../src/main.ts');
