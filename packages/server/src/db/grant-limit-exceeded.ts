import { creditsGrantedMax } from '@framegate/contract'
import { microCreditsOf } from '../credits/micro-credits.ts'

/**
 * Limit in micro-credits of the total that an account may be given. Neither its balance nor its
 * total spending can exceed this amount.
 */
export const grantedMicroCreditsMax = microCreditsOf(creditsGrantedMax)

/**
 * Error of a grant or correction that was refused: it would have raised the total given to the
 * account above `grantedMicroCreditsMax`. Nothing was written.
 */
export class GrantLimitExceeded extends Error {
  override readonly name = 'GrantLimitExceeded'
  readonly grantedMicroCredits: number

  constructor(grantedMicroCredits: number) {
    super(`the account was given ${grantedMicroCredits} micro-credits before`)
    this.grantedMicroCredits = grantedMicroCredits
  }
}
