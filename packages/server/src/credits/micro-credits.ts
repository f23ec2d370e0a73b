/** Amounts are stored in micro-credits, as whole numbers. The API and its users use credits. */
export const microCreditsPerCredit = 1_000_000

export function creditsOf(microCredits: number): number {
  return microCredits / microCreditsPerCredit
}

/** Converts credits to micro-credits, rounded to a whole number. */
export function microCreditsOf(credits: number): number {
  return Math.round(credits * microCreditsPerCredit)
}
