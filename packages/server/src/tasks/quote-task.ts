import type { Quote } from '@framegate/contract'
import { hasMediaReferences } from '../catalogue/media-references.ts'
import { availabilityFor } from '../catalogue/availability-for.ts'
import { creditsOf } from '../credits/micro-credits.ts'
import type { Store } from '../db/store.ts'
import type { CreditsRefusal } from '../db/task-queue.ts'
import { checkInputs, type InputInspector } from './check-inputs.ts'
import { laneWithFiles } from './require-route.ts'
import { assetIdsOf, missingAssetsError } from './named-assets.ts'
import { chooseModel, priceTask, withProbedInputs, type TaskRequest, type TaskRules } from './prepare-task.ts'

/**
 * Returns the credits that a submit with this body would hold. Throws the same errors as a submit,
 * except simulated errors and three cases that the quote itself reports: an unavailable model, a
 * price above `max_amount`, and a balance or limit that does not permit the task.
 */
export async function quoteTask(
  rules: TaskRules & { store: Pick<Store, 'findRefusal'>; assets: InputInspector },
  request: TaskRequest & { signal?: AbortSignal },
): Promise<Quote> {
  const model = rules.effectiveModels.of(chooseModel(request))
  const pricedTask = priceTask(rules, model, request)
  const { parameters, lane, maxAmountMicroCredits, simulate } = pricedTask
  const { accountNo, keyNo, models } = request.principal
  const { signal } = request
  const inputs = hasMediaReferences(parameters)
    ? await checkInputs(rules.assets, model.definition, { accountNo, parameters, signal })
    : []
  const { priceMicroCredits } = withProbedInputs(pricedTask, inputs)
  const isLaneFinal = simulate !== null || inputs.length === 0
  const targetLane = isLaneFinal ? lane : laneWithFiles(rules.routes, model.definition, parameters, inputs)
  const refusal = await rules.store.findRefusal({ accountNo, keyNo, priceMicroCredits, ...assetIdsOf(parameters) })
  if (refusal?.kind === 'assets_missing') throw missingAssetsError(refusal, parameters)
  let reason: Quote['reason'] = availabilityFor(model.displayed, models).reason
  if (reason === 'no_route' && simulate !== null) reason = null
  if (targetLane === 'no_route') reason ??= 'no_route'
  if (reason === null && priceMicroCredits > maxAmountMicroCredits) reason = 'max_amount_exceeded'
  reason ??= reasonOf(refusal)
  return {
    object: 'quote',
    model: model.definition.id,
    amount: creditsOf(priceMicroCredits),
    available: reason === null,
    reason,
    parameters: { ...parameters },
  }
}

const reasonByRefusal = {
  insufficient_credits: 'insufficient_credits',
  spending_limit: 'spending_limit_reached',
  too_many_in_flight: 'too_many_tasks_in_flight',
} as const satisfies Record<CreditsRefusal['kind'], Quote['reason']>

function reasonOf(refusal: CreditsRefusal | null): Quote['reason'] {
  return refusal === null ? null : reasonByRefusal[refusal.kind]
}
