import type { EventType } from '@framegate/contract'
import type { Brands } from '../brands/brands.ts'
import { creditsOf } from '../credits/micro-credits.ts'
import { readBalance } from '../credits/read-balance.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import type { TaskViews } from '../tasks/task-view.ts'

export interface EventDataDependencies {
  store: Pick<Store, 'find' | 'database'>
  views: Pick<TaskViews, 'view'>
  brands: Pick<Brands, 'ofAccount'>
  clock: Clock
}

/**
 * Renders the data of events as JSON text. The data shows the current state of the task or the
 * credits, like a query.
 */
export interface EventData {
  /**
   * Returns null if the account no longer has the task. Links have the origin of the account's
   * brand.
   */
  task(accountNo: number, taskId: string): Promise<string | null>
  credits(accountNo: number): Promise<string>
}

export function createEventData({ store, views, brands, clock }: EventDataDependencies): EventData {
  return {
    async task(accountNo, taskId) {
      const task = await store.find(taskId)
      if (task === undefined || task.accountNo !== accountNo) return null
      const brand = await brands.ofAccount(accountNo)
      return views.view(task, brand?.resultOrigin ?? null).text
    },

    async credits(accountNo) {
      const { balanceMicroCredits, heldMicroCredits } = await readBalance(store.database, accountNo, clock())
      return JSON.stringify({
        object: 'credits',
        balance: creditsOf(balanceMicroCredits),
        held: creditsOf(heldMicroCredits),
      })
    },
  }
}

/** Renders an event for webhooks and streams. `data` is JSON text. */
export function eventText(event: { id: string; type: EventType; atMs: number }, data: string): string {
  const timestamp = new Date(event.atMs).toISOString()
  return `{"id":${JSON.stringify(event.id)},"type":"${event.type}","timestamp":"${timestamp}","data":${data}}`
}
