import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { claimEmbedded } from '../src/db/store-under-test.ts'
import { createAccountErasure } from '../src/deletion/account-erasure.ts'
import { createTaskDeletion } from '../src/deletion/task-deletion.ts'
import { createLogger } from '../src/lib/logger.ts'
import { MediaStoreError } from '../src/media/media-store.ts'
import { createWebhookRemoval } from '../src/webhooks/remove-webhooks.ts'
import { openHttpService, type HttpResponse, type HttpService, type RequestOptions, type TestAccount } from './http-service.ts'
import { plainPng } from './plain-png.ts'
import { tablesContaining } from './tables-containing.ts'

const tasksPath = '/v2/model-center/tasks'
const marker = 'quetzalcoatlus'
const image = { model: 'imgA-5.0', prompt: `a ${marker} over a lake` }

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

async function submitTask(options: RequestOptions = {}): Promise<string> {
  const response = await service.request('POST', tasksPath, { body: image, ...options })
  expect(response.status).toBe(202)
  return response.json.id
}
async function completeTask(): Promise<string> {
  const id = await submitTask()
  await service.startAll()
  await service.complete(id)
  return id
}
const removeTask = (id: string, options?: RequestOptions) => service.request('DELETE', `${tasksPath}/${id}`, options)
const removeTasks = (query: string, options?: RequestOptions) => service.request('DELETE', `${tasksPath}${query}`, options)
const requestAdmin = (method: string, urlPath: string, body?: object) =>
  service.request(method, `/admin/v1${urlPath}`, body === undefined ? {} : { body })
const statusOf = async (response: Promise<HttpResponse>) => (await response).status
const readBalance = async () => (await service.request('GET', '/v2/credits')).json
const listTaskIds = async () => (await service.request('GET', tasksPath)).json.items.map((task: { id: string }) => task.id)

async function openFilledAccount(): Promise<TestAccount> {
  const account = await service.newAccount(10)
  await requestAdmin('PATCH', `/accounts/${account.accountId}`, { name: `${marker} studio` })
  await requestAdmin('PATCH', `/keys/${account.keyId}`, { name: `${marker} website` })
  const form = new FormData()
  form.append('file', new Blob([plainPng(32, 32)], { type: 'image/png' }), `${marker}.png`)
  const uploaded = await service.request('POST', '/v2/assets', { rawBody: form, key: account.key })
  expect(uploaded.status).toBe(201)
  for (let count = 0; count < 3; count++)
    await submitTask({ key: account.key, headers: { 'idempotency-key': `${marker}-${count}` } })
  await service.startAll()
  const [firstTask] = (await service.request('GET', tasksPath, { key: account.key })).json.items
  await service.complete(firstTask.id)
  return account
}
const closeAccount = (id: string) => requestAdmin('PATCH', `/accounts/${id}`, { status: 'closed' })

