import { shimHost } from '../shim-host.ts';
import { answerGateways } from './gateways.ts';

answerGateways(shimHost());
