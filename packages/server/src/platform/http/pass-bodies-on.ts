import type { FastifyInstance } from 'fastify';

/** The bytes of a scope's bodies are nobody's to parse, whatever type they claim to be: they are passed on as they come. */
export function passBodiesOn(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}
