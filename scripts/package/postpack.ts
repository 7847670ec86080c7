/** `npm pack` runs this last: it restores the workspace's package.json. */
import process from 'node:process';
import { putBack } from './manifest.ts';

putBack(process.cwd());
