import type { ServedModule } from '@spaceport/contract/sdk-protocol';
import { start } from './start.ts';

/** Where the service writes, in the script that it serves, what it knows. */
declare const SPACEPORT_SERVED: ServedModule;

Reflect.set(window, 'Spaceport', start(SPACEPORT_SERVED, window));
