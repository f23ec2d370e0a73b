// Measures by how much previews delay the completion of a video that the embedded driver renders.
//   npm run bench:previews -- [--rounds 30]
// Two services run side by side, with and without previews. They render the same videos, one at a
// time, in an order that changes with each round, so that other load on the machine affects both.
import { parseArgs } from 'node:util'
import { Service } from '../render/service-process.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } })
const rounds = Number(values.rounds)
const targetMs = 100
const warmUpRounds = 3
const video = { model: 'vidDq3-pro', resolution: '720p', aspect_ratio: '16:9', seconds: 5, prompt: 'a fox by a lake at dusk' }

/**
 * Returns the mean of the middle half of the values. It is less noisy than the median, and ignores
 * outliers.
 */
function middleMean(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.slice(Math.floor(sorted.length / 4), Math.ceil((sorted.length * 3) / 4))
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

const withoutPreviews = await Service.start({}, 'all', [new URL('without-previews.ts', import.meta.url)])
const withPreviews = await Service.start({}, 'all')
const cases = [
  { name: 'no previews', service: withoutPreviews, ms: [] as number[] },
  { name: 'thumbnail', service: withPreviews, ms: [] as number[] },
  {
    name: 'thumbnail, and a spritesheet of the same video requested at its completion',
    service: withPreviews,
    ms: [] as number[],
  },
]
try {
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const { name, service, ms } of round % 2 === 0 ? cases : cases.toReversed()) {
      const completedTask = await service.make({ ...video, seed: round + warmUpRounds })
      if (round >= 0) ms.push(completedTask.ms)
      if (name.includes('spritesheet')) await service.get(`/v1/videos/${completedTask.id}/content?variant=spritesheet`)
      // The thumbnail is created after the completion. Without waiting for it, it would slow down
      // the next measurement.
      else if (service === withPreviews) await service.get(`/v1/videos/${completedTask.id}/content?variant=thumbnail`)
    }
  }
} finally {
  await Promise.all([withoutPreviews.stop(), withPreviews.stop()])
}

const [baseline] = cases
const baselineMs = middleMean(baseline?.ms ?? [])
console.log(`A video of 5 s at 720p, from the submit to its completion, mean of the middle half of ${rounds}:`)
let isTargetReached = true
for (const { name, ms } of cases) {
  const caseMs = middleMean(ms)
  const delayMs = caseMs - baselineMs
  isTargetReached &&= delayMs <= targetMs
  console.log(
    `${name.padEnd(76)} ${caseMs.toFixed(0).padStart(6)} ms  delay ${delayMs.toFixed(0).padStart(4)} ms  ratio ${(caseMs / baselineMs).toFixed(3)}`,
  )
}
console.log(`Target: a delay of at most ${targetMs} ms. ${isTargetReached ? 'Reached.' : 'Not reached.'}`)
process.exitCode = isTargetReached ? 0 : 1
