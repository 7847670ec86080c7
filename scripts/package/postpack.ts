/** `npm pack` runs this last: the workspace's package.json again. */
import process from 'node:process';
import { putBack } from './manifest.ts';

putBack(process.cwd());
