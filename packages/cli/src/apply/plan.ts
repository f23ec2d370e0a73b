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
  /** Whether what the file does not name is removed, where the file lists things of its kind. */
  prunes: boolean
  faults: Fault[]
  /** Where the server is asked. */
  baseUrl: string
}

/** What is to be changed, in the order in which it can be: what is needed comes before what needs it. */
export async function planChanges(planning: Planning): Promise<Step[]> {
  const brands = planBrands(planning)
  const accounts = await planAccounts(planning, brands)
  const prices = await planPrices(planning, brands, accounts)
  return [...brands.steps, ...accounts.steps, ...prices, ...accounts.removals, ...brands.lastSteps]
}
