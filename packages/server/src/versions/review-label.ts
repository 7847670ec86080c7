const prefix = 'r--';

// 26 characters are 130 random bits, so nobody finds a version under review by guessing.
export const reviewLabelLength = 26;

/** Returns the label on the preview host for an operator's link to a version under review. */
export function reviewLabel(random: string): string {
  return `${prefix}${random}`;
}

export function isReviewLabel(label: string): boolean {
  return label.startsWith(prefix);
}
