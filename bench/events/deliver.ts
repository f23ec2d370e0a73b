import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchProcess } from '../http/bench-process.ts'
import type { Received } from './measured-receiver.ts'
import type { EventService } from './service.ts'

const waitMsMax = 120_000

export interface DeliveryRun {
  perSecond: number
  /** Number of duplicate requests. */
  repeated: number
}

/** Creates a webhook of the first account with the URL of the receiver. Returns its id. */
export async function subscribe({ send, keys }: EventService, receiver: BenchProcess, events?: string[]): Promise<string> {
  const body = { url: `http://127.0.0.1:${receiver.port}/hook`, ...(events && { events }) }
  return (await send<{ id: string }>('POST', '/v2/webhooks', keys[0] ?? '', body)).id
}

/**
 * Completes tasks of the first account concurrently, and waits until the receiver has all events.
 */
export async function deliver({ process }: EventService, receiver: BenchProcess, eventCount: number): Promise<DeliveryRun> {
  await receiver.call('reset')
  const ids = await process.call<string[]>('run', eventCount)
  await process.call('complete', ids)
  const untilMs = Date.now() + waitMsMax
  for (;;) {
    const received = await receiver.call<Received>('received')
    if (received.events >= eventCount) {
      const { requests, firstAtMs, lastAtMs } = received
      return { perSecond: (eventCount * 1000) / Math.max(1, lastAtMs - firstAtMs), repeated: requests - eventCount }
    }
    if (Date.now() > untilMs) throw new Error(`${received.events} of ${eventCount} events were delivered`)
    await sleep(20)
  }
}
