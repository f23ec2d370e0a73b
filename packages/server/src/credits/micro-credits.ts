/** Amounts are stored as whole numbers of micro-credits. The API uses credits. */
export const microCreditsPerCredit = 1_000_000

export function creditsOf(microCredits: number): number {
  return microCredits / microCreditsPerCredit
}

/** Converts credits to micro-credits, rounded to a whole number. */
export function microCreditsOf(credits: number): number {
  return Math.round(credits * microCreditsPerCredit)
}
