/** For other features: which take shows a version. */
export { findTakeOfVersion } from './clips.queries.ts';
