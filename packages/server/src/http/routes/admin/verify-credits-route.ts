import type { CreditsCheck } from '@framegate/contract'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'

const differencesShownMax = 100

export function addVerifyCreditsRoute(add: AddAdminRoute, { ledgerCheck }: Pick<HttpDependencies, 'ledgerCheck'>): void {
  add('GET', '/credits/verify', async (): Promise<CreditsCheck> => {
    const { accounts, entries, holds, differences } = await ledgerCheck.check()
    return {
      object: 'credits_check',
      accounts,
      entries,
      holds,
      differences: differences.length,
      found: differences.slice(0, differencesShownMax),
    }
  })
}
