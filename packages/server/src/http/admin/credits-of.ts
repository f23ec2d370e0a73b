import { microCreditsPerCredit } from '../../catalogue/price-rules.ts'

/** Credits as the wire has them, in the unit that is stored: rounded to it. */
export function microCreditsOf(credits: number): number {
  return Math.round(credits * microCreditsPerCredit)
}

export function orNull<In, Out>(value: In | null, change: (value: In) => Out): Out | null {
  return value === null ? null : change(value)
}
