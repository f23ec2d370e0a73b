import { expect, it } from 'vitest'
import { createTaskRetention } from '../src/deletion/task-retention.ts'
import { createLogger } from '../src/lib/logger.ts'
import { openHttpService } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a boat on a lake' }
const januaryMs = Date.UTC(2026, 0, 15)
const marchMs = Date.UTC(2026, 2, 1)

it('a task older than the retention gets 404 and is in no list, and credits, entries and usage stay', async () => {
  let nowMs = januaryMs
  await using service = await openHttpService({ clock: () => nowMs })
  const submit = async (): Promise<string> => (await service.request('POST', tasksPath, { body: image })).json.id
  const get = async (path: string) => (await service.request('GET', path)).json
  const listIds = async () => (await get(tasksPath)).items.map((task: { id: string }) => task.id)
  const getLedger = async () => {
    const [credits, usage, { items: entries }] = await Promise.all([
      get('/v2/credits'),
      get('/v2/usage?from=2026-01-01&until=2026-01-31'),
      get('/v2/credits/entries'),
    ])
    return { credits, usage, entries: entries.map((entry: object) => Object.assign(entry, { task: null })) }
  }
  const sweepTasks = () =>
    createTaskRetention({
      store: service.store,
      months: 1,
      resultRetentionMs: 7 * 86_400_000,
      isLeader: () => true,
      clock: () => nowMs,
      logger: createLogger('silent'),
    }).sweep(new AbortController().signal)

  const oldId = await submit()
  await service.startAll()
  await service.complete(oldId)
  await service.store.markResultsRemoved([{ objectKey: `${oldId}.png`, taskId: oldId }], nowMs)
  const ledgerBefore = await getLedger()
  expect(ledgerBefore.usage.rows).toHaveLength(1)
  nowMs = marchMs - 1
  await sweepTasks()
  expect(await get(`${tasksPath}/${oldId}`)).toMatchObject({ status: 'completed' })

  nowMs = marchMs
  await sweepTasks()
  expect((await service.request('GET', `${tasksPath}/${oldId}`)).json.error).toMatchObject({ code: 'task_not_found' })
  expect(await listIds()).toEqual([])
  expect(await getLedger()).toEqual(ledgerBefore)
  expect(await service.store.verifyCredits()).toMatchObject({ differences: [] })
  const nextId = await submit()
  expect(await listIds()).toEqual([nextId])
})
