import { paintThumbnail } from './painter.js';
import { builtIn } from './ring.js';
import { listRings, spaceport, tell, wordsFor } from './service.js';

const byId = (id) => document.getElementById(id);

/** The list of rings to choose from: the built-in ones, and those that players have drawn. */
export class Rings {
  #by = 'liked';
  #next = null;
  #onChosen = () => {};
  /** The number of the last request. Answers to earlier ones are not shown. */
  #asked = 0;

  constructor() {
    for (const button of document.querySelectorAll('[data-by]'))
      button.addEventListener('click', () => {
        this.#by = button.dataset.by;
        this.#load();
      });
    byId('more').addEventListener('click', () => this.#add(this.#next));
  }

  open(onChosen) {
    this.#onChosen = onChosen;
    return this.#load();
  }

  async #load() {
    for (const button of document.querySelectorAll('[data-by]'))
      button.ariaPressed = String(button.dataset.by === this.#by);
    byId('list').replaceChildren();
    if (this.#by === 'liked') for (const ring of builtIn) this.#show(ring);
    await this.#add(null);
  }

  async #add(cursor) {
    const asked = ++this.#asked;
    byId('rings-said').textContent = 'Looking for rings…';
    byId('more').hidden = true;
    const page =
      spaceport === null ? { failed: 'unsupported' } : await tell(() => listRings(this.#by, cursor));
    if (asked !== this.#asked) return;
    const { rings = [], next = null, failed } = page;
    for (const ring of rings) this.#show(ring);
    this.#next = next;
    byId('more').hidden = next === null;
    byId('rings-said').textContent = failed
      ? wordsFor(failed)
      : rings.length === 0 && cursor === null
        ? 'Nobody has published one here yet: draw the first.'
        : '';
  }

  #show(ring) {
    const item = document.createElement('li');
    const choose = document.createElement('button');
    choose.type = 'button';
    choose.className = 'choose';
    const picture = document.createElement('canvas');
    picture.width = picture.height = 120;
    paintThumbnail(picture, ring.points);
    const title = document.createElement('span');
    title.textContent = ring.title || 'A ring';
    const maker = document.createElement('small');
    maker.textContent = ring.handle ? `@${ring.handle}` : 'always there';
    choose.append(picture, title, maker);
    choose.addEventListener('click', () => this.#onChosen(ring));
    item.append(choose);
    if (ring.id) item.append(this.#deeds(ring, item));
    byId('list').append(item);
  }

  #deeds(ring, item) {
    const row = document.createElement('nav');
    const button = (words, label, run) => {
      const made = document.createElement('button');
      made.type = 'button';
      made.textContent = words;
      made.ariaLabel = `${label} ${ring.title || 'a ring'}`;
      made.addEventListener('click', () => run(made));
      row.append(made);
      return made;
    };
    const like = button(`♥ ${ring.likes}`, 'Like', async () => {
      await likeRing(ring);
      like.textContent = `♥ ${ring.likes}`;
      like.ariaPressed = String(ring.liked);
    });
    like.ariaPressed = String(ring.liked);
    if (ring.yours)
      button('Remove', 'Remove', async () => {
        const gone = await tell(({ content }) => content.remove(ring.id));
        if (gone?.failed) byId('rings-said').textContent = wordsFor(gone.failed);
        else item.remove();
      });
    else button('Report', 'Report', () => tell(({ content }) => content.report(ring.id)));
    return row;
  }
}

/** Likes a ring, or takes the like back. A guest is asked to sign in first. */
export async function likeRing(ring) {
  const { guest } = spaceport.player.get();
  if (guest && (await tell(({ player }) => player.signIn()))?.failed) return;
  const now = await tell(({ content }) => content.like(ring.id, !ring.liked));
  if (now && !now.failed) Object.assign(ring, now);
}
