import { DatabaseSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { openHttpService } from './http-service.ts'

const definition = { object: 'image', parameters: { prompt: {} }, required: ['prompt'], price: { per_image: 0.05 } }

it('the list of thousands of models of a brand has pages', async () => {
  await using service = await openHttpService()
  const count = 5_000
  using database = new DatabaseSync(service.databaseFile, { timeout: 5_000 })
  const insert = database.prepare('insert into stored_models (id, definition, created_at, changed_at) values (?, ?, 1, 1)')
  database.exec('begin')
  for (let index = 0; index < count; index++) insert.run(`m${index}`, JSON.stringify({ ...definition, id: `m${index}` }))
  database.exec('commit')
  await vi.waitFor(() => expect(service.models.entries).toHaveLength(count), { timeout: 20_000 })

  const list = (query: string) => {
    // Keeps the operator below the limit on requests per second.
    service.clockAheadMs += 100
    return service.request('GET', `/admin/v1/brands/brand_default/models${query}`)
  }
  const modelIds: string[] = []
  for (let query = '?limit=100'; query !== '';) {
    const { status, json } = await list(query)
    expect([status, json.items.length <= 100, json.has_more]).toEqual([200, true, json.next_cursor !== null])
    modelIds.push(...json.items.map(({ model }: { model: string }) => model))
    query = json.next_cursor === null ? '' : `?limit=100&cursor=${json.next_cursor}`
  }
  expect(modelIds.slice(-count)).toEqual(Array.from({ length: count }, (_, index) => `m${index}`).toSorted())
  expect(new Set(modelIds).size).toBe(modelIds.length)
  expect((await list('')).json.items).toHaveLength(20)
  for (const [query, param] of [
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?cursor=x', 'cursor'],
    ['?page=2', 'page'],
  ] as const) {
    const { status, json } = await list(query)
    expect([query, status, json.error.param]).toEqual([query, 400, param])
  }
})
