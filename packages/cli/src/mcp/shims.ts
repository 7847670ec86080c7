import process from 'node:process';

/**
 * Replaces a module of the protocol's library in the packed command (vite.config.ts). The original contains a
 * JSON Schema validator that is half as large as the whole command. It is needed only for questions to the
 * user, which we never ask.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This command asks the client nothing.');
  }
}

export { process };
