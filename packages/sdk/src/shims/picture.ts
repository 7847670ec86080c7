/** A neutral figure, for SDKs whose players have a picture; our players have none. */
export const neutralPicture =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Cpath d="M0 8a4 3 0 0 1 8 0M4 1a2 2 0 0 1 0 4a2 2 0 0 1 0-4"/%3E%3C/svg%3E';
