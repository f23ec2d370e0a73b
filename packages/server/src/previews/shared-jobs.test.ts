import { expect, it } from 'vitest'
import { SharedJobs } from './shared-jobs.ts'

function createJob() {
  const { promise, resolve } = Promise.withResolvers<string>()
  const startSignals: AbortSignal[] = []
  const work = (signal: AbortSignal): Promise<string> => {
    startSignals.push(signal)
    return Promise.race([
      promise,
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    ])
  }
  return { work, startSignals, resolve }
}

it('clients with the same request share one job, which continues while one of them waits', async () => {
  const jobs = new SharedJobs<string>()
  const { work, startSignals, resolve } = createJob()
  const controller = new AbortController()
  const first = jobs.join('a', controller.signal, work)
  const second = jobs.join('a', new AbortController().signal, work)
  controller.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect([startSignals.length, startSignals[0]?.aborted, jobs.size]).toEqual([1, false, 1])
  resolve('made')
  expect(await second).toBe('made')
  expect(jobs.size).toBe(0)
})

it('a job is stopped when its last client leaves, and the next client starts another job', async () => {
  const jobs = new SharedJobs<string>()
  const { work, startSignals, resolve } = createJob()
  const controller = new AbortController()
  const first = jobs.join('a', controller.signal, work)
  controller.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(startSignals[0]?.aborted).toBe(true)
  const second = jobs.join('a', new AbortController().signal, work)
  resolve('made')
  expect([await second, startSignals.length]).toEqual(['made', 2])
})

it('a job that was started without clients continues after a client has joined and left, and stops when the service closes', async () => {
  const jobs = new SharedJobs<string>()
  const { work, startSignals } = createJob()
  const running = jobs.run('a', work)
  const controller = new AbortController()
  const joined = jobs.join('a', controller.signal, work)
  controller.abort(new Error('gone'))
  await expect(joined).rejects.toThrow('gone')
  expect([startSignals.length, startSignals[0]?.aborted]).toEqual([1, false])
  await Promise.all([jobs.close(), expect(running).rejects.toThrow('the service is shutting down')])
})
