import { failureCodes, isTerminal, taskStatuses } from '@framegate/contract'
import { TaskSchema } from '@framegate/contract/schemas'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StoredResult, TaskRecord } from '../db/task-queries.ts'
import { createTaskIds } from '../identity/task-id.ts'
import { createUrlSigner } from '../media/sign-url.ts'
import { writeParameters } from './parameters-text.ts'
import { createTaskViews } from './task-view.ts'
import { schemaViolations } from '../../test/schema-violations.ts'

const startMs = Date.UTC(2026, 0, 1)
const ttlSeconds = 3600
let nowMs = startMs
const nextId = createTaskIds(() => startMs)
const views = createTaskViews({
  signer: createUrlSigner({ key: Buffer.alloc(32), publicUrl: () => 'https://media.example.com', basePath: '/api', ttlSeconds }),
  resultUrlTtlSeconds: ttlSeconds,
  hasThumbnail: ({ thumbnail }) => thumbnail !== null,
  clock: () => nowMs,
})

const optionalInteger = (max: number) => fc.option(fc.integer({ min: 0, max }))
const anyText = fc.string({ unit: 'binary' })

const anyResult: fc.Arbitrary<StoredResult> = fc.record(
  {
    objectKey: fc.constant('task_0123.mp4'),
    contentType: fc.constant('video/mp4'),
    sizeBytes: fc.nat(),
    sha256: fc.constant('a'.repeat(64)),
    width: fc.nat(),
    height: fc.nat(),
    durationMs: optionalInteger(10_000_000),
    seed: optionalInteger(2 ** 32),
    expiresAtMs: fc.constant(0),
    removed: fc.constant(false),
    thumbnail: fc.constant(null),
  },
  {
    requiredKeys: [
      'objectKey',
      'contentType',
      'sizeBytes',
      'sha256',
      'width',
      'height',
      'durationMs',
      'seed',
      'expiresAtMs',
      'removed',
    ],
  },
)

const anyTask: fc.Arbitrary<TaskRecord> = fc
  .record({
    model: anyText,
    object: fc.constantFrom('image', 'video'),
    prompt: anyText,
    seconds: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    seed: fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { nil: undefined }),
    status: fc.constantFrom(...taskStatuses),
    progress: fc.integer({ min: 0, max: 99 }),
    price: fc.nat(2 ** 31 - 1),
    version: fc.integer({ min: 1, max: 1000 }),
    errorCode: fc.constantFrom(...failureCodes),
    errorMessage: anyText,
    expiresAtMs: fc.integer({ min: startMs - 1000, max: startMs + 10_000_000_000 }),
    removed: fc.boolean(),
    results: fc.array(anyResult, { minLength: 1, maxLength: 3 }),
  })
  .map(({ prompt, seconds, seed, price, ...others }) =>
    Object.assign(others, {
      id: nextId(),
      accountNo: 1,
      parameters: writeParameters({ prompt, ...(seconds !== undefined && { seconds }), ...(seed !== undefined && { seed }) })
        .parameters,
      progress: others.status === 'completed' ? 100 : others.progress,
      priceMicroCredits: price,
      priceNo: null,
      modelVersionNo: null,
      chargedMicroCredits: others.status === 'completed' ? Math.floor(price / 3) : others.status === 'failed' ? 0 : null,
      startedAtMs: others.status === 'queued' ? null : startMs + 1500,
      endedAtMs: isTerminal(others.status) ? startMs + 9999 : null,
      errorCode: others.status === 'failed' ? others.errorCode : null,
      errorMessage: others.status === 'failed' ? others.errorMessage : null,
      results:
        others.status === 'completed'
          ? others.results.map((result) => ({ ...result, expiresAtMs: others.expiresAtMs, removed: others.removed }))
          : [],
    }),
  )

function expectedResult(
  { contentType, width, height, durationMs, sizeBytes, seed, thumbnail }: StoredResult,
  { url, thumbnail_url }: { url: string; thumbnail_url?: string },
): object {
  const seconds = durationMs === null ? null : durationMs / 1000
  const urls = thumbnail === null ? {} : { thumbnail_url }
  return { url, ...urls, type: contentType, width, height, seconds, bytes: sizeBytes, ...(seed !== null && { seed }) }
}

