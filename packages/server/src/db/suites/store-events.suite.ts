import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventTypeBits, taskWebhookBit } from '../event-type-bits.ts'
import { createTaskIds, taskNoOf } from '../../identity/task-id.ts'
import type { Store } from '../store.ts'
import type { Claim } from '../task-queue.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, resultOf, startMs, type StoreUnderTest } from '../store-under-test.ts'

/**
 * Requirements of every store: events are recorded in the transaction of the change that they
 * report, and distributed later.
 */
export function describeEvents(engine: StoreUnderTest): void {
  describe(`events in store: ${engine.name}`, () => {
    let store: Store
    let accountNo: number
    let nowMs: number
    let nextId: () => string

    beforeEach(async () => {
      nowMs = startMs
      store = await engine.open(() => nowMs)
      nextId = createTaskIds(() => nowMs)
      accountNo = await newAccount(store, 'acct', 1_000)
    })
    afterEach(async () => {
      expect((await store.verifyCredits()).differences).toEqual([])
      await engine.close()
    })

    const subscribe = (typeBits: number, ownerNo = accountNo) =>
      store.database
        .insertInto('event_subscribers')
        .values({ account_no: ownerNo, types: typeBits })
        .onConflict((conflict) => conflict.column('account_no').doUpdateSet({ types: typeBits }))
        .execute()

    /** Adds a webhook, and returns its number. */
    async function addWebhook(
      typeBits: number,
      options: { kind?: 'task'; format?: 'openai'; ownerNo?: number } = {},
    ): Promise<number> {
      const { kind = 'account', format = 'standard', ownerNo = accountNo } = options
      const id = `wh_${nextId()}`
      await store.database
        .insertInto('webhook_endpoints')
        .values({
          id,
          account_no: ownerNo,
          kind,
          url: `https://${id}.example`,
          description: '',
          types: typeBits,
          format,
          rate_limit: null,
          secret: null,
          created_at: nowMs,
        })
        .execute()
      const row = await store.database.selectFrom('webhook_endpoints').select('no').where('id', '=', id).executeTakeFirstOrThrow()
      return row.no
    }

    async function claimTask(task: Partial<Parameters<typeof newTask>[0]> = {}): Promise<Claim> {
      await store.accept(newTask({ id: nextId(), accountNo, ...task }))
      const [claim] = await claimEmbedded(store, 1, leaseMs)
      if (claim === undefined) throw new Error('nothing was claimed')
      return claim
    }
    const completeTask = async (task?: Parameters<typeof claimTask>[0]): Promise<string> => {
      const claim = await claimTask(task)
      await store.complete(claim, [resultOf(claim)], 5)
      return claim.id
    }

    const listEvents = () =>
      store.database.selectFrom('events').select(['account_no', 'type', 'task_no', 'at', 'position']).orderBy('no').execute()
    const listDeliveries = () =>
      store.database
        .selectFrom('webhook_deliveries')
        .select(['endpoint_no', 'type', 'task_no', 'url', 'status', 'due_at'])
        .orderBy('no')
        .execute()
    const readDueAt = async (no: number) =>
      (await store.database.selectFrom('webhook_endpoints').select('due_at').where('no', '=', no).executeTakeFirstOrThrow())
        .due_at

    it('no event is recorded for an account without a subscription', async () => {
      let hintCount = 0
      store.onEventsRecorded(() => (hintCount += 1))
      await subscribe(15, await newAccount(store, 'other', 10))
      await completeTask()
      const claim = await claimTask()
      await store.fail(claim, { code: 'upstream_failed', message: 'no' })
      expect(await listEvents()).toEqual([])
      expect(hintCount).toBe(0)
      expect((await store.distributeEvents(10)).eventCount).toBe(0)
    })

    it('each subscribed change of a task is one event, recorded with the change', async () => {
      await subscribe(eventTypeBits['task.completed'] | eventTypeBits['task.processing'])
      let hintCount = 0
      store.onEventsRecorded(() => (hintCount += 1))
      const claim = await claimTask()
      const commonFields = { account_no: accountNo, task_no: taskNoOf(claim.id), position: null }
      expect(await listEvents()).toEqual([{ ...commonFields, type: 'task.processing', at: nowMs }])
      nowMs += 1_000
      await store.requeue(claim, { state: 'failed', reason: 'x', detail: null }, nowMs)
      const [reclaimed] = await claimEmbedded(store, 1, leaseMs)
      await store.renew([{ ...reclaimed!, progress: 50 }], leaseMs)
      nowMs += 1_000
      await store.complete(reclaimed!, [resultOf(claim)], 5)
      expect(await store.complete(reclaimed!, [resultOf(claim)], 5)).toBe(false)
      expect(await listEvents()).toEqual([
        { ...commonFields, type: 'task.processing', at: nowMs - 2_000 },
        { ...commonFields, type: 'task.completed', at: nowMs },
      ])
      expect(hintCount).toBeGreaterThan(0)
      await store.cancel((await claimTask()).id)
      expect((await listEvents()).map(({ type }) => type)).toEqual(['task.processing', 'task.completed', 'task.processing'])
    })

    it('the beginning of an attempt at an upstream is an event, and its assignment is not', async () => {
      await subscribe(eventTypeBits['task.processing'])
      await store.database
        .insertInto('slot_pools')
        .values([
          { kind: 'upstream', name: 'u', target: 't', unconfirmed_max: null },
          { kind: 'route', name: 'r', target: 't', unconfirmed_max: null },
        ])
        .execute()
      const [upstream, route] = await store.database.selectFrom('slot_pools').select('no').orderBy('no').execute()
      await store.accept(newTask({ id: nextId(), accountNo }))
      await store.takeDue(leaseMs, 1)
      const pools = { route: { pool: route!.no, inFlightMax: 1 }, upstream: { pool: upstream!.no, inFlightMax: 1 } }
      const grant = { lane: 0, routes: [{ route: 'r', snapshotNo: 1, limit: 1, deadlineMs: null, pools }] }
      const [claim] = await store.claim([grant], leaseMs)
      expect(await listEvents()).toEqual([])
      expect(await store.beginAttempt(claim!, 1)).toBe('begun')
      expect((await listEvents()).map(({ type }) => type)).toEqual(['task.processing'])
    })

    it('a distribution numbers the events of each account and creates a delivery for each subscribed webhook', async () => {
      const otherAccountNo = await newAccount(store, 'other', 100)
      await subscribe(3)
      await subscribe(3, otherAccountNo)
      const [allEventsNo, failuresNo, disabledNo] = [await addWebhook(3), await addWebhook(2), await addWebhook(3)]
      const otherWebhookNo = await addWebhook(3, { ownerNo: otherAccountNo })
      await store.database.updateTable('webhook_endpoints').set({ enabled: 0 }).where('no', '=', disabledNo).execute()
      let distributionCount = 0
      store.onEventsDistributed(() => (distributionCount += 1))
      const completedId = await completeTask()
      nowMs += 500
      const otherCompletedId = await completeTask({ accountNo: otherAccountNo })
      const failedClaim = await claimTask()
      await store.fail(failedClaim, { code: 'upstream_failed', message: 'no' })
      expect(await store.distributeEvents(2)).toMatchObject({ eventCount: 2, hasDeliveries: true })
      expect(await store.distributeEvents(10)).toMatchObject({ eventCount: 1, accountNos: [accountNo], hasDeliveries: true })
      expect(await store.distributeEvents(10)).toMatchObject({ eventCount: 0, hasDeliveries: false })
      expect((await listEvents()).map(({ account_no, position }) => [account_no, position])).toEqual([
        [accountNo, 1],
        [otherAccountNo, 1],
        [accountNo, 2],
      ])
      const pending = { url: null, status: 'pending' }
      expect(await listDeliveries()).toEqual([
        { ...pending, endpoint_no: allEventsNo, type: 'task.completed', task_no: taskNoOf(completedId), due_at: startMs },
        { ...pending, endpoint_no: otherWebhookNo, type: 'task.completed', task_no: taskNoOf(otherCompletedId), due_at: nowMs },
        { ...pending, endpoint_no: allEventsNo, type: 'task.failed', task_no: taskNoOf(failedClaim.id), due_at: nowMs },
        { ...pending, endpoint_no: failuresNo, type: 'task.failed', task_no: taskNoOf(failedClaim.id), due_at: nowMs },
      ])
      const dueTimes = await Promise.all([allEventsNo, failuresNo, disabledNo, otherWebhookNo].map(readDueAt))
      expect(dueTimes).toEqual([startMs, nowMs, null, nowMs])
      expect(distributionCount).toBe(2)
    })

    it("a completed image creates no delivery to a webhook in OpenAI's format, and a completed video creates one that is due after the webhook's pause", async () => {
      await subscribe(1)
      const no = await addWebhook(1, { format: 'openai' })
      await store.database
        .updateTable('webhook_endpoints')
        .set({ paused_until: nowMs + 9_000 })
        .where('no', '=', no)
        .execute()
      await completeTask({ object: 'image' })
      expect(await store.distributeEvents(10)).toMatchObject({ eventCount: 1, hasDeliveries: false })
      await completeTask()
      expect(await store.distributeEvents(10)).toMatchObject({ eventCount: 1, hasDeliveries: true })
      expect(await readDueAt(no)).toBe(nowMs + 9_000)
    })

    it('the webhook_url of a task receives only the event for the end of this task', async () => {
      await subscribe(taskWebhookBit)
      const no = await addWebhook(0, { kind: 'task' })
      const webhook = { endpointNo: no, url: 'https://example.com/?task=1' }
      const idempotency = { key: 'a', digest: '' }
      const task = newTask({ id: nextId(), accountNo, webhook, idempotency })
      await store.accept(task)
      expect(await store.accept({ ...task, id: nextId() })).toMatchObject({ kind: 'replayed' })
      await store.accept(newTask({ id: nextId(), accountNo }))
      for (const claim of await claimEmbedded(store, 2, leaseMs)) await store.complete(claim, [resultOf(claim)], 5)
      expect((await listEvents()).length).toBe(1)
      await store.distributeEvents(10)
      expect(await listDeliveries()).toEqual([
        {
          endpoint_no: no,
          type: 'task.completed',
          task_no: taskNoOf(task.id),
          url: webhook.url,
          status: 'pending',
          due_at: nowMs,
        },
      ])
      expect(await store.database.selectFrom('task_webhooks').selectAll().execute()).toEqual([])
    })

    it('events survive a crash before their distribution, and a second distribution adds nothing', async () => {
      await subscribe(1)
      await addWebhook(1)
      await completeTask()
      store = await engine.crash(() => nowMs)
      expect((await store.distributeEvents(10)).eventCount).toBe(1)
      store = await engine.crash(() => nowMs)
      expect((await store.distributeEvents(10)).eventCount).toBe(0)
      expect(await listDeliveries()).toHaveLength(1)
    })

    it('a balance that falls below its threshold causes one event, and another one only after it has risen again', async () => {
      await subscribe(eventTypeBits['credits.low'])
      await store.database.updateTable('accounts').set({ credits_low_at: 985 }).where('no', '=', accountNo).execute()
      const claim = await claimTask()
      expect(await listEvents()).toEqual([])
      const nextClaim = await claimTask()
      await claimTask()
      expect((await listEvents()).map(({ type, task_no }) => [type, task_no])).toEqual([['credits.low', null]])
      await store.cancel(claim.id)
      await store.cancel(nextClaim.id)
      expect(await listEvents()).toHaveLength(1)
      await store.adjust(accountNo, -100, 'x')
      expect(await listEvents()).toHaveLength(2)
      await addWebhook(8)
      expect(await store.distributeEvents(10)).toMatchObject({ eventCount: 2, hasDeliveries: true })
      const ids = (await store.database.selectFrom('webhook_deliveries').select('event_id').execute()).map(
        ({ event_id }) => event_id,
      )
      expect(new Set(ids).size).toBe(2)
      for (const id of ids) expect(id).toMatch(/^evt_[0-9a-f]{32}$/)
    })
  })
}
