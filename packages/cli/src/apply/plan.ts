import type { AppliedFile } from './applied-file.ts'
import type { Installation } from './installation.ts'
import type { Fault } from './located.ts'
import { planAccounts } from './plan-accounts.ts'
import { planBrands } from './plan-brands.ts'
import { planPrices } from './plan-prices.ts'
import type { Step } from './step.ts'

export interface Planning {
  file: AppliedFile
  installation: Installation
  /** Whether to remove what the file does not name, for every kind that the file lists. */
  prunes: boolean
  faults: Fault[]
  /** Base URL of the server. */
  baseUrl: string
}

/** Steps in an order in which they can run: dependencies come first. */
export async function planChanges(planning: Planning): Promise<Step[]> {
  const brands = planBrands(planning)
  const accounts = await planAccounts(planning, brands)
  const prices = await planPrices(planning, brands, accounts)
  return [...brands.steps, ...accounts.steps, ...prices, ...accounts.removals, ...brands.lastSteps]
}
