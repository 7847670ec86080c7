import type { Served } from './backend.ts';
import { start } from './start.ts';

/** Where the service writes, in the script that it serves, what it knows. */
declare const SPACEPORT_SERVED: Served;

Reflect.set(window, 'Spaceport', start(SPACEPORT_SERVED, window));
