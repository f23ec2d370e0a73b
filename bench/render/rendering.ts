// Measures the speed of the embedded driver for an HTTP client, and compares it with the speed at
// which ffmpeg encodes a test pattern in the same run.
//   npm run bench:render -- [--rounds 3] [--json]
import { parseArgs } from 'node:util'
import { median } from '../http/statistics.ts'
import { Service, type Cores } from './service-process.ts'
import { encodeTestPattern } from './test-pattern.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, json: { type: 'boolean', default: false } } })
const rounds = Number(values.rounds)
const prompts = ['a fox by a lake at dusk', 'a city at night in the rain', 'a foggy autumn forest with a deer']
/** Number of videos that are rendered while the event-loop delay is measured. */
const videoCount = 4
const warmUpSeed = 1000

interface Video {
  model: string
  resolution: '720p' | '1080p'
  seconds: number
}

const videos: Video[] = [
  { model: 'vidDq3-pro', resolution: '1080p', seconds: 5 },
  { model: 'vidDq3-pro', resolution: '1080p', seconds: 10 },
  { model: 'vidDq3-pro', resolution: '720p', seconds: 5 },
  { model: 'vidDq3-pro', resolution: '720p', seconds: 10 },
]

interface Row {
  what: string
  unit: 'times faster than it plays' | 'ms' | 'MB'
  figure: number
  /** Figure of ffmpeg. Only for videos. */
  ffmpeg?: number
  target?: string
}

function bodyOf({ model, resolution, seconds }: Video, round: number): object {
  return { model, resolution, seconds, aspect_ratio: '16:9', prompt: prompts[round % prompts.length], seed: round }
}

async function measureSpeeds(cores: Cores): Promise<Row[]> {
  const service = await Service.start({}, cores)
  const rows: Row[] = []
  await service.make({ model: 'vidDq3-pro', prompt: 'warm up', seconds: 2, resolution: '1080p' })
  const targets = cores === 'all' ? { '1080p': 3, '720p': 6 } : { '1080p': 1.8, '720p': 3.6 }
  for (const video of videos) {
    const renderSpeeds: number[] = []
    const ffmpegSpeeds: number[] = []
    for (let round = 0; round < rounds; round++) {
      renderSpeeds.push((video.seconds * 1000) / (await service.make(bodyOf(video, round))).ms)
      ffmpegSpeeds.push((video.seconds * 1000) / encodeTestPattern(video, cores))
    }
    rows.push({
      what: `${video.resolution}, ${video.seconds} s, ${cores === 'all' ? 'all cores' : 'one core'}`,
      unit: 'times faster than it plays',
      figure: median(renderSpeeds),
      ffmpeg: median(ffmpegSpeeds),
      target: `>= ${targets[video.resolution]}`,
    })
  }
  // Warm-up: V8 compiles the code of a scene while it draws the first frames.
  for (const prompt of prompts) await service.make({ model: 'imgA-5.0', resolution: '1K', prompt, seed: warmUpSeed })
  for (const [resolution, msMax] of [
    ['1K', 300],
    ['2K', 900],
  ] as const) {
    const timesMs: number[] = []
    for (let round = 0; round < 4 * rounds; round++) {
      timesMs.push(
        (await service.make({ model: 'imgA-5.0', resolution, prompt: prompts[round % prompts.length], seed: round })).ms,
      )
    }
    rows.push({
      what: `image ${resolution}, ${cores === 'all' ? 'all cores' : 'one core'}`,
      unit: 'ms',
      figure: median(timesMs),
      target: `< ${msMax}`,
    })
  }
  await service.stop()
  return rows
}

/** Measures the event-loop delay of the thread that serves HTTP during renders. */
async function measureLoopDelay(): Promise<Row[]> {
  const video: Video = { model: 'vidDq3-pro', resolution: '1080p', seconds: 5 }
  const rows: Row[] = []
  for (const [slots, order] of [
    ['1', 'one after the other'],
    [String(videoCount), 'at the same time'],
  ] as const) {
    const service = await Service.start({ FRAMEGATE_RENDER_SLOTS: slots }, 'all')
    await service.make({ model: 'vidDq3-pro', prompt: 'warm up', seconds: 2, resolution: '1080p' })
    const figures = await service.measure(() =>
      Promise.all(Array.from({ length: videoCount }, (_, index) => service.make(bodyOf(video, index)))),
    )
    rows.push({
      what: `event-loop delay p99, ${videoCount} videos ${order}`,
      unit: 'ms',
      figure: figures.loopDelayP99Ms,
      target: '< 20',
    })
    rows.push({ what: `event-loop delay max, ${videoCount} videos ${order}`, unit: 'ms', figure: figures.loopDelayMaxMs })
    await service.stop()
  }
  return rows
}

async function measureMemory(): Promise<Row[]> {
  const rows: Row[] = []
  for (const seconds of [5, 15]) {
    const service = await Service.start({}, 'all')
    const figures = await service.measure(() => service.make(bodyOf({ model: 'vidDq3-pro', resolution: '1080p', seconds }, 0)))
    const idle = await Service.start({}, 'all')
    const { memoryPeakMb: idleMb } = await idle.measure(async () => {})
    await Promise.all([service.stop(), idle.stop()])
    rows.push({
      what: `peak memory of a 1080p video of ${seconds} s`,
      unit: 'MB',
      figure: figures.memoryPeakMb - idleMb,
      target: '< 400',
    })
    rows.push({ what: `peak memory of the process that renders it`, unit: 'MB', figure: figures.memoryPeakMb })
  }
  return rows
}

const rows: Row[] = []
for (const measurePart of [() => measureSpeeds('all'), () => measureSpeeds('one'), measureLoopDelay, measureMemory]) {
  const partRows = await measurePart()
  rows.push(...partRows)
  if (!values.json) for (const row of partRows) console.log(lineOf(row))
}
if (values.json) console.log(JSON.stringify(rows, null, 2))

function lineOf({ what, unit, figure, ffmpeg, target }: Row): string {
  const ffmpegText =
    ffmpeg === undefined ? '' : `ffmpeg's test pattern ${ffmpeg.toFixed(2)}, ratio ${(figure / ffmpeg).toFixed(2)}`
  const figureText =
    unit === 'times faster than it plays' ? `${figure.toFixed(2)} x` : `${figure.toFixed(figure < 10 ? 1 : 0)} ${unit}`
  return [what.padEnd(52), figureText.padStart(10), (target ?? '').padStart(8), `  ${ffmpegText}`].join(' ').trimEnd()
}
