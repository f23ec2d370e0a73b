import type { AdminModelDefinition, AdminRoute, List } from '@framegate/contract'
import { expect } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import type { StartedServer } from '../started-server.ts'

const stepsMax = 40
/** Round in which each model is imported again at the end. No earlier import had this number. */
const lastRound = stepsMax + 1

/**
 * Returns the request body of an import. Its model and its routes contain the number of the round.
 */
function importBody(id: string, round: number): object {
  const model = {
    id,
    object: 'video',
    parameters: { prompt: {}, seconds: { enum: [5] }, round: { type: 'integer', const: round } },
    required: ['prompt'],
  }
  const routes = ['one', 'two'].map((label) => ({
    label,
    upstream_model: `some/${id}-${label}`,
    input: { prompt: { required: true }, seconds: { field: `duration_${round}` } },
  }))
  return { sources: [`file:${id}.json`], document: { driver: 'fal', model, routes }, price: { per_task: 1 }, update: true }
}

/**
 * Repeats an import until it completes. Returns an upper bound of the number of its steps.
 *
 * `start` starts a process that is killed at the given step of the import. The step rises with each
 * import. Imports at odd steps create a model, those at even steps change an existing model. Long
 * runs try all steps, other runs the steps 1, 2, 5, 6, 9, 10 and so on. After each kill, the model
 * and its routes must all be as before the import, or all as after it.
 */
export async function killImports(start: (killAtStep: number | null) => Promise<StartedServer>): Promise<number> {
  const rounds = new Map<string, { before: number | null; after: number }>([['base', { before: null, after: 0 }]])
  await using initial = killedAtEnd(await start(null))
  const upstream = { driver: 'fal', base_url: 'http://127.0.0.1:9', api_key: 'key' }
  expect((await initial.server.request('PUT', '/admin/v1/upstreams/fal-main', upstream)).status).toBe(201)
  expect((await importInto(initial.server, 'base', 0)).status).toBe(200)
  await initial.server.kill()

  for (let step = 1; step <= stepsMax; step += isLongRun || step % 2 === 1 ? 1 : 3) {
    await using current = killedAtEnd(await start(step))
    await expectAllOrNothing(current.server, rounds)
    const id = step % 2 === 0 ? 'base' : `model-${step}`
    const roundBefore = rounds.get(id)?.after ?? null
    rounds.set(id, { before: roundBefore, after: step })
    const response = await importInto(current.server, id, step).catch(() => null)
    if (response === null) continue
    expect(response.status).toBe(200)
    rounds.set(id, { before: step, after: step })
    await current.server.kill()
    await using lastServer = killedAtEnd(await start(null))
    await expectAllOrNothing(lastServer.server, rounds)
    for (const id of rounds.keys()) expect((await importInto(lastServer.server, id, lastRound)).status).toBe(200)
    for (const id of rounds.keys()) rounds.set(id, { before: lastRound, after: lastRound })
    await expectAllOrNothing(lastServer.server, rounds)
    return step - 1
  }
  throw new Error(`an import has more than ${stepsMax} steps`)
}

function killedAtEnd(server: StartedServer): AsyncDisposable & { server: StartedServer } {
  return { server, [Symbol.asyncDispose]: () => server.kill() }
}

function importInto(server: StartedServer, id: string, round: number): Promise<Response> {
  return server.request('POST', '/admin/v1/models/import', importBody(id, round))
}

/**
 * Checks that each model and its routes are all as before its import, or all as after it. Records
 * the state in `rounds`.
 */
async function expectAllOrNothing(
  server: StartedServer,
  rounds: Map<string, { before: number | null; after: number }>,
): Promise<void> {
  const list = async <Item>(path: string): Promise<Item[]> =>
    ((await (await server.request('GET', `/admin/v1${path}?limit=100`)).json()) as List<Item>).items
  const models = await list<AdminModelDefinition>('/models')
  const allRoutes = ((await (await server.request('GET', '/admin/v1/routes')).json()) as List<AdminRoute>).items
  for (const [id, { before, after }] of rounds) {
    const model = models.find((candidate) => candidate.id === id)
    const routes = allRoutes.filter((route) => route.model === id)
    const round = model === undefined ? null : (model.definition['parameters'] as { round: { const: number } }).round.const
    expect([before, after]).toContain(round)
    const fields = routes.map(({ input }) => (input as { seconds: { field: string } }).seconds.field)
    expect([id, fields]).toEqual([id, round === null ? [] : [`duration_${round}`, `duration_${round}`]])
    expect(routes.filter(({ fault }) => fault !== null)).toEqual([])
    if (round === null) rounds.delete(id)
    else rounds.set(id, { before: round, after: round })
  }
}
