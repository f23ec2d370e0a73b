import { describe, expect, it } from 'vitest'
import { whyNoChaos } from './chaos/installation.ts'
import { judgeJobs, type StoredAttempt } from './chaos/judge-jobs.ts'
import { Random } from './chaos/random.ts'
import { runChaos } from './chaos/run-chaos.ts'
import { UpstreamJobs } from './chaos/upstream-jobs.ts'
import { keyedProtocol, keylessProtocol } from './chaos/upstream-protocols.ts'

if (whyNoChaos !== null && process.env['CI'] === 'true') throw new Error(`CI has to try chaos: ${whyNoChaos}`)

describe.skipIf(whyNoChaos !== null)(whyNoChaos === null ? 'chaos' : `chaos (skipped: ${whyNoChaos})`, () => {
  it('loses nothing, repeats nothing and miscounts nothing over a dozen faults', { timeout: 240_000 }, async () => {
    const told: string[] = []
    const report = await runChaos({
      faults: 12,
      tasks: 300,
      seed: 1,
      secondsMax: 60,
      everyMs: 1_200,
      openMax: 4,
      calmSecondsMax: 120,
      isShort: true,
      signal: new AbortController().signal,
      tell: (words) => told.push(words),
    })
    const broken = report.columns.filter(({ count }) => count > 0)
    expect(broken, told.join('\n')).toEqual([])
    expect(report.faultCount).toBeGreaterThan(0)
    expect(report.figures.completed).toBeGreaterThan(0)
    expect(report.figures.completed).toBeLessThanOrEqual(report.figures.files)
  })
})

const attempt: StoredAttempt = {
  taskId: 'task_1',
  key: 'a',
  number: '1',
  state: 'succeeded',
  route: 'framegate',
  operation_id: null,
  unresolved: null,
  closing: null,
}
const open = (protocol = keyedProtocol) => {
  const jobs = new UpstreamJobs(protocol.jobPrefix, Buffer.from('film'), new Random(1))
  return { jobs, upstreams: [{ protocol, jobs }] }
}
const found = (judged: Record<string, string[]>) =>
  Object.entries(judged).flatMap(([column, names]) => (names.length > 0 ? [column] : []))

describe('what the reckoning with upstreams notices', () => {
  it('nothing, where each job is that of its attempt', () => {
    const { jobs, upstreams } = open()
    const { id } = jobs.take('a', 'task_1_1')
    expect(found(judgeJobs([{ ...attempt, operation_id: id }], upstreams))).toEqual([])
  })

  it('a job whose operation was never stored, unless its attempt is on the list', () => {
    const { jobs, upstreams } = open()
    jobs.take('a', 'task_1_1')
    const unstored = { ...attempt, state: 'failed' }
    const unknown = ['jobs that no attempt and no list knows of']
    expect(found(judgeJobs([unstored], upstreams))).toEqual(unknown)
    expect(found(judgeJobs([{ ...unstored, unresolved: 'lost_reply', closing: 'never_started' }], upstreams))).toEqual(unknown)
    expect(found(judgeJobs([{ ...unstored, unresolved: 'lost_reply' }], upstreams))).toEqual([])
  })

  it('a second job of one attempt, where the upstream has no keys', () => {
    const { jobs, upstreams } = open(keylessProtocol)
    const { id } = jobs.take('a', null)
    jobs.take('a', null)
    expect(found(judgeJobs([{ ...attempt, route: 'openai', operation_id: id }], upstreams))).toEqual([
      'jobs that no attempt and no list knows of',
    ])
  })

  it('one job of two attempts, and an operation that is no job', () => {
    const { jobs, upstreams } = open()
    const { id } = jobs.take('a', 'task_1_1')
    const twice = [
      { ...attempt, operation_id: id },
      { ...attempt, number: '2', operation_id: id },
    ]
    expect(found(judgeJobs(twice, upstreams))).toEqual(['attempts with two jobs, jobs with two attempts'])
    expect(found(judgeJobs([{ ...attempt, operation_id: 'made up' }], open().upstreams))).toEqual(['operations without a job'])
  })

  it('a job that was made and billed, and that nobody was told of', () => {
    const { jobs, upstreams } = open()
    const job = jobs.take('a', 'task_1_1')
    Object.assign(job, { comesTo: 'succeeded', endsAtMs: 0 })
    const failed = { ...attempt, state: 'failed', operation_id: job.id }
    expect(found(judgeJobs([failed], upstreams))).toEqual(['jobs made, not charged for, and not on the list'])
    expect(found(judgeJobs([{ ...failed, unresolved: 'late' }], upstreams))).toEqual([])
  })
})
