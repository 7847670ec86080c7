/** Returns the title as people read it. A hidden achievement has none for those who do not have it. */
export function achievementTitle(title: string | null): string {
  return title ?? 'Hidden achievement';
}
