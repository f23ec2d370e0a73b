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

/** Submits a task, and leaves a file of it behind, like a process that is killed while it collects the result. */
async function taskWithLocalResult(): Promise<string> {
  const body = { model: 'imgA-5.0', prompt: 'a lake' }
  const { id } = (await service.request('POST', '/v2/model-center/tasks', { body })).json
  mkdirSync(path.join(folder, `${id}_1`))
  writeFileSync(path.join(folder, `${id}_1`, '0'), 'image')
  return id
}

it('local copies of results are removed once their task has ended', async () => {
  const [completed, cancelled, deleted, running] = [
    await taskWithLocalResult(),
    await taskWithLocalResult(),
    await taskWithLocalResult(),
    await taskWithLocalResult(),
  ]
  await service.startAll()
  await service.complete(completed, { durationMs: null })
  await service.request('POST', `/v2/model-center/tasks/${cancelled}/cancel`)
  await service.request('DELETE', `/v2/model-center/tasks/${deleted}`)
  await sweepLocalResults(folder, service.store.query)
  expect(readdirSync(folder)).toEqual([`${running}_1`])
})
