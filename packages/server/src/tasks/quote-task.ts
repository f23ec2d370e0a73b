import type { Quote } from '@framegate/contract'
import type { Kysely } from 'kysely'
import { microCreditsPerCredit } from '../catalogue/price-rules.ts'
import { readBalance } from '../credits/read-balance.ts'
import type { Tables } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'
import { chooseModel, priceTask, type TaskRequest, type TaskRules } from './prepare-task.ts'

/**
 * What a submit of this very body would cost. Refuses what a submit would refuse, except that an unavailable model and a
 * balance that is too small are told, not refused.
 */
export async function quoteTask(
  rules: TaskRules & { query: Kysely<Tables>; clock: Clock },
  request: TaskRequest & { accountNo: number },
): Promise<Quote> {
  const model = chooseModel(rules, request)
  const { parameters, priceMicroCredits } = priceTask(rules, model, request)
  const reason = model.availability.reason ?? (await missingCredits(rules, request.accountNo, priceMicroCredits))
  return {
    object: 'quote',
    model: model.id,
    amount: priceMicroCredits / microCreditsPerCredit,
    available: reason === null,
    reason,
    parameters: { ...parameters },
  }
}

async function missingCredits(
  { query, clock }: { query: Kysely<Tables>; clock: Clock },
  accountNo: number,
  priceMicroCredits: number,
): Promise<Quote['reason']> {
  const { balanceMicroCredits } = await readBalance(query, accountNo, clock())
  return balanceMicroCredits < priceMicroCredits ? 'insufficient_credits' : null
}
