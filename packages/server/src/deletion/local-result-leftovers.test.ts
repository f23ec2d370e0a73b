import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHttpService, type HttpService } from '../../test/http-service.ts'
import { sweepLocalResults } from './local-result-leftovers.ts'

let service: HttpService
let folder: string
beforeEach(async () => {
  service = await openHttpService()
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-kept-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service[Symbol.asyncDispose]()
})

/**
 * Submits a task, and leaves local copies of its results, like a process that is killed while it
 * collects them.
 */
async function taskWithLocalResult(): Promise<string> {
  const body = { model: 'imgA-5.0', prompt: 'a lake' }
  const { id } = (await service.request('POST', '/v2/model-center/tasks', { body })).json
  for (const name of [`${id}_1.0`, `${id}_1.1`, `${id}_1.1.next`]) writeFileSync(path.join(folder, name), 'image')
  // Earlier versions stored the copies of an attempt in a folder.
  mkdirSync(path.join(folder, `${id}_2`))
  writeFileSync(path.join(folder, `${id}_2`, '0'), 'image')
  return id
}

it('local copies of results are removed once their task has ended', async () => {
  const [completedId, cancelledId, deletedId, runningId] = [
    await taskWithLocalResult(),
    await taskWithLocalResult(),
    await taskWithLocalResult(),
    await taskWithLocalResult(),
  ]
  await service.startAll()
  await service.complete(completedId, { durationMs: null })
  await service.request('POST', `/v2/model-center/tasks/${cancelledId}/cancel`)
  await service.request('DELETE', `/v2/model-center/tasks/${deletedId}`)
  await sweepLocalResults(folder, service.store.database)
  expect(readdirSync(folder).toSorted()).toEqual([
    `${runningId}_1.0`,
    `${runningId}_1.1`,
    `${runningId}_1.1.next`,
    `${runningId}_2`,
  ])
})

it('local copies of ended tasks are removed even if a running task has 1,500 copies', async () => {
  const firstId = await taskWithLocalResult()
  const runningId = await taskWithLocalResult()
  for (let position = 2; position < 1_500; position++) writeFileSync(path.join(folder, `${runningId}_1.${position}`), 'image')
  const lastId = await taskWithLocalResult()
  for (const id of [firstId, lastId]) await service.request('POST', `/v2/model-center/tasks/${id}/cancel`)
  await sweepLocalResults(folder, service.store.database)
  expect(new Set(readdirSync(folder).map((name) => name.split('_', 2).join('_')))).toEqual(new Set([runningId]))
})
