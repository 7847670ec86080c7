/** Stylesheets are loaded for what they do. */
declare module '*.css' {}
