import { sql } from 'kysely'
import type { TaskWebhook } from '../db/event-log.ts'
import type { Store } from '../db/store.ts'
import { lockSubscriptions, recountSubscriptions } from '../events/event-subscribers.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { validationError } from '../catalogue/validation-error.ts'
import type { ReadTarget } from './webhook-target.ts'
import { randomId } from './webhook-rows.ts'

/** Maximum number of distinct `webhook_url` origins over the lifetime of an account. */
const originsMax = 1_000
/** Maximum number of endpoints whose numbers are cached. */
const cachedEndpointsMax = 10_000

/** Reads the `webhook_url` of submits. */
export interface TaskWebhooks {
  /** Validates a URL. Throws an `AppError` that names the field. */
  read(value: unknown): URL
  /** Finds or creates the endpoint for the origin of the URL. */
  findOrCreate(accountNo: number, url: URL): Promise<TaskWebhook>
}

export interface TaskWebhooksDependencies {
  store: Pick<Store, 'database' | 'writeAtomically'>
  readTarget: ReadTarget
  clock: Clock
}

export function createTaskWebhooks({ store, readTarget, clock }: TaskWebhooksDependencies): TaskWebhooks {
  const { database } = store
  /** Endpoint numbers by account and origin. */
  const cachedEndpointNos = new Map<string, number>()

  async function findEndpoint(accountNo: number, origin: string): Promise<number | undefined> {
    const row = await database
      .selectFrom('webhook_endpoints')
      .select('no')
      .where('account_no', '=', accountNo)
      .where('url', '=', origin)
      .where('kind', '=', 'task')
      .executeTakeFirst()
    return row?.no
  }

  async function create(accountNo: number, origin: string): Promise<void> {
    const nowMs = clock()
    const row = sql`
      insert into webhook_endpoints (id, account_no, kind, url, description, types, format, created_at)
      select ${randomId('wh')}, a.no, 'task', ${origin}, '', 0, 'standard', ${nowMs}
      from accounts a
      where a.no = ${accountNo}
        and (select count(*) from webhook_endpoints w where w.account_no = a.no and w.kind = 'task') < ${originsMax}
      on conflict (account_no, url) where kind = 'task' do nothing`.compile(database)
    await store.writeAtomically(lockSubscriptions(database, accountNo), row, recountSubscriptions(database, accountNo, nowMs))
  }

  return {
    read(value) {
      if (typeof value === 'string') return readTarget(value, 'webhook_url')
      const message = 'webhook_url must be a URL that starts with https://'
      throw validationError([{ pointer: '/webhook_url', code: 'invalid_parameter', message }])
    },

    async findOrCreate(accountNo, url) {
      const cacheKey = `${accountNo} ${url.origin}`
      let endpointNo = cachedEndpointNos.get(cacheKey) ?? (await findEndpoint(accountNo, url.origin))
      if (endpointNo === undefined) {
        await create(accountNo, url.origin)
        endpointNo = await findEndpoint(accountNo, url.origin)
      }
      if (endpointNo === undefined) {
        const message = `The webhook_url of an account's tasks may have at most ${originsMax} different origins; use one of the earlier ones.`
        throw new AppError('conflict', message, { param: 'webhook_url' })
      }
      if (cachedEndpointNos.size >= cachedEndpointsMax) cachedEndpointNos.clear()
      cachedEndpointNos.set(cacheKey, endpointNo)
      return { endpointNo, url: url.href }
    },
  }
}
