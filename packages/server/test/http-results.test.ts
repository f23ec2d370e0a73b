import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const resultCount = 3
const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))
let service: HttpService
let id: string

beforeAll(async () => {
  service = await openHttpService()
  id = await completeTask({ results: resultCount, durationMs: 6_000, bytes })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function completeTask(result: Parameters<HttpService['complete']>[1], model = 'vidG_video3'): Promise<string> {
  const { json } = await service.request('POST', tasksPath, { body: { model, prompt: 'x' } })
  await service.startAll()
  await service.complete(json.id, result)
  return json.id
}

interface ListedResult {
  url: string
  type: string
}

async function readResults(task: string): Promise<ListedResult[]> {
  return (await service.request('GET', `${tasksPath}/${task}`)).json.results
}

describe('a task with several results', () => {
  it('a task with several results shows all of them in queries, lists and v1 queries, and result_url is the link to the first', async () => {
    const { json: task } = await service.request('GET', `${tasksPath}/${id}`)
    const facts = { type: 'video/mp4', width: 1280, height: 720, seconds: 6, bytes: 1000 }
    expect(task.results).toMatchObject([42, 43, 44].map((seed) => Object.assign({ url: expect.any(String), seed }, facts)))
    expect([task.result_url, task.video_url]).toEqual([task.results[0].url, task.results[0].url])
    expect(task.actualDuration).toBe(18)
    const { json: list } = await service.request('GET', `${tasksPath}?limit=1&model=vidG_video3`)
    expect(list.items[0].results).toEqual(task.results)
    expect((await service.request('GET', `/v1/vidG/videos/${id}`)).json.results).toEqual(task.results)
  })

  it('each of several results has its own file name and a link that supports ranges and conditional requests', async () => {
    const results = await readResults(id)
    const names = [`${id}.mp4`, `${id}-2.mp4`, `${id}-3.mp4`]
    for (const [index, { url }] of results.entries()) {
      const response = await service.fetch(url)
      expect(response.headers.get('content-disposition')).toBe(`inline; filename="${names[index]}"`)
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
      const head = await service.fetch(url, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length'), head.headers.get('content-type')]).toEqual([
        200,
        '1000',
        'video/mp4',
      ])
      const etag = head.headers.get('etag') ?? ''
      expect((await service.fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
      expect((await service.fetch(url, { headers: { range: 'bytes=0-9' } })).status).toBe(206)
    }
  })

  it('the signature of a result link is not valid for another result or a nonexistent one', async () => {
    const results = await readResults(id)
    const [first, second] = results
    const forgedUrl = first?.url.replace(`${id}.mp4`, `${id}-2.mp4`) ?? ''
    expect(new URL(forgedUrl).pathname).toBe(new URL(second?.url ?? '').pathname)
    expect((await service.fetch(forgedUrl)).status).toBe(403)
    for (const name of [`${id}-4.mp4`, `${id}-02.mp4`, `${id}-1.mp4`, `${id}-2.png`]) {
      const response = await service.fetch(service.signed(name))
      expect([name, response.status]).toEqual([name, 410])
    }
  })

  it('the deletion of a task with several results removes all of their files', async () => {
    const goneId = await completeTask({ results: resultCount }, 'imgA-5.0')
    const results = await readResults(goneId)
    expect(results).toHaveLength(resultCount)
    expect((await service.request('DELETE', `${tasksPath}/${goneId}`)).status).toBe(200)
    for (const { url } of results) expect((await service.fetch(url)).status).toBe(410)
    for (const name of [`${goneId}.png`, `${goneId}-2.png`, `${goneId}-3.png`])
      expect(await service.mediaStore.stat(name)).toBeUndefined()
  })
})

it('a task with one result lists only that result', async () => {
  const taskId = await completeTask({}, 'imgA-5.0')
  const { json: task } = await service.request('GET', `${tasksPath}/${taskId}`)
  const facts = { type: 'image/png', width: 1024, height: 1024, seconds: null, bytes: 16, seed: 42 }
  expect(task.results).toMatchObject([{ url: task.result_url, ...facts }])
})

it('a task without a result has no results', async () => {
  const { json } = await service.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'x' } })
  expect('results' in (await service.request('GET', `${tasksPath}/${json.id}`)).json).toBe(false)
})
