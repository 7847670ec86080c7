const prefix = 'r--';

// 130 random bits: nobody finds a version under review by trying.
export const reviewLabelLength = 26;

/** The label on the preview host of a link for operators, which shows what nobody else may see. */
export function reviewLabel(random: string): string {
  return `${prefix}${random}`;
}

export function isReviewLabel(label: string): boolean {
  return label.startsWith(prefix);
}
