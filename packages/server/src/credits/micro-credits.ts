/** Money is stored in micro-credits, as whole numbers; people and the API use credits. */
export const microCreditsPerCredit = 1_000_000

export function creditsOf(microCredits: number): number {
  return microCredits / microCreditsPerCredit
}

/** Rounds to whole micro-credits. */
export function microCreditsOf(credits: number): number {
  return Math.round(credits * microCreditsPerCredit)
}
