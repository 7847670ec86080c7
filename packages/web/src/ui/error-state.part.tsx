// What `error-state.late.tsx` loads. It is a module that nothing else imports: of one that is shared, the bundler
// makes an object, by a helper in a script of its own, which every page would load.
export { ErrorState } from './error-state.tsx';
