import { creditsGrantedMax } from '@framegate/contract'
import { microCreditsOf } from '../credits/micro-credits.ts'

/**
 * Maximum total of the credits that an account may receive, in micro-credits. Neither its balance
 * nor its total spending can exceed this amount.
 */
export const grantedMicroCreditsMax = microCreditsOf(creditsGrantedMax)

/**
 * Error of a refused grant or correction, which would have raised the credits that the account has
 * received above `grantedMicroCreditsMax`. Nothing was written.
 */
export class GrantLimitExceeded extends Error {
  override readonly name = 'GrantLimitExceeded'
  readonly grantedMicroCredits: number

  constructor(grantedMicroCredits: number) {
    super(`the account was given ${grantedMicroCredits} micro-credits before`)
    this.grantedMicroCredits = grantedMicroCredits
  }
}