describe('a deleted task', () => {
  it('a query of a deleted task gets 404, no list contains it, its link does not work, and no table has its content', async () => {
    const id = await completeTask()
    const { result_url: link } = (await service.request('GET', `${tasksPath}/${id}`)).json
    expect((await service.fetch(link)).status).toBe(200)
    const balanceBefore = await readBalance()

    const deleted = await removeTask(id)
    expect([deleted.status, deleted.json]).toEqual([200, { id, object: 'task', deleted: true }])
    expect(await statusOf(service.request('GET', `${tasksPath}/${id}`))).toBe(404)
    expect(await statusOf(service.request('GET', `${tasksPath}/${id}/timeline`))).toBe(404)
    expect(await statusOf(service.request('POST', `${tasksPath}/${id}/cancel`))).toBe(404)
    expect(await listTaskIds()).toEqual([])
    expect((await service.fetch(link)).status).toBe(410)
    expect(await service.mediaStore.stat(`${id}.png`)).toBeUndefined()
    expect(await tablesContaining(service.store, marker)).toEqual([])

    expect(await readBalance()).toEqual(balanceBefore)
    const entries = (await service.request('GET', '/v2/credits/entries')).json.items
    expect(entries.slice(0, 2)).toMatchObject([
      { kind: 'settle', task: id },
      { kind: 'hold', task: id },
    ])
  })

  it('a running task that is deleted is cancelled first: its hold is released, and its worker cannot end it', async () => {
    const balanceBefore = await readBalance()
    const id = await submitTask()
    await service.startAll()
    expect((await readBalance()).held).toBeGreaterThan(0)
    expect(await statusOf(removeTask(id))).toBe(200)
    expect(await readBalance()).toEqual(balanceBefore)
    await expect(service.complete(id)).rejects.toThrow()
    expect(await statusOf(service.request('GET', `${tasksPath}/${id}`))).toBe(404)
  })

  it('the webhook_url of a task that is deleted before its event is distributed is removed', async () => {
    const id = await submitTask({ body: { ...image, webhook_url: `https://example.com/?token=${marker}` } })
    expect(await tablesContaining(service.store, marker)).toContain('task_webhooks')
    await removeTask(id)
    expect(await tablesContaining(service.store, marker)).toEqual([])
  })

  it('a download in progress completes although its task is deleted, and no further download starts', async () => {
    const id = await submitTask()
    await service.startAll()
    const bytes = Buffer.alloc(8 * 1024 * 1024, 7)
    await service.complete(id, { bytes })
    const { result_url: link } = (await service.request('GET', `${tasksPath}/${id}`)).json
    const response = await fetch(link)
    const reader = response.body?.getReader()
    let received = (await reader?.read())?.value?.byteLength ?? 0
    await removeTask(id)
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) received += chunk.value.byteLength
    expect(received).toBe(bytes.byteLength)
    expect((await service.fetch(link)).status).toBe(410)
  })

  it('a long poll gets the cancelled task when the task is deleted', async () => {
    const id = await submitTask()
    const pending = service.request('GET', `${tasksPath}/${id}?wait=30`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await removeTask(id)
    expect((await pending).json).toMatchObject({ id, status: 'failed', error_code: 'cancelled' })
  })

  it('two concurrent deletions of a task and a repeated one get the same response, and the ledger has its charge once', async () => {
    const id = await completeTask()
    const responses = await Promise.all([removeTask(id), removeTask(id)])
    responses.push(await removeTask(id))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    const deletedTask = { id, object: 'task', deleted: true }
    expect(responses.map(({ json }) => json)).toEqual([deletedTask, deletedTask, deletedTask])
    const entries = (await service.request('GET', '/v2/credits/entries')).json.items
    expect(entries.filter(({ kind }: { kind: string }) => kind === 'settle')).toHaveLength(1)
  })

  it('the deletion of an unknown task or one of another account gets 404, and a read-only key is rejected', async () => {
    const id = await completeTask()
    const otherAccount = await service.newAccount(1)
    const reader = await service.newAccount(1, ['tasks:read'])
    expect(await statusOf(removeTask(id, { key: otherAccount.key }))).toBe(404)
    expect(await statusOf(removeTask('task_019bc186de0070008b1e4d7a0c3f6295'))).toBe(404)
    expect(await statusOf(removeTask('x'))).toBe(404)
    expect(await statusOf(removeTask(id, { key: reader.key }))).toBe(403)
    expect(await statusOf(service.request('GET', `${tasksPath}/${id}`))).toBe(200)
  })

  it('a deleted task keeps its Idempotency-Key: a retried submit is rejected and holds no credits', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const id = await submitTask({ headers })
    await removeTask(id)
    const balanceBefore = await readBalance()
    const repeated = await service.request('POST', tasksPath, { body: image, headers })
    expect([repeated.status, repeated.json.error.code]).toEqual([409, 'idempotency_key_reused'])
    expect(repeated.json.error.message).toContain('deleted')
    expect(await readBalance()).toEqual(balanceBefore)
  })

  it('a deleted task leaves no content on the list of attempts, and no note of a resolution in the audit log', async () => {
    const id = await submitTask()
    const [claim] = await claimEmbedded(service.store, 1, 60_000, { route: 'main', snapshotNo: 3 })
    if (claim === undefined) throw new Error('there was nothing to claim')
    const failure = { code: 'lost_upstream', message: `the ${marker} was lost` } as const
    await service.store.fail(claim, failure, { unresolved: 'lost_reply', detail: `no ${marker} here` })
    await requestAdmin('POST', `/attempts/${id}_1/resolve`, { resolution: 'accepted_loss', note: `a ${marker}` })
    await removeTask(id)
    expect(await tablesContaining(service.store, marker)).toEqual([])
    expect((await requestAdmin('GET', `/attempts/${id}_1`)).json).toMatchObject({
      detail: null,
      error: null,
      note: null,
      resolution: 'accepted_loss',
    })
    const [entry] = (await requestAdmin('GET', '/audit')).json.items
    expect(entry).toMatchObject({ action: 'attempt.resolve', target: `${id}_1`, before: null, after: null })
  })

  it('the deletion of a task removes the results that an upstream has delivered', async () => {
    const id = await submitTask()
    const [ownFolder, otherFolder] = [`${id}_1`, 'task_019bc186de0070008b1e4d7a0c3f6295_1'].map((name) =>
      path.join(service.dataDir, 'kept', name),
    )
    for (const folder of [ownFolder, otherFolder]) {
      mkdirSync(folder ?? '', { recursive: true })
      writeFileSync(path.join(folder ?? '', '0'), 'bytes')
    }
    await removeTask(id)
    expect([existsSync(ownFolder ?? ''), existsSync(otherFolder ?? '')]).toEqual([false, true])
  })
})

