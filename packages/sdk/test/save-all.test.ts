import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Framegate, type FramegateError, type Task } from '../src/index.ts'
import { task } from './scripted-service.ts'

let server: Server
let folder: string
/** Paths of requests that get half a response. */
let broken: string[]
let client: Framegate
/** The task as a query shows it. */
let current: Task

beforeEach(async () => {
  broken = []
  folder = mkdtempSync(join(tmpdir(), 'framegate-save-all-'))
  server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/api/')) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(current))
      return
    }
    const isBroken = broken.includes(url)
    broken = broken.filter((path) => path !== url)
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 10 })
    if (isBroken) response.write('half', () => response.destroy())
    else response.end(`image ${url.padEnd(4)}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = new Framegate({ baseUrl: `${origin}/api`, apiKey: 'key', timeoutSeconds: 5 })
  current = completedTask(origin, 3)
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  rmSync(folder, { recursive: true })
})

function completedTask(origin: string, count: number): Task {
  const facts = { type: 'image/png', width: 1, height: 1, seconds: null, bytes: 10 }
  const results = Array.from({ length: count }, (_, index) => Object.assign({ url: `${origin}/${index}` }, facts))
  return task('completed', { object: 'image', result_url: `${origin}/0`, results })
}

const contents = () =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8').trim()]))

it('saveAll writes every result under a numbered name and returns the paths, even if a download is interrupted', async () => {
  broken = ['/1']
  const paths = await client.tasks.saveAll(current, join(folder, 'fox.png'))
  expect(paths).toEqual(['fox-1.png', 'fox-2.png', 'fox-3.png'].map((name) => join(folder, name)))
  expect(contents()).toEqual({ 'fox-1.png': 'image /0', 'fox-2.png': 'image /1', 'fox-3.png': 'image /2' })
})

it('saveAll writes the only result of a task under the given name without a number', async () => {
  current = { ...current, results: current.results?.slice(0, 1) ?? [] }
  await client.tasks.saveAll(current, join(folder, 'fox.png'))
  expect(Object.keys(contents())).toEqual(['fox.png'])
})

it('saveAll accepts the id of a task, and a function that returns the file names', async () => {
  const paths = await client.tasks.saveAll(current.id, (result, index) => join(folder, `${index}.${result.type.slice(6)}`))
  expect(paths).toHaveLength(3)
  expect(Object.keys(contents())).toEqual(['0.png', '1.png', '2.png'])
})

it('saveAll does not replace an existing file if overwriting is disabled', async () => {
  writeFileSync(join(folder, 'fox-2.png'), 'mine')
  const failure = await client.tasks
    .saveAll(current, join(folder, 'fox.png'), { overwrite: false })
    .catch((error: FramegateError) => error)
  expect(failure).toMatchObject({ code: 'file_exists' })
  expect(contents()).toEqual({ 'fox-1.png': 'image /0', 'fox-2.png': 'mine' })
})

it('tasks.download returns the result at a position, and rejects a position that the task does not have', async () => {
  const third = await client.tasks.download(current, { result: 2 })
  expect((await (await third.blob()).text()).trim()).toBe('image /2')
  const failure = await client.tasks.download(current, { result: 3 }).catch((error: FramegateError) => error)
  const message = 'The task task_1 has no result with the index 3. The last index is 2.'
  expect(failure).toMatchObject({ code: 'no_such_result', message })
})

it('saveAll rejects a task that is not completed, and a task whose results were removed', async () => {
  current = task('processing')
  await expect(client.tasks.saveAll(current, 'x.png')).rejects.toMatchObject({ code: 'task_not_completed' })
  current = task('completed', { result_expired: true })
  await expect(client.tasks.saveAll(current, 'x.png')).rejects.toMatchObject({ code: 'result_expired' })
})
