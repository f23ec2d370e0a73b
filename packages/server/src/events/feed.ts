import type { RecordedEventType } from '@framegate/contract'
import type { Kysely } from 'kysely'
import type { Store } from '../db/store.ts'
import type { Tables } from '../db/tables.ts'
import { taskIdOf } from '../identity/task-id.ts'
import type { Clock } from '../lib/clock.ts'
import { eventText, type EventData } from './event-data.ts'
import { eventIdOf } from './event-id.ts'
import { lockSubscriptions, recountSubscriptions } from './event-subscribers.ts'

const hourMs = 60 * 60 * 1000
/** Time for which events of an account are recorded after a client opened a stream. */
const recordingMs = 25 * hourMs
/** Minimum time between two writes that extend the recording for an account. */
const renewIntervalMs = hourMs / 2

export interface FeedEvent {
  position: number
  type: RecordedEventType
  text: string
}

/**
 * The event feeds of accounts, in which each event has a position. A stream that starts at a
 * position misses no later events.
 */
export interface Feeds extends Disposable {
  /**
   * Records the events of an account from now on, for at least a day. Returns the position of its
   * latest event.
   */
  open(accountNo: number): Promise<number>
  /** Reads the next events after a position. Also returns the position for the next read. */
  read(
    accountNo: number,
    afterPosition: number,
    types: ReadonlySet<RecordedEventType>,
  ): Promise<{ events: FeedEvent[]; position: number }>
  /**
   * Calls `callback` once when there may be new events, unless the returned function is called
   * first.
   */
  onNextEvent(accountNo: number, callback: () => void): () => void
}

const eventsPerBatchMax = 100

export function createFeeds(
  store: Pick<Store, 'database' | 'writeAtomically' | 'onEventsDistributed'>,
  data: EventData,
  clock: Clock,
): Feeds {
  const { database } = store
  const waitersByAccount = new Map<number, Set<() => void>>()
  /** Reads in progress, by account, position and types. The streams of an account share them. */
  const readsInProgress = new Map<string, ReturnType<Feeds['read']>>()

  const stopListening = store.onEventsDistributed(({ accountNos }) => {
    // A read in progress may lack these events. A stream that reads from now on must not share it,
    // because no later notification would make the stream read again.
    readsInProgress.clear()
    for (const accountNo of accountNos) {
      const callbacks = waitersByAccount.get(accountNo)
      waitersByAccount.delete(accountNo)
      for (const callback of callbacks ?? []) callback()
    }
  })

  async function readEvents(
    accountNo: number,
    afterPosition: number,
    types: ReadonlySet<RecordedEventType>,
  ): ReturnType<Feeds['read']> {
    const rows = await database
      .selectFrom('events as event')
      .leftJoin('tasks as task', 'task.no', 'event.task_no')
      .select(['event.position', 'event.type', 'event.task_no', 'event.id', 'event.at', 'task.tail'])
      .where('event.account_no', '=', accountNo)
      .where('event.position', '>', afterPosition)
      .orderBy('event.position')
      .limit(eventsPerBatchMax)
      .execute()
    const events: FeedEvent[] = []
    for (const { position, type, task_no, id, at, tail } of rows) {
      if (position === null || !types.has(type)) continue
      const taskId = task_no === null ? null : taskIdOf(task_no, tail ?? '')
      const subject = taskId === null ? await data.credits(accountNo) : await data.task(accountNo, taskId)
      // The subject is null if the task was deleted.
      if (subject === null) continue
      const eventId = taskId === null ? (id ?? '') : eventIdOf(taskId, type)
      events.push({ position, type, text: eventText({ id: eventId, type, atMs: at }, subject) })
    }
    return { events, position: rows.at(-1)?.position ?? afterPosition }
  }

  return {
    async open(accountNo) {
      const nowMs = clock()
      const feed = await readFeed(database, accountNo)
      if (feed === undefined || feed.open_until < nowMs + recordingMs - renewIntervalMs) {
        const extendRecording = database
          .updateTable('event_feeds')
          .set({ open_until: nowMs + recordingMs })
          .where('account_no', '=', accountNo)
        await store.writeAtomically(
          lockSubscriptions(database, accountNo),
          extendRecording.compile(),
          recountSubscriptions(database, accountNo, nowMs),
        )
      }
      return (await readFeed(database, accountNo))?.last_position ?? 0
    },

    read(accountNo, afterPosition, types) {
      const key = [accountNo, afterPosition, ...types].join(' ')
      const reading = readsInProgress.get(key) ?? readEvents(accountNo, afterPosition, types)
      readsInProgress.set(key, reading)
      return reading.finally(() => {
        if (readsInProgress.get(key) === reading) readsInProgress.delete(key)
      })
    },

    onNextEvent(accountNo, callback) {
      const callbacks = waitersByAccount.get(accountNo) ?? new Set()
      waitersByAccount.set(accountNo, callbacks.add(callback))
      return () => {
        callbacks.delete(callback)
        if (callbacks.size === 0 && waitersByAccount.get(accountNo) === callbacks) waitersByAccount.delete(accountNo)
      }
    },

    [Symbol.dispose]: stopListening,
  }
}

async function readFeed(database: Kysely<Tables>, accountNo: number) {
  return await database
    .selectFrom('event_feeds')
    .select(['last_position', 'open_until'])
    .where('account_no', '=', accountNo)
    .executeTakeFirst()
}