it('the view of a task is valid Task JSON for any texts', () => {
  fc.assert(
    fc.property(anyTask, (task) => {
      nowMs = startMs
      const { text, isEnded } = views.view(task, null)
      const view = JSON.parse(text)
      expect(schemaViolations(TaskSchema, view)).toEqual([])
      expect(isEnded).toBe(isTerminal(task.status))
      const [result] = task.results
      const hasUrl = result !== undefined && !result.removed && result.expiresAtMs > nowMs
      const durations = task.results.flatMap(({ durationMs }) => durationMs ?? [])
      const parameters = JSON.parse(task.parameters)
      const url = view.result_url
      const seed = parameters.seed ?? result?.seed ?? undefined
      const expected = {
        id: task.id,
        object: task.object,
        created: startMs / 1000,
        model: task.model,
        status: task.status,
        progress: task.progress,
        amount: (task.chargedMicroCredits ?? task.priceMicroCredits) / 1_000_000,
        actualDuration: durations.length === 0 ? null : durations.reduce((sum, ms) => sum + ms, 0) / 1000,
        error: task.errorMessage,
        ...(task.errorCode !== null && { error_code: task.errorCode }),
        ...(seed !== undefined && { seed }),
        ...(task.startedAtMs !== null && { started: startMs / 1000 + 1 }),
        ...(task.endedAtMs !== null && { completed: startMs / 1000 + 9 }),
        ...(hasUrl && { result_url: url, [`${task.object}_url`]: url, expires_at: view.expires_at }),
        ...(hasUrl && result.thumbnail !== null && { thumbnail_url: view.thumbnail_url }),
        ...(hasUrl && { results: task.results.map((result, index) => expectedResult(result, view.results[index])) }),
        ...(result !== undefined && !hasUrl && { result_expired: true }),
      }
      expect(view).toEqual({ ...expected, parameters })
      expect(JSON.parse(views.submitResponse(task, null))).toEqual(expected)
      const listed = JSON.parse(views.listed(task, null))
      expect(listed).toEqual({ ...expected, prompt: listed.prompt })
      expect(schemaViolations(TaskSchema, listed)).toEqual([])
      expect(listed.prompt.replace('…', '')).toBe(Array.from<string>(parameters.prompt).slice(0, 100).join('').replace('…', ''))
      if (hasUrl) {
        expect(url).toMatch(/^https:\/\/media\.example\.com\/api\/media\/task_0123\.mp4\?expires=/)
        expect(view.results[0].url).toBe(url)
        expect(view.results[0].thumbnail_url).toBe(view.thumbnail_url)
        expect(view.thumbnail_url ?? '-thumbnail.webp?').toContain('-thumbnail.webp?')
        expect(view.expires_at).toBeLessThanOrEqual(result.expiresAtMs / 1000)
      }
      const withSeconds = parameters.seconds === undefined ? expected : { ...expected, seconds: parameters.seconds }
      expect(JSON.parse(views.viewWithSeconds(task, null).text)).toEqual({ ...withSeconds, parameters })
      expect(JSON.parse(views.submitResponseWithSeconds(task, null))).toEqual(withSeconds)
    }),
  )
})

it('a task view keeps text and ETag until its signed link is renewed, and the link has its full TTL', () => {
  const [task] = fc.sample(
    anyTask.filter(
      ({ results: [result] }) => result !== undefined && !result.removed && result.expiresAtMs > startMs + 1_000_000,
    ),
    1,
  )
  if (task === undefined) throw new Error('no sample')
  const texts = new Map<string, string>()
  for (nowMs = startMs; nowMs < startMs + 300_000; nowMs += 700) {
    const { text, etag } = views.view(task, null)
    expect(texts.get(etag) ?? text).toBe(text)
    texts.set(etag, text)
    expect(JSON.parse(text).expires_at * 1000).toBeGreaterThanOrEqual(nowMs + ttlSeconds * 1000 - 1000)
  }
  expect(texts.size).toBe(6)
})
