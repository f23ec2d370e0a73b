import { creditsGrantedMax } from '@framegate/contract'
import { microCreditsOf } from '../credits/micro-credits.ts'

/**
 * Maximum total of the credits that an account may receive, in micro-credits. It therefore also
 * limits the balance and the total spending of the account.
 */
export const grantedMicroCreditsMax = microCreditsOf(creditsGrantedMax)

/**
 * Error of a grant or correction that would have raised the total credits received by an account
 * above `grantedMicroCreditsMax`. Nothing was written.
 */
export class GrantLimitExceeded extends Error {
  override readonly name = 'GrantLimitExceeded'
  /** The total that the account has already received. */
  readonly grantedMicroCredits: number

  constructor(grantedMicroCredits: number) {
    super(`the account has already received ${grantedMicroCredits} micro-credits`)
    this.grantedMicroCredits = grantedMicroCredits
  }
}
