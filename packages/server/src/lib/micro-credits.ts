/** Money is stored in micro-credits, whole numbers; people and the wire have credits. */
export const microCreditsPerCredit = 1_000_000

export function creditsOf(microCredits: number): number {
  return microCredits / microCreditsPerCredit
}

/** Rounded to what can be stored. */
export function microCreditsOf(credits: number): number {
  return Math.round(credits * microCreditsPerCredit)
}