describe('the deletion of many tasks', () => {
  it('a deletion of many tasks accepts the filters of the list and a limit, and reports whether there are more', async () => {
    const ids = [await completeTask(), await completeTask(), await completeTask()]
    const running = await submitTask()
    const firstPage = (await removeTasks('?status=completed&limit=2')).json
    expect(firstPage).toEqual({ object: 'deleted_tasks', deleted: 2, has_more: true, next_cursor: expect.any(String) })
    expect(await listTaskIds()).toEqual([running, ids[0]])
    expect((await removeTasks(`?status=completed&limit=2&cursor=${firstPage.next_cursor}`)).json).toEqual({
      object: 'deleted_tasks',
      deleted: 1,
      has_more: false,
      next_cursor: null,
    })
    expect((await removeTasks('?model=vidDq3-pro')).json.deleted).toBe(0)
    expect((await removeTasks('?created_before=1')).json.deleted).toBe(0)
    expect(await listTaskIds()).toEqual([running])
  })

  it('a deletion of many tasks requires a filter or all=true and does not affect other accounts', async () => {
    const id = await submitTask()
    const otherAccount = await service.newAccount(10)
    const foreignId = await submitTask({ key: otherAccount.key })
    const refused = await removeTasks('')
    expect([refused.status, refused.json.error.param]).toEqual([400, 'all'])
    expect(await statusOf(removeTasks('?statsu=failed'))).toBe(400)
    expect(await listTaskIds()).toEqual([id])
    expect((await removeTasks('?all=true')).json.deleted).toBe(1)
    expect((await readBalance()).held).toBe(0)
    expect(await statusOf(service.request('GET', `${tasksPath}/${foreignId}`, { key: otherAccount.key }))).toBe(200)
  })
})

describe('deletion by an operator', () => {
  it('an operator deletes one or many tasks of any account, and the audit log records it', async () => {
    const otherAccount = await service.newAccount(10)
    const ids = [await submitTask({ key: otherAccount.key }), await submitTask({ key: otherAccount.key })]
    expect((await requestAdmin('DELETE', `/tasks/${ids[0]}`)).json).toEqual({ id: ids[0], object: 'task', deleted: true })
    expect(await statusOf(requestAdmin('DELETE', '/tasks/task_019bc186de0070008b1e4d7a0c3f6295'))).toBe(404)
    expect((await requestAdmin('DELETE', `/accounts/${otherAccount.accountId}/tasks?status=queued`)).json).toMatchObject({
      deleted: 1,
    })
    expect((await requestAdmin('GET', '/audit')).json.items).toMatchObject([
      { action: 'account.delete_tasks', target: otherAccount.accountId, after: { status: 'queued', deleted: 1 } },
      { action: 'task.delete', target: ids[0] },
    ])
  })

  it('prompt_retention_days of a brand can be set and removed, and 0 is rejected', async () => {
    const [brand] = (await requestAdmin('GET', '/brands')).json.items
    expect(brand.prompt_retention_days).toBeNull()
    const brandPath = `/brands/${brand.id}`
    expect((await requestAdmin('PATCH', brandPath, { prompt_retention_days: 30 })).json.prompt_retention_days).toBe(30)
    expect((await requestAdmin('PATCH', brandPath, { prompt_retention_days: 0 })).status).toBe(400)
    expect((await requestAdmin('PATCH', brandPath, { prompt_retention_days: null })).json.prompt_retention_days).toBeNull()
  })
})

