import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskRecord } from '../src/db/task-queries.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { metricsToken, openHttpService, type HttpService } from './http-service.ts'

let service: HttpService
let isBroken = false
beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const video = { model: 'vidDq3-turbo', prompt: 'a zebra', seconds: 5 }

async function readMetrics(): Promise<string> {
  const response = await service.request('GET', `${service.origin}/metrics`, { key: metricsToken })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return response.text
}

describe('readiness', () => {
  it('readiness needs no key', async () => {
    const response = await service.request('GET', `${service.origin}/readyz`, { key: null })
    expect(response.status).toBe(200)
    expect(response.json).toEqual({ status: 'ready' })
  })

  it('readiness fails while the database fails and while it does not respond', async () => {
    for (const [described, query] of [
      ['does not respond', () => Promise.reject(new Error('gone'))],
      ['is slow', () => new Promise<never>(() => {})],
    ] as const) {
      const broken = { selectFrom: () => ({ select: () => ({ execute: query }) }) }
      await using otherService = await openHttpService({
        changeStore: (store) =>
          new Proxy(store, {
            get(target, name) {
              if (name === 'database' && isBroken) return broken
              const value: unknown = Reflect.get(target, name, target)
              return typeof value === 'function' ? value.bind(target) : value
            },
          }),
      })
      isBroken = true
      const response = await otherService.request('GET', `${otherService.origin}/readyz`, { key: null })
      isBroken = false
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('5')
      expect(response.json.error).toMatchObject({ code: 'overloaded', message: `The database ${described}.` })
    }
  })
})

