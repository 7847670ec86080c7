/** For other features: the take that shows a version. */
export { findTakeOfVersion } from './clips.queries.ts';
