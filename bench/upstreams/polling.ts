// Measures the delay until the service notices the end of upstream jobs while most other jobs never
// end, and the cost of polling all jobs.
//   npm run bench:upstreams -- [--tasks 10000] [--json]
import { parseArgs } from 'node:util'
import { BenchProcess } from '../http/bench-process.ts'
import type { Figures } from '../http/process-figures.ts'
import { median, percentile } from '../http/statistics.ts'

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '10000' }, json: { type: 'boolean', default: false } },
})
const tasks = Number(values.tasks)
/** Number of jobs in flight that never end: nine of ten. */
const stuckCount = Math.floor(tasks * 0.9)
const endingCount = tasks - stuckCount
const shortestMs = 20_000
const longestMs = 40_000
const learningTasks = 20
/**
 * Labels of the two waves of jobs that end. The stuck jobs, nine for each job of a wave, start
 * together with the first wave, and are still in flight during the second wave.
 */
const waveLabels = ['9 stuck jobs per job, started together', '9 stuck jobs per job, started in the wave before']

interface Row {
  what: string
  /** Time from the first to the last start of a job of the wave at the upstream. */
  startedWithinMs: number
  noticedP50Ms: number
  noticedP99Ms: number
  /** Median time between the poll that found the end of a job and the previous poll. */
  intervalMs: number
  /** p99 of the delays in units of the poll interval of each job. */
  noticedP99Intervals: number
  pollsPerSecond: number
  /** CPU time of the service divided by the duration of the wave. */
  cores: number
  loopDelayP99Ms: number
  memoryMbOverIdle: number
}

await using upstream = await BenchProcess.start('../upstreams/measured-upstream.ts')
await using service = await BenchProcess.start('../upstreams/measured-service.ts', {
  upstreamUrl: `http://127.0.0.1:${upstream.port}/v1`,
})
let promptCount = 0

function promptsFor(count: number, durationOf: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => `${promptCount++} ${durationOf(index)}`)
}

function endingPrompts(count: number): string[] {
  return promptsFor(count, (index) => String(Math.round(shortestMs + ((longestMs - shortestMs) * index) / count)))
}

/** Figures of a wave after the service has noticed the end of all its jobs. */
interface NoticedWave {
  startedWithinMs: number
  /** Delay between the end of each job and its detection. */
  delaysMs: number[]
  /** The same delays as fractions of the poll interval in which each job ended. */
  intervals: number[]
  intervalMs: number
}

/**
 * Waits until the service has noticed the end of these jobs. The first `jobsBefore` jobs of the
 * upstream belong to earlier waves.
 */
async function waitUntilNoticed(ending: readonly string[], jobsBefore: number): Promise<NoticedWave> {
  for (;;) {
    const noticed = await service.call<Record<string, number>>('noticed')
    if (ending.every((prompt) => prompt in noticed)) {
      const jobs = await upstream.call<{ prompt: string; startedAtMs: number; endsAtMs: number; gapMs: number }[]>('jobs')
      const endedJobs = jobs.filter(({ prompt }) => ending.includes(prompt))
      const startedAtMs = jobs.slice(jobsBefore).map((job) => job.startedAtMs)
      return {
        startedWithinMs: Math.max(...startedAtMs) - Math.min(...startedAtMs),
        delaysMs: endedJobs.map(({ prompt, endsAtMs }) => (noticed[prompt] ?? 0) - endsAtMs),
        intervals: endedJobs.map(({ prompt, endsAtMs, gapMs }) => ((noticed[prompt] ?? 0) - endsAtMs) / gapMs),
        intervalMs: median(endedJobs.map(({ gapMs }) => gapMs)),
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

const idleMb = await service.call<number>('memoryMb')
printProgress(`${learningTasks} jobs, from which the service learns their usual duration`)
const learning = endingPrompts(learningTasks)
await service.call('submit', learning)
await waitUntilNoticed(learning, 0)

const rows: Row[] = []
const stuckPrompts = promptsFor(stuckCount, () => 'stuck')
for (const [wave, label] of waveLabels.entries()) {
  printProgress(`${tasks} in flight, ${label}`)
  const ending = endingPrompts(endingCount)
  const jobsBefore = learningTasks + (wave === 0 ? 0 : tasks)
  const pollsBefore = await upstream.call<number>('polls')
  const startedAt = performance.now()
  const { figures, result } = await service.measure(async () => {
    await service.call('submit', wave === 0 ? [...ending, ...stuckPrompts] : ending)
    return waitUntilNoticed(ending, jobsBefore)
  })
  rows.push(await completeRow(label, result, figures, (performance.now() - startedAt) / 1000, pollsBefore))
}
if (values.json) console.log(JSON.stringify(rows))
else console.table(rows)

async function completeRow(
  label: string,
  { startedWithinMs, delaysMs, intervals, intervalMs }: NoticedWave,
  figures: Figures,
  seconds: number,
  pollsBefore: number,
): Promise<Row> {
  return {
    what: label,
    startedWithinMs,
    noticedP50Ms: percentile(delaysMs, 50),
    noticedP99Ms: percentile(delaysMs, 99),
    intervalMs,
    noticedP99Intervals: roundFigure(percentile(intervals, 99)),
    pollsPerSecond: Math.round(((await upstream.call<number>('polls')) - pollsBefore) / seconds),
    cores: roundFigure((figures.mainCpuMs + figures.otherCpuMs) / 1000 / seconds),
    loopDelayP99Ms: roundFigure(figures.loopDelayP99Ms),
    memoryMbOverIdle: Math.round((await service.call<number>('memoryMb')) - idleMb),
  }
}

function roundFigure(figure: number): number {
  return Math.round(figure * 100) / 100
}

function printProgress(message: string): void {
  if (!values.json) console.error(message)
}
