import { creditsGivenMax } from '@framegate/contract'
import { microCreditsOf } from '../credits/micro-credits.ts'

/**
 * Limit in micro-credits of the total that an account may be given. Neither its balance nor its
 * total spending can exceed this amount.
 */
export const givenMicroCreditsMax = microCreditsOf(creditsGivenMax)

/**
 * Error of a grant or correction that was refused: it would have raised the total given to the
 * account above `givenMicroCreditsMax`. Nothing was written.
 */
export class TooMuchGiven extends Error {
  override readonly name = 'TooMuchGiven'
  readonly givenMicroCredits: number

  constructor(givenMicroCredits: number) {
    super(`the account was given ${givenMicroCredits} micro-credits before`)
    this.givenMicroCredits = givenMicroCredits
  }
}