describe('the erasure of an account', () => {
  it('the erasure of an open account is rejected', async () => {
    const account = await openFilledAccount()
    const refused = await requestAdmin('POST', `/accounts/${account.accountId}/erase`)
    expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict'])
    expect((await requestAdmin('GET', `/accounts/${account.accountId}/erasure`)).status).toBe(404)
    expect((await service.request('GET', tasksPath, { key: account.key })).json.items).toHaveLength(3)
  })

  it('the erasure of a closed account removes and counts all of its content and keeps the ledger', async () => {
    const otherAccountTaskId = await submitTask()
    const account = await openFilledAccount()
    const { accountId, accountNo } = account
    const price = { model: 'imgA-5.0', account: accountId, price: { unit: 'image', credits: { '*': 0.05 } } }
    expect(await statusOf(requestAdmin('POST', '/prices', price))).toBe(201)
    expect(await statusOf(requestAdmin('POST', '/prices', { ...price, price: null }))).toBe(201)
    await closeAccount(accountId)
    const report = await requestAdmin('POST', `/accounts/${accountId}/erase`)
    expect([report.status, report.json]).toMatchObject([
      200,
      { object: 'erasure', account: accountId, status: 'completed', tasks: 3, results: 1, assets: 1, keys: 1 },
    ])
    expect(report.json.audit_entries).toBeGreaterThan(1)
    expect((await requestAdmin('GET', `/accounts/${accountId}/erasure`)).json).toEqual(report.json)
    expect((await requestAdmin('POST', `/accounts/${accountId}/erase`)).json).toEqual(report.json)

    expect(await statusOf(service.request('GET', `${tasksPath}/${otherAccountTaskId}`))).toBe(200)
    await removeTask(otherAccountTaskId)
    expect(await tablesContaining(service.store, marker)).toEqual([])
    expect((await requestAdmin('GET', `/accounts/${accountId}`)).json).toMatchObject({
      name: 'erased',
      status: 'closed',
      held: 0,
    })
    expect(await service.store.listEntries({ accountNo, limit: 100 })).toHaveLength(7)
    const eraseEntries = (await requestAdmin('GET', '/audit')).json.items.filter(
      ({ action }: { action: string }) => action === 'account.erase',
    )
    expect(eraseEntries).toMatchObject([{ target: accountId }])
  })

  it('an erasure gets 503 while the media store cannot remove files, and can be repeated', async () => {
    const { accountId } = await openFilledAccount()
    await closeAccount(accountId)
    {
      using _ = vi.spyOn(service.mediaStore, 'remove').mockRejectedValue(new MediaStoreError('unavailable', 'no response'))
      const { status, headers } = await requestAdmin('POST', `/accounts/${accountId}/erase`)
      expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    }
    const report = await requestAdmin('POST', `/accounts/${accountId}/erase`)
    expect([report.status, report.json.status, report.json.assets]).toEqual([200, 'completed', 1])
  })

  it('an upload that was in progress during the erasure of its account is erased by the next sweep', async () => {
    const { accountId, accountNo } = await openFilledAccount()
    const { store, assets, mediaStore, dataDir } = service
    await using file = await assets.receive(accountNo, Readable.from([plainPng(16, 16)]))
    await closeAccount(accountId)
    await requestAdmin('POST', `/accounts/${accountId}/erase`)
    const { asset } = await assets.store({ accountNo, file, name: `${marker}.png`, param: 'file' })
    const logger = createLogger('silent')
    const localResultsFolder = path.join(dataDir, 'kept')
    const deletion = createTaskDeletion({
      store,
      mediaStore,
      localResultsFolder,
      telemetry: { taskEnded() {} },
      clock: Date.now,
      logger,
    })
    const webhooks = createWebhookRemoval({ store, retentionMs: 1, clock: Date.now })
    const erasure = createAccountErasure({ store, assets, webhooks, clock: Date.now, deletion, logger })
    await erasure.sweep(new AbortController().signal)
    expect(await tablesContaining(store, marker)).toEqual([])
    expect(await mediaStore.stat(`${asset.id}.png`)).toBeUndefined()
  })

  it('the sweep of another process continues an interrupted erasure', async () => {
    const { accountId, accountNo } = await openFilledAccount()
    await closeAccount(accountId)
    const { store, assets, mediaStore, dataDir } = service
    const dependencies = { store, mediaStore, localResultsFolder: path.join(dataDir, 'kept'), telemetry: { taskEnded() {} } }
    const logger = createLogger('silent')
    const deletion = createTaskDeletion({ ...dependencies, clock: Date.now, logger })
    const interrupted = new AbortController()
    const webhooks = createWebhookRemoval({ store, retentionMs: 1, clock: Date.now })
    const erasure = createAccountErasure({
      store,
      assets,
      webhooks,
      clock: Date.now,
      deletion: {
        async deleteTasks(query, erasureOf) {
          const deleted = await deletion.deleteTasks({ ...query, limit: 1 }, erasureOf)
          interrupted.abort()
          return deleted
        },
      },
      logger,
    })
    await erasure.begin(accountNo, 1, [])
    await erasure.work(accountNo, interrupted.signal)
    expect(await erasure.find(accountNo, accountId)).toMatchObject({ status: 'running', tasks: 1, completed: null })

    const otherErasure = createAccountErasure({ store, assets, webhooks, clock: Date.now, deletion, logger })
    await otherErasure.sweep(new AbortController().signal)
    expect(await otherErasure.find(accountNo, accountId)).toMatchObject({ status: 'completed', tasks: 3, results: 1, assets: 1 })
    expect(await tablesContaining(store, marker)).toEqual([])
  })

  it('an erasure that fails is retried with growing pauses and logged, while the sweep continues the others', async () => {
    const failing = await openFilledAccount()
    const other = await openFilledAccount()
    const { store, assets, mediaStore, dataDir } = service
    const logger = createLogger('silent')
    const deletion = createTaskDeletion({
      store,
      mediaStore,
      localResultsFolder: path.join(dataDir, 'kept'),
      telemetry: { taskEnded() {} },
      clock: Date.now,
      logger,
    })
    const logged = vi.spyOn(logger, 'error')
    const triedAtMinutes: number[] = []
    let minute = 0
    let isFailing = true
    const erasure = createAccountErasure({
      store,
      assets,
      webhooks: createWebhookRemoval({ store, retentionMs: 1, clock: Date.now }),
      clock: Date.now,
      deletion: {
        deleteTasks: async (query, erasureOf) => {
          if (query.accountNo === failing.accountNo) {
            triedAtMinutes.push(minute)
            if (isFailing) throw new Error('a row is damaged')
          }
          return deletion.deleteTasks(query, erasureOf)
        },
      },
      logger,
      monotonicMs: () => minute * 60_000,
    })
    for (const { accountId, accountNo } of [failing, other]) {
      await closeAccount(accountId)
      await erasure.begin(accountNo, 1, [])
    }
    const { signal } = new AbortController()
    await erasure.sweep(signal)
    expect(await erasure.find(other.accountNo, other.accountId)).toMatchObject({ status: 'completed' })
    expect(await erasure.find(failing.accountNo, failing.accountId)).toMatchObject({ status: 'running' })
    expect(logged).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ err: expect.objectContaining({ message: 'a row is damaged' }), account: failing.accountId }),
      expect.stringContaining('the erasure of an account failed'),
    )
    for (minute = 1; minute < 240; minute++) await erasure.sweep(signal)
    expect(triedAtMinutes).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 124, 184])
    isFailing = false
    minute = 244
    await erasure.sweep(signal)
    expect(await erasure.find(failing.accountNo, failing.accountId)).toMatchObject({ status: 'completed' })
  })
})
