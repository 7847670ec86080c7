import { createContext, useContext } from 'preact/compat';

/**
 * Whether this part of the page is displayed. A part that is hidden keeps what was typed in it, makes no
 * requests, and loads again when it is displayed.
 */
export const ShownContext = createContext(true);

export const useShown = (): boolean => useContext(ShownContext);
