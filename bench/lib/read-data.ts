import { mkdir } from 'node:fs/promises';
import { rankAnew, seedBoard, seedPlayers, seedSpace, seedSubmissions } from './board-data.ts';
import { seedGallery } from './gallery-data.ts';
import { openData } from './open-data.ts';
import { createToken } from './service.ts';

/** Makes data with a gallery, and a space in it with one board, `main`. @returns the slug of that space */
export async function seedReads(
  dataFolder: string,
  { spaces, players }: { readonly spaces: number; readonly players: number },
  environment: Record<string, string>,
): Promise<string> {
  await mkdir(dataFolder, { recursive: true });
  await createToken(dataFolder, 'bench', environment);
  await using data = await openData(dataFolder, environment);
  await seedGallery(data.platform, 'bench', spaces);
  const { spaceId, slug } = await seedSpace(data.platform, 'bench');
  const board = await seedBoard(data.platform, spaceId, 'main');
  await seedPlayers(
    data.platform,
    Array.from({ length: players }, (_, number) => number),
  );
  await seedSubmissions(data.platform, board, players);
  await rankAnew(data.platform, board);
  return slug;
}
