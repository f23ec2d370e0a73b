import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
let service: HttpService
/** Ids of the tasks, newest first. */
const ids: string[] = []
let firstCreated = 0

beforeAll(async () => {
  service = await openHttpService()
  for (let i = 0; i < 25; i++) {
    const body = i % 5 === 0 ? { model: 'vidG_video3', prompt: 'x' } : { model: 'imgA-5.0', prompt: 'x' }
    const { json } = await service.request('POST', tasksPath, { body })
    ids.unshift(json.id)
    if (i === 0) firstCreated = json.created
    if (i === 11) await pause(1100)
  }
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function list(query = '') {
  const { json } = await service.request('GET', `${tasksPath}${query}`)
  return { ...json, ids: json.items.map((item: { id: string }) => item.id) }
}

it('tasks are listed newest first, twenty at a time', async () => {
  const page = await list()
  expect(Object.keys(page).toSorted()).toEqual(['has_more', 'ids', 'items', 'next_cursor', 'object'])
  expect(page).toMatchObject({ object: 'list', has_more: true, ids: ids.slice(0, 20) })
  const { parameters, ...newest } = (await service.request('GET', `${tasksPath}/${ids[0]}`)).json
  expect(page.items[0]).toEqual({ ...newest, prompt: parameters.prompt })
  expect(await list(`?cursor=${page.next_cursor}`)).toMatchObject({ ids: ids.slice(20), has_more: false, next_cursor: null })
})

it('all pages of a list are read without a gap while new tasks arrive', async () => {
  const { key } = await service.newAccount(10)
  const submit = async () =>
    (await service.request('POST', tasksPath, { key, body: { model: 'imgA-5.0', prompt: 'x' } })).json.id as string
  const existingIds = [await submit(), await submit(), await submit(), await submit()].toReversed()
  const seenIds: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { json } = await service.request('GET', `${tasksPath}?limit=2${cursor && `&cursor=${cursor}`}`, { key })
    seenIds.push(...json.items.map((item: { id: string }) => item.id))
    cursor = json.next_cursor
    await submit()
  }
  expect(seenIds).toEqual(existingIds)
})

it('tasks are filtered by status, model, object and time', async () => {
  await service.request('POST', `${tasksPath}/${ids[3]}/cancel`)
  expect((await list('?status=failed')).ids).toEqual([ids[3]])
  expect((await list('?status=queued&limit=100')).ids).toHaveLength(24)
  expect((await list('?object=video')).ids).toHaveLength(5)
  expect((await list('?model=vidG_video3&limit=2')).ids).toHaveLength(2)
  expect((await list('?model=none')).ids).toEqual([])
  expect((await list(`?created_after=${firstCreated}&limit=100`)).ids).toEqual(ids)
  expect((await list(`?created_before=${firstCreated}`)).ids).toEqual([])
  const older = (await list(`?created_before=${firstCreated + 1}&limit=100`)).ids
  const newer = (await list(`?created_after=${firstCreated + 1}&limit=100`)).ids
  expect([...newer, ...older]).toEqual(ids)
  expect(older.length).toBeGreaterThan(0)
})

it.each([
  ['?limit=0', 'limit', 'invalid_parameter'],
  ['?limit=101', 'limit', 'invalid_parameter'],
  ['?limit=ten', 'limit', 'invalid_parameter'],
  ['?limit=', 'limit', 'invalid_parameter'],
  ['?limit=1&limit=2', 'limit', 'invalid_parameter'],
  ['?cursor=x', 'cursor', 'invalid_parameter'],
  ['?cursor=', 'cursor', 'invalid_parameter'],
  ['?status=done', 'status', 'invalid_parameter'],
  ['?object=audio', 'object', 'invalid_parameter'],
  ['?created_after=yesterday', 'created_after', 'invalid_parameter'],
  ['?created_before=-1', 'created_before', 'invalid_parameter'],
  ['?state=queued', 'state', 'unknown_parameter'],
  ['?__proto__=1', '__proto__', 'unknown_parameter'],
])('an invalid query parameter of a list is rejected by name: %s', async (query, param, code) => {
  const response = await service.request('GET', tasksPath + query)
  expect([response.status, response.json.error.code, response.json.error.param]).toEqual([400, code, param])
})

it('the error for a long unknown query parameter contains no half of a character', async () => {
  const name = encodeURIComponent(`${'k'.repeat(63)}🦊`)
  const { text } = await service.request('GET', `/v2/model-center/tasks?${name}=1`)
  expect(text).toContain("kkk'; the parameters are")
})

it('the error for a date as a time asks for Unix seconds', async () => {
  for (const query of ['created_after=2026-01-15', 'created_before=2026-01-15T12:00:00Z']) {
    const { status, json } = await service.request('GET', `${tasksPath}?${query}`)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(' must be a time in Unix seconds, such as 17')])
  }
})

it('an unknown query parameter is rejected with the nearest known name', async () => {
  const response = await service.request('GET', `${tasksPath}?stauts=queued`)
  expect(response.json.error.message).toContain("did you mean 'status'?")
})

it('a search finds the tasks whose prompt contains each word, regardless of case, before and after a page boundary', async () => {
  const { key } = await service.newAccount(10)
  const submit = async (prompt: string) =>
    (await service.request('POST', tasksPath, { key, body: { model: 'imgA-5.0', prompt } })).json.id as string
  const foxId = await submit('A red FOX in the snow')
  await submit('a boat')
  const otherId = await submit('a Fox, red as the sun')
  const searchTasks = async (query: string) => (await service.request('GET', `${tasksPath}?${query}`, { key })).json
  expect(idsOf(await searchTasks('q=fox+RED'))).toEqual([otherId, foxId])
  expect(idsOf(await searchTasks('q=snow%20fox&model=imgA-5.0'))).toEqual([foxId])
  expect(await searchTasks('q=fox&status=completed')).toMatchObject({ items: [], has_more: false })
  const firstPage = await searchTasks('q=fox&limit=1')
  expect(firstPage).toMatchObject({ has_more: true })
  const secondPage = await searchTasks(`q=fox&limit=1&cursor=${firstPage.next_cursor}`)
  expect([idsOf(firstPage), idsOf(secondPage)]).toEqual([[otherId], [foxId]])
  expect(idsOf(await searchTasks(`q=fox&cursor=${secondPage.next_cursor}`))).toEqual([])
  const tooLong = await service.request('GET', `${tasksPath}?q=${'x'.repeat(201)}`, { key })
  expect([tooLong.status, tooLong.json.error.param]).toEqual([400, 'q'])
})

function idsOf({ items }: { items: { id: string }[] }): string[] {
  return items.map(({ id }) => id)
}
