import { planAccounts } from './plan-accounts.ts'
import { planBrands } from './plan-brands.ts'
import { planPrices } from './plan-prices.ts'
import type { Step } from './step.ts'
import type { Planning } from './planning.ts'

/**
 * Returns the steps in dependency order: a step comes after the steps that it depends on.
 */
export async function planChanges(planning: Planning): Promise<Step[]> {
  const brands = planBrands(planning)
  const accounts = await planAccounts(planning, brands)
  const prices = await planPrices(planning, brands, accounts)
  return [...brands.steps, ...accounts.steps, ...prices, ...accounts.removals, ...brands.lastSteps]
}
