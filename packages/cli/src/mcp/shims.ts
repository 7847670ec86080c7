import process from 'node:process';

/**
 * In place of what the protocol's library chooses for Node, in the packed command (vite.config.ts): it brings a validator of JSON
 * Schema that is half as large as the whole command, for questions to the person at the client, of which we ask none.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This command asks the client nothing.');
  }
}

export { process };
