import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer, type StartedServer } from './started-server.ts'
import { packetVideo } from './packet-video.ts'
import { openaiKey, openaiProtocol } from './upstreams/openai.protocol.ts'
import { Simulator } from './upstreams/simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './upstreams/service-with-upstreams.ts'

const model = 'vidK O3 Video Generation'

interface ExportedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  links?: { traceId: string }[]
  status: { code?: number; message?: string }
  startTimeUnixNano: string
  endTimeUnixNano: string
}

function attributesOf(span: ExportedSpan | undefined): Record<string, unknown> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
}

/** A simulated OpenTelemetry collector. It records the spans and headers that it receives. */
class Collector {
  readonly spans: ExportedSpan[] = []
  readonly headers: Record<string, unknown>[] = []
  readonly server: Server = createServer((request, response) => void this.#record(request, response))

  async #record(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { resourceSpans } = (await json(request)) as { resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[] }
    this.headers.push(request.headers)
    this.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  }
}

describe('telemetry of a service with upstreams', () => {
  const collector = new Collector()
  let upstream: Simulator
  let service: ServiceWithUpstreams

  beforeAll(async () => {
    collector.server.listen(0, '127.0.0.1')
    await once(collector.server, 'listening')
    upstream = await Simulator.open(openaiProtocol)
    upstream.moves = ['succeeded']
    upstream.media = await packetVideo()
    service = await startServiceWithUpstreams(
      {
        upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
        routes: [{ name: 'main', model, upstream: 'main', upstream_model: 'sora-2' }],
      },
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.server.address() as AddressInfo).port}`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=let%20me%20in',
        OTEL_BSP_SCHEDULE_DELAY: '200',
        LOG_LEVEL: 'debug',
      },
    )
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
    collector.server.close()
  })

  const readMetrics = async (): Promise<string> => (await fetch(`${new URL(service.server.baseUrl).origin}/metrics`)).text()

  it('a task is one trace with the id of the task', async () => {
    const caller = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    const body = { model, prompt: 'a kite over dunes', seconds: 5 }
    const response = await service.server.request('POST', '/v2/model-center/tasks', body, caller)
    const { id } = (await response.json()) as { id: string }
    await service.until(id, 'completed')
    const traceId = id.slice('task_'.length)
    const ownSpans = (): ExportedSpan[] => collector.spans.filter((span) => span.traceId === traceId)
    await vi.waitUntil(() => ownSpans().some(({ name }) => name === 'task'), { timeout: 10_000 })

    const taskSpan = ownSpans().find(({ name }) => name === 'task')
    expect(taskSpan).toMatchObject({ status: { code: 0 } })
    expect(taskSpan?.parentSpanId).toBeUndefined()
    expect(new Set(ownSpans().map(({ name }) => name))).toEqual(
      new Set(['task', 'start', 'POST', 'generate', 'GET', 'collect', 'finish']),
    )
    for (const span of ownSpans()) if (span !== taskSpan) expect(span.parentSpanId).toBe(taskSpan?.spanId)
    const postSpan = ownSpans().find(({ name }) => name === 'POST')
    expect(attributesOf(postSpan)).toMatchObject({
      'url.full': `${upstream.origin}/v1/videos`,
      'http.response.status_code': 200,
      'framegate.attempt': `${id}_1`,
      'framegate.route': 'main',
    })
    const submitSpan = collector.spans.find(({ name }) => name === 'submit')
    expect(submitSpan).toMatchObject({
      traceId: caller.traceparent.split('-')[1],
      parentSpanId: caller.traceparent.split('-')[2],
    })
    expect(submitSpan?.links?.map((link) => link.traceId)).toEqual([traceId])
    expect(collector.headers[0]).toMatchObject({ 'x-collector-key': 'let me in' })
    expect(JSON.stringify(collector.spans)).not.toContain(openaiKey)
  })

  it('log lines name task, attempt and route, and the request id of the submit', async () => {
    upstream.next('poll', { status: 500, json: {} })
    const response = await service.server.request('POST', '/v2/model-center/tasks', { model, prompt: 'another', seconds: 5 })
    const { id } = (await response.json()) as { id: string }
    await service.until(id, 'completed')
    const lines = service.server
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toContainEqual(
      expect.objectContaining({ task: id, attempt: `${id}_1`, route: 'main', msg: 'a poll failed and will be retried' }),
    )
    const requestId = response.headers.get('x-request-id')
    expect(lines).toContainEqual(expect.objectContaining({ requestId, task: id, msg: 'a task was accepted' }))
  })

  it('metrics count the outcomes of routes and the responses of their upstreams', async () => {
    upstream.next('submit', { status: 400, json: { error: { code: 'moderation_blocked', message: 'no' } } })
    await service.until(await service.submit({ model, prompt: 'refused', seconds: 5 }), 'failed')
    const text = await readMetrics()
    expect(text).toContain(`framegate_tasks_ended_total{model="${model}",status="failed",error="content_policy"} 1\n`)
    expect(text).toContain(`framegate_tasks_ended_total{model="${model}",status="completed",error=""} 2\n`)
    expect(text).toContain('framegate_upstream_requests_total{route="main",status="400"} 1\n')
    expect(text).toContain('framegate_upstream_requests_total{route="main",status="500"} 1\n')
    expect(text).toContain('framegate_step_faults_total{step="start",route="main"} 1\n')
    for (const step of ['start', 'generate', 'collect', 'finish']) {
      expect(text).toMatch(new RegExp(`framegate_step_duration_seconds_count\\{step="${step}",route="main"\\} [23]\\n`))
    }
    expect(text).toContain('framegate_route_circuit{route="main",state="closed"} 1\n')
    expect(text).toContain('framegate_task_wait_seconds_count{object="video"} 3\n')
    expect(text).toMatch(/framegate_credits_held 0\n/)
  })
})

describe('telemetry of a service without settings', () => {
  let dataDir: string
  let server: StartedServer
  beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-watched-'))
    server = await startServer(dataDir)
  })
  afterAll(async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('a process that has not checked the ledger exports no result and no time of a check', async () => {
    const { origin } = new URL(server.baseUrl)
    const text = await (await server.fetch(`${origin}/metrics`)).text()
    expect(text).toContain('framegate_clock_jumps 0\n')
    expect(text).not.toMatch(/^framegate_ledger_(?:differences|checked_timestamp_seconds) /m)
  })

  it('local metrics include every metric that the dashboard and the alerts query', async () => {
    const { origin } = new URL(server.baseUrl)
    const response = await server.request('POST', '/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a kite' })
    expect(response.status).toBe(202)
    const { id } = (await response.json()) as { id: string }
    await server.request('GET', `/v2/model-center/tasks/${id}?wait=30`)
    await server.request('GET', '/admin/v1/credits/verify')
    const text = await (await server.fetch(`${origin}/metrics`)).text()
    expect(text).toContain('framegate_tasks_ended_total{model="imgA-5.0",status="completed",error=""} 1\n')
    expect(text).toContain('framegate_ledger_differences 0\n')
    const exposedNames = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name))
    for (const file of ['grafana-dashboard.json', 'prometheus-alerts.yaml']) {
      const requested = readFileSync(new URL(`../../../deploy/monitoring/${file}`, import.meta.url), 'utf8')
      const names = [...requested.matchAll(/\b((?:framegate|nodejs|process)_\w+?)(?:_bucket|_count|_sum)?\b(?=[{[)\s"])/g)].map(
        ([, name = '']) => name,
      )
      expect(names.length).toBeGreaterThan(5)
      expect(names.filter((name) => !exposedNames.has(name))).toEqual([])
    }
  })
})
