import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  DriverRefusal,
  NotAccepted,
  type DriverOutput,
  type GenerationRequest,
  type Operation,
  type PollOutcome,
} from '../../src/drivers/driver.ts'
import type { ConnectedTarget } from '../../src/drivers/upstream/upstream-driver.ts'
import { ProbeError } from '../../src/drivers/upstream/probe-error.ts'
import { describeRaces } from './driver-races.suite.ts'
import { describeRestarts } from './driver-restarts.suite.ts'
import {
  connectDriver,
  requestOf,
  type RequestSpec,
  type ConnectedDriver,
  type DriverSpec,
  type SubmitMeaning,
} from './driver-spec.ts'
import { Simulator } from './simulator.ts'
import { startContext } from '../start-context.ts'

/** Defines the tests of the driver contract for one driver, with the responses of its upstream. */
export function describeDriver(spec: DriverSpec): void {
  describe(`driver: ${spec.driver.name}`, () => {
    const [firstSpec] = spec.requests
    if (firstSpec === undefined) throw new Error('the specification of a driver has no requests')
    const { signal } = new AbortController()
    let simulator: Simulator
    const openedDrivers: ConnectedDriver[] = []

    beforeEach(async () => {
      simulator = await Simulator.open(spec.protocol)
    })
    afterEach(async () => {
      for (const connected of openedDrivers.splice(0)) await connected[Symbol.asyncDispose]()
      await simulator[Symbol.asyncDispose]()
    })

    function connect(target: Partial<ConnectedTarget> = {}): ConnectedDriver {
      const baseUrl = simulator.origin + (spec.basePath ?? '')
      const connected = connectDriver(spec.driver, { baseUrl, credential: spec.credential, ...spec.target, ...target })
      openedDrivers.push(connected)
      return connected
    }

    async function start(target?: Partial<ConnectedTarget>) {
      const { driver } = connect({ ...firstSpec?.target, ...target })
      const request = requestFor(firstSpec as RequestSpec)
      return { driver, request, operation: await driver.start(request, startContext) }
    }

    async function pollUntilEnded(
      { driver }: ConnectedDriver,
      operation: Operation,
      request: GenerationRequest,
    ): Promise<PollOutcome> {
      for (let polls = 0; polls < 10; polls++) {
        // The operation must survive being stored and read again.
        const outcome = await driver.poll(JSON.parse(JSON.stringify(operation)) as Operation, request, signal)
        if (outcome.state === 'succeeded' || outcome.state === 'failed') return outcome
      }
      throw new Error('the job has not ended after ten polls')
    }

    async function bytesOf({ driver }: ConnectedDriver, output: DriverOutput): Promise<Buffer> {
      return buffer(await driver.fetchOutput(JSON.parse(JSON.stringify(output)) as DriverOutput, signal))
    }

    describe.each(spec.requests)('$title', (requestSpec) => {
      it('a task is accepted, polled and downloaded', async () => {
        const connected = connect(requestSpec.target)
        const request = requestFor(requestSpec)
        expect(spec.driver.refuse(request, connected.target)).toBeNull()
        const operation = await connected.driver.start(request, startContext)
        const outcome = await pollUntilEnded(connected, operation, request)
        expect(outcome).toMatchObject({ state: 'succeeded' })
        if (outcome.state === 'succeeded') expect(await bytesOf(connected, outcome.outputs[0])).toEqual(simulator.media)
        await connected.driver.discard?.(operation, request)
        const [submit] = simulator.of('submit')
        expect(simulator.of('submit')).toHaveLength(1)
        if (submit !== undefined) await requestSpec.expect(submit)
      })

      it('a parameter that only this model has is sent to the upstream under its own name, or is refused by name', async () => {
        const connected = connect(requestSpec.target)
        const request = requestFor({ ...requestSpec, parameters: { ...requestSpec.parameters, own_word: 'word 4711' } })
        const refusal = spec.driver.refuse(request, connected.target)
        if (refusal !== null) return expect(refusal.parameter).toBe('own_word')
        // A strict upstream refuses the request, or a driver that knows the upstream's schema does
        // so before it sends the request.
        const error: unknown = await connected.driver.start(request, startContext).catch((thrown: unknown) => thrown)
        const [submit] = simulator.of('submit')
        if (submit === undefined) return expect(String(error)).toContain('own_word')
        expect(String(submit.body)).toMatch(/own_word[^]*word 4711/)
      })

      it('start awaits beforeSubmit exactly once, right before it sends the submit', async () => {
        const connected = connect(requestSpec.target)
        const requestCountsBefore: number[] = []
        const beforeSubmit = async (): Promise<void> => {
          // A request that the driver has not awaited would arrive during this pause.
          await sleep(50)
          requestCountsBefore.push(simulator.requests.length)
        }
        await connected.driver.start(requestFor(requestSpec), { signal, beforeSubmit })
        expect(requestCountsBefore).toHaveLength(1)
        const requestsBefore = simulator.requests.slice(0, requestCountsBefore[0])
        const requestsAfter = simulator.requests.slice(requestCountsBefore[0])
        expect(requestsBefore.map(({ stage }) => stage)).not.toContain('submit')
        expect(requestsAfter.map(({ stage }) => stage)).toEqual(['submit'])
      })

      it('start sends no submit when beforeSubmit rejects, and rejects with the same error', async () => {
        const connected = connect(requestSpec.target)
        const cancelled = new Error('the task was cancelled')
        const beforeSubmit = () => Promise.reject(cancelled)
        await expect(connected.driver.start(requestFor(requestSpec), { signal, beforeSubmit })).rejects.toBe(cancelled)
        expect(simulator.of('submit')).toEqual([])
        expect(simulator.jobs).toEqual([])
      })
    })

    it.each(spec.refusedRequests)(
      'a request is refused with the name of the parameter: $title',
      ({ parameters, object = 'video', target, parameter }) => {
        const connected = connect(target)
        expect(spec.driver.refuse(requestOf(parameters, { object }), connected.target)).toMatchObject({ parameter })
      },
    )

    it.each(spec.submitErrors)('a submit response is classified: $title', async ({ response, means }) => {
      simulator.next('submit', response)
      const error: unknown = await start().then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(meaningOf(error)).toEqual(means)
      expect(simulator.of('submit')).toHaveLength(1)
      expect(String(error)).not.toContain(spec.credential)
    })

    it.each(spec.pollResponses)('a poll response is classified: $title', async ({ response, means }) => {
      const { driver, operation, request } = await start()
      for (const reply of [response].flat()) simulator.next('poll', reply)
      const outcome = driver.poll(operation, request, signal)
      if (means === 'again') await expect(outcome).rejects.toThrow()
      else expect(await outcome).toMatchObject(means)
    })

    it('a poll with an undocumented status reports the job as queued or running', async () => {
      const { driver, operation, request } = await start()
      simulator.next('poll', spec.unknownStatus)
      expect(['queued', 'running']).toContain((await driver.poll(operation, request, signal)).state)
    })

    it.each([
      ['an HTML page', '<html>', /with a body that cannot be parsed as JSON/],
      ['an empty body', '', /with an empty body/],
    ])('a poll with HTTP 200 and %s fails with an error that describes the body', async (_title, body, expected) => {
      const { driver, operation, request } = await start()
      simulator.next('poll', { status: 200, bytes: Buffer.from(body) })
      await expect(driver.poll(operation, request, signal)).rejects.toThrow(expected)
    })

    it.each([500, 502, 503, 504, 429])('a poll with HTTP %i never ends a task', async (status) => {
      const { driver, operation, request } = await start()
      simulator.next('poll', { status, json: { error: { message: 'out of order' } } })
      await expect(driver.poll(operation, request, signal)).rejects.toThrow()
      simulator.next('poll', { status, bytes: Buffer.from('<html>out of order</html>') })
      await expect(driver.poll(operation, request, signal)).rejects.toThrow()
    })

    it.each([429, 503])('a poll or probe with HTTP %i and Retry-After reports when to retry', async (status) => {
      const { driver, operation, request } = await start()
      const { target, tools } = connect(firstSpec.target)
      const throttled = { name: 'UpstreamThrottled', retryAfterMs: 7_000 }
      const laterReply = { status, headers: { 'retry-after': '7' }, json: {} }
      simulator.next('poll', laterReply)
      await expect(driver.poll(operation, request, signal)).rejects.toMatchObject(throttled)
      const requestCount = simulator.requests.length
      for (const stage of ['probe', 'find', 'poll'] as const) simulator.next(stage, laterReply)
      const error: unknown = await spec.driver.probe?.(target, tools, signal).catch((thrown: unknown) => thrown)
      if (simulator.requests.length > requestCount) expect(error).toMatchObject(throttled)
    })

    it('a submit with HTTP 503 and Retry-After reports when to retry', async () => {
      simulator.next('submit', { status: 503, headers: { 'retry-after': '7' }, json: {} })
      await expect(start()).rejects.toMatchObject({ retryAfterMs: 7_000 })
      expect(simulator.of('submit')).toHaveLength(1)
    })

    it.each(['reset_before', 'truncated'] as const)(
      'a poll whose response is interrupted (%s) never ends a task',
      async (fault) => {
        const { driver, operation, request } = await start()
        simulator.next('poll', fault)
        await expect(driver.poll(operation, request, signal)).rejects.toThrow()
      },
    )

    it('a poll ends immediately when it is aborted', async () => {
      const { driver, operation, request } = await start()
      const stop = new AbortController()
      simulator.next('poll', 'silence_before')
      const polled = driver.poll(operation, request, stop.signal).catch((error: unknown) => error)
      await vi.waitUntil(() => simulator.of('poll').length > 0, { interval: 5, timeout: 10_000 })
      stop.abort(new Error('work on the task stops'))
      expect(await polled).toBe(stop.signal.reason)
      await vi.waitUntil(() => simulator.abandoned.includes('poll'), { interval: 5, timeout: 10_000 })
    })

    it('a submit to a closed port is reported as not accepted', async () => {
      const { driver } = connect({ ...firstSpec.target, baseUrl: 'http://127.0.0.1:9' + (spec.basePath ?? '') })
      expect(meaningOf(await driver.start(requestFor(firstSpec), startContext).catch((error: unknown) => error))).toBe(
        'upstream unavailable',
      )
    })

    it.each([
      ['before the upstream has created the job', 'reset_before', 0],
      ['after the upstream has created the job', 'reset_after', 1],
    ] as const)('a submit that is interrupted %s has an unknown outcome', async (_when, fault, jobs) => {
      const { driver } = connect(firstSpec.target)
      const request = requestFor(firstSpec)
      simulator.next('submit', fault)
      expect(meaningOf(await driver.start(request, startContext).catch((error: unknown) => error))).toBe('unknown')
      expect(simulator.of('submit')).toHaveLength(1)
      expect(simulator.jobs).toHaveLength(jobs)
      expect(driver.find !== undefined).toBe(spec.findsLostJobs !== false)
      if (driver.find === undefined) return
      const foundOperation = await driver.find(request, signal)
      const resubmits = spec.findsLostJobs === 'by sending again'
      if (jobs === 0 && !resubmits) expect(foundOperation).toBeNull()
      else
        expect(await pollUntilEnded({ driver } as ConnectedDriver, foundOperation as Operation, request)).toMatchObject({
          state: 'succeeded',
        })
      expect(simulator.of('submit')).toHaveLength(resubmits ? 2 : 1)
      expect(simulator.jobs).toHaveLength(resubmits ? 1 : jobs)
    })

    it.skipIf(spec.resultsComeInPolls === true)(
      'a truncated file and an error response are not accepted as a result',
      async () => {
        const connected = connect(firstSpec.target)
        const request = requestFor(firstSpec)
        const outcome = await pollUntilEnded(connected, await connected.driver.start(request, startContext), request)
        if (outcome.state !== 'succeeded') throw new Error('the job did not succeed')
        simulator.next('result', 'truncated')
        await expect(bytesOf(connected, outcome.outputs[0])).rejects.toThrow()
        simulator.next('result', { status: 403, json: { error: 'expired' } })
        await expect(bytesOf(connected, outcome.outputs[0])).rejects.toThrow()
        expect(await bytesOf(connected, outcome.outputs[0])).toEqual(simulator.media)
      },
    )

    it('no operation and no outcome contains the credential', async () => {
      const connected = connect(firstSpec.target)
      const request = requestFor(firstSpec)
      const operation = await connected.driver.start(request, startContext)
      const outcome = await pollUntilEnded(connected, operation, request)
      expect(JSON.stringify([operation, outcome])).not.toContain(spec.credential)
    })

    it.skipIf(spec.driver.probe === undefined)(
      'a probe that the upstream refuses with 405 is not reported as an error of the upstream',
      async () => {
        const { target, tools } = connect(firstSpec.target)
        for (const stage of ['probe', 'find', 'poll'] as const) simulator.next(stage, { status: 405, json: {} })
        const error: unknown = await spec.driver.probe?.(target, tools, signal).catch((thrown: unknown) => thrown)
        expect(simulator.requests).toHaveLength(1)
        expect(error === undefined || error instanceof ProbeError).toBe(true)
      },
    )

    if (spec.cancels) {
      it('a cancellation may be repeated', async () => {
        const { driver, operation, request } = await start()
        await driver.cancel?.(operation, request)
        await driver.cancel?.(operation, request)
        expect(simulator.of('cancel').length).toBeGreaterThan(0)
      })

      it('a cancellation causes no error if the upstream rejects it or closes the connection', async () => {
        const { driver, operation, request } = await start()
        simulator.next('cancel', { status: 500 })
        await driver.cancel?.(operation, request)
        simulator.next('cancel', 'reset_before')
        await driver.cancel?.(operation, request)
      })
    } else {
      it('a driver without cancellation has no cancel method', () => {
        expect('cancel' in connect(firstSpec.target).driver).toBe(false)
      })
    }

    describeRestarts(spec, firstSpec)
    describeRaces(spec, firstSpec)
  })
}

function requestFor(requestSpec: RequestSpec): GenerationRequest {
  return requestOf(requestSpec.parameters, requestSpec.request)
}

function meaningOf(error: unknown): SubmitMeaning | undefined {
  if (error === undefined) return undefined
  if (error instanceof DriverRefusal) return error.code
  if (!(error instanceof NotAccepted)) return 'unknown'
  if (error.reason === 'unavailable') return `${error.scope} unavailable`
  if (error.reason === 'unsuitable') return 'unsuitable'
  return error.retryAfterMs === null ? 'throttled' : { throttledForMs: error.retryAfterMs }
}
