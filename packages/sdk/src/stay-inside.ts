/**
 * Cancels what would lead the frame out of the space: a link to another site, `mailto:`, a script that sets
 * the location. The page around the frame lets nothing else into it, so the browser would show an error in
 * place of the game. Browsers without the Navigation API show it.
 */
export function stayInside({ navigation, location, console }: Window & typeof globalThis): void {
  navigation?.addEventListener('navigate', (event) => {
    const { downloadRequest, destination } = event;
    const { url } = destination;
    if (downloadRequest !== null || url.startsWith(`${location.origin}/`) || url.startsWith('about:')) return;
    event.preventDefault();
    console.info(`Spaceport: nothing but the space opens in its frame. ${url}`);
  });
}