describe('metrics', () => {
  it('metrics are readable with the token only', async () => {
    const url = `${service.origin}/metrics`
    expect((await service.request('GET', url, { key: null })).json.error).toMatchObject({ code: 'missing_api_key' })
    for (const key of [service.key, `${metricsToken}x`, metricsToken.slice(1)]) {
      const response = await service.request('GET', url, { key })
      expect(response.status).toBe(401)
      expect(response.json.error).toMatchObject({ code: 'invalid_api_key' })
    }
    expect(await readMetrics()).toContain('framegate_http_requests_total')
  })

  it('metrics without a token are served only to direct local requests, not through a proxy, under a foreign host name or in production', async () => {
    await using serviceWithoutToken = await openHttpService({ metricsToken: null })
    const statusFor = async (headers: Record<string, string>, host?: string): Promise<number> => {
      const requested = { key: null, headers, ...(host !== undefined && { host }) }
      return (await serviceWithoutToken.request('GET', `${serviceWithoutToken.origin}/metrics`, requested)).status
    }
    expect(await statusFor({})).toBe(200)
    expect(await statusFor({}, 'localhost:8787')).toBe(200)
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host']) {
      expect([name, await statusFor({ [name]: '203.0.113.7' })]).toEqual([name, 401])
    }
    // DNS rebinding: host names that an attacker points at this machine, so that the attacker's
    // page could read the responses.
    for (const host of ['rebound.example', 'rebound.example:8787', '127.0.0.1.nip.io']) {
      expect([host, await statusFor({}, host)]).toEqual([host, 401])
    }
    await using productionService = await openHttpService({ metricsToken: null, mode: 'production' })
    expect((await productionService.request('GET', `${productionService.origin}/metrics`, { key: null })).status).toBe(401)
  })

  it('metrics count requests by route, and no label contains text from a client', async () => {
    const task = await service.request('POST', '/v2/model-center/tasks', { body: video })
    await service.request('GET', `/v2/model-center/tasks/${task.json.id}`)
    await service.request('GET', '/elsewhere?with=secret')
    await service.request('GET', '/v2/model-center/tasks/task_nobody')
    const text = await readMetrics()
    expect(text).toContain(
      'framegate_http_requests_total{method="POST",route="/api/v2/model-center/tasks",status="202"} 1\n' +
        'framegate_http_requests_total{method="GET",route="/api/v2/model-center/tasks/:id",status="200"} 1\n' +
        'framegate_http_requests_total{method="GET",route="/api/v2/model-center/tasks/:id",status="404"} 1\n' +
        'framegate_http_requests_total{method="GET",route="",status="404"} 1\n',
    )
    expect(text).toContain('framegate_tasks_accepted_total{model="vidDq3-turbo"} 1\n')
    expect(text).not.toMatch(/task_[0-9a-f]|nobody|elsewhere|secret/)
  })

  it('metrics counters continue from one scrape to the next', async () => {
    await service.request('POST', '/v2/model-center/tasks', { body: video })
    await readMetrics()
    await service.request('POST', '/v2/model-center/tasks', { body: video })
    const text = await readMetrics()
    expect(text).toContain('framegate_http_requests_total{method="POST",route="/api/v2/model-center/tasks",status="202"} 2\n')
    expect(text).toContain('framegate_tasks_accepted_total{model="vidDq3-turbo"} 2\n')
  })

  it('metrics exclude long polls from the request latency', async () => {
    const task = await service.request('POST', '/v2/model-center/tasks', { body: video })
    await service.request('GET', `/v2/model-center/tasks/${task.json.id}?wait=1`)
    const text = await readMetrics()
    expect(text).toContain('framegate_http_requests_total{method="GET",route="/api/v2/model-center/tasks/:id",status="200"} 1\n')
    expect(text).not.toContain(
      'framegate_http_request_duration_seconds_count{method="GET",route="/api/v2/model-center/tasks/:id"}',
    )
  })

  it('metrics count credits charged by model, and costs by model and route', async () => {
    const metricsOfWork = createMetrics()
    const endedTask = { model: 'vidDq3-turbo', status: 'completed', chargedMicroCredits: 40_000 }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no other field of a task is
    // counted
    metricsOfWork.taskEnded({ ...endedTask, startedAtMs: null, endedAtMs: null } as unknown as TaskRecord)
    metricsOfWork.attemptPaid({ model: 'vidDq3-turbo', route: 'fast', microCredits: 150_000 })
    metricsOfWork.attemptPaid({ model: 'vidDq3-turbo', route: 'fast', microCredits: null })
    const text = await metricsOfWork.registry.metrics()
    expect(text).toContain('framegate_credits_charged_total{model="vidDq3-turbo"} 0.04\n')
    expect(text).toContain('framegate_upstream_cost_credits_total{model="vidDq3-turbo",route="fast"} 0.15\n')
    expect(text).toContain('framegate_upstream_cost_unknown_total{model="vidDq3-turbo",route="fast"} 1\n')
  })

  it('metrics sum amounts of credits without rounding errors', async () => {
    const metricsOfWork = createMetrics()
    for (const microCredits of [580_000, 580_000, 580_000]) {
      const endedTask = { model: 'imgA-5.0', status: 'completed', chargedMicroCredits: microCredits }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no other field of a task is
      // counted
      metricsOfWork.taskEnded({ ...endedTask, startedAtMs: null, endedAtMs: null } as unknown as TaskRecord)
      metricsOfWork.attemptPaid({ model: 'imgA-5.0', route: 'fast', microCredits })
    }
    const text = await metricsOfWork.registry.metrics()
    expect(text).toContain('framegate_credits_charged_total{model="imgA-5.0"} 1.74\n')
    expect(text).toContain('framegate_upstream_cost_credits_total{model="imgA-5.0",route="fast"} 1.74\n')
  })

  it('metrics count a cancelled task', async () => {
    const task = await service.request('POST', '/v2/model-center/tasks', { body: video })
    await service.request('POST', `/v2/model-center/tasks/${task.json.id}/cancel`)
    expect(await readMetrics()).toContain(
      'framegate_tasks_ended_total{model="vidDq3-turbo",status="failed",error="cancelled"} 1\n',
    )
  })
})
