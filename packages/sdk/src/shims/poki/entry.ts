import { putShim } from '../shim-host.ts';
import { createPoki } from './poki.ts';

putShim('PokiSDK', createPoki);
