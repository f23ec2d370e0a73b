import type { Account, AdminBrand, AdminGrant, ApiKey, List, PriceChange, PriceLineView } from '@framegate/contract'
import { FramegateError } from '@framegate/sdk'
import type { ServerSession } from '../connection/call-server.ts'
import { readServerTime } from '../connection/server-time.ts'
import { everyPage } from '../operation/every-page.ts'

/** Current state of the installation, as the operator's API returns it. */
export interface Installation {
  /**
   * The server's time in Unix seconds. It decides which prices are current. The clock of this
   * machine may be wrong.
   */
  nowSeconds: number
  brands: AdminBrand[]
  /** All accounts that are not closed. */
  accounts: Account[]
  modelIds: ReadonlySet<string>
  /** Current and future prices. */
  prices: PriceLineView[]
  /** Returns the keys of the account that are not revoked. */
  keysOf(account: Account): Promise<ApiKey[]>
  findGrant(account: Account, reference: string): Promise<AdminGrant | undefined>
  /**
   * Validates a price with a dry run. Returns the price as the API shows it, or the server's error
   * message.
   */
  validatePrice(price: object): Promise<{ error: string } | { price: PriceLineView['price'] }>
}

export async function readInstallation(session: ServerSession): Promise<Installation> {
  const { client, baseUrl, call } = session
  const get = <Result>(path: string) => client.request<Result>({ method: 'GET', path: `/admin/v1${path}` }, call)

  const { items: brands } = await get<List<AdminBrand>>('/brands')
  const accounts = await everyPage<Account>(session, '/admin/v1/accounts')
  const firstBrandId = brands[0]?.id ?? ''
  const models = await everyPage<{ model: string }>(session, `/admin/v1/brands/${encodeURIComponent(firstBrandId)}/models`)
  const currentPrices = await everyPage<PriceLineView>(session, '/admin/v1/prices', { state: 'current' })
  const laterPrices = await everyPage<PriceLineView>(session, '/admin/v1/prices', { state: 'later' })
  const nowMs = (await readServerTime(baseUrl, call.signal)) ?? Date.now()
  return {
    nowSeconds: Math.floor(nowMs / 1000),
    brands,
    accounts: accounts.filter(({ status }) => status !== 'closed'),
    modelIds: new Set(models.map(({ model }) => model)),
    prices: [...currentPrices, ...laterPrices],

    async keysOf({ id }) {
      const { items } = await get<List<ApiKey>>(`/accounts/${encodeURIComponent(id)}/keys`)
      return items.filter(({ revoked_at }) => revoked_at === null)
    },

    async findGrant({ id }, reference) {
      try {
        return await get<AdminGrant>(`/accounts/${encodeURIComponent(id)}/grants/${encodeURIComponent(reference)}`)
      } catch (error) {
        if (error instanceof FramegateError && error.code === 'resource_not_found') return undefined
        throw error
      }
    },

    async validatePrice(price) {
      const body = { ...price, dry_run: true }
      try {
        const { after } = await client.request<PriceChange>({ method: 'POST', path: '/admin/v1/prices', body }, call)
        return { price: after?.price ?? null }
      } catch (error) {
        if (error instanceof FramegateError && error.status === 400) return { error: error.message }
        throw error
      }
    },
  }
}
