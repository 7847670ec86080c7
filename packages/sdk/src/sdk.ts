import type { ServedModule } from '@spaceport/contract/sdk-protocol';
import { answerPortals } from './portal-scripts.ts';
import { start } from './start.ts';

/** Where the service writes, in the script that it serves, what it knows. */
declare const SPACEPORT_SERVED: ServedModule;

const served = SPACEPORT_SERVED;
Reflect.set(window, 'Spaceport', start(served, window));
answerPortals(window, served.shims);
