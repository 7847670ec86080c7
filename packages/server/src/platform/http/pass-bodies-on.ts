import type { FastifyInstance } from 'fastify';

/** Passes the bodies of a scope on unparsed, whatever their type. */
export function passBodiesOn(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}
