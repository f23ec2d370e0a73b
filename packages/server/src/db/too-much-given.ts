import { creditsGivenMax } from '@framegate/contract'
import { microCreditsOf } from '../credits/micro-credits.ts'

/**
 * Limit of the micro-credits that an account can be given in total. Its balance and all its
 * spending are at most this.
 */
export const givenMicroCreditsMax = microCreditsOf(creditsGivenMax)

/**
 * A grant or correction was refused: the account would have been given more than
 * `givenMicroCreditsMax` in total. Nothing was written.
 */
export class TooMuchGiven extends Error {
  override readonly name = 'TooMuchGiven'
  readonly givenMicroCredits: number

  constructor(givenMicroCredits: number) {
    super(`the account was given ${givenMicroCredits} micro-credits before`)
    this.givenMicroCredits = givenMicroCredits
  }
}
