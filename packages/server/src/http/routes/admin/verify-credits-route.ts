import type { CreditsCheck } from '@framegate/contract'
import type { HttpContext } from '../../services.ts'
import type { AddAdminRoute } from './admin-route.ts'

const differencesShownMax = 100

export function addVerifyCreditsRoute(add: AddAdminRoute, { ledgerCheck }: HttpContext): void {
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
