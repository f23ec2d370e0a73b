// Measures by how much previews delay the completion of a video that the embedded driver renders.
//   npm run bench:previews -- [--rounds 30]
// Two services run side by side, with and without previews. They get the same videos, one at a
// time, in an order that changes with each round, so that other work of the machine affects both.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Task } from '@framegate/contract'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } })
const rounds = Number(values.rounds)
const targetMs = 100
const warmUps = 3
const video = { model: 'vidDq3-pro', resolution: '720p', aspect_ratio: '16:9', seconds: 5, prompt: 'a fox by a lake at dusk' }

interface Made {
  ms: number
  id: string
}

/** A service in a child process, with a client for it. */
class Service {
  readonly #child: ChildProcess
  readonly #baseUrl: string
  readonly #key: string

  private constructor(child: ChildProcess, { baseUrl, key }: { baseUrl: string; key: string }) {
    this.#child = child
    this.#baseUrl = baseUrl
    this.#key = key
  }

  static async start(modules: readonly string[]): Promise<Service> {
    // The launcher of the command line sets the variable too (decision 0006).
    const child = fork(fileURLToPath(new URL('../render/measured-service.ts', import.meta.url)), {
      env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072' },
      execArgv: modules.map((name) => `--import=${new URL(name, import.meta.url).href}`),
    })
    const [ready] = (await once(child, 'message')) as [{ baseUrl: string; key: string }]
    return new Service(child, ready)
  }

  /** Makes a video. The time is that from the submit to the response that the task is completed. */
  async make(seed: number): Promise<Made> {
    const startedAt = performance.now()
    const { id } = await this.#json('POST', '/v2/model-center/tasks', { ...video, seed })
    const { status, error } = await this.#json('GET', `/v2/model-center/tasks/${id}?wait=60`)
    if (status !== 'completed') throw new Error(`a task is ${status}: ${error}`)
    return { ms: performance.now() - startedAt, id }
  }

  async get(path: string): Promise<void> {
    const response = await this.#fetch('GET', path)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`GET ${path}: HTTP ${response.status}`)
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }

  async #json(method: string, path: string, body?: object): Promise<Pick<Task, 'id' | 'status' | 'error'>> {
    const response = await this.#fetch(method, path, body)
    if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status} ${await response.text()}`)
    return (await response.json()) as Task
  }

  async #fetch(method: string, path: string, body?: object): Promise<Response> {
    return fetch(this.#baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
}

/** Middle half of the values: its mean is less noisy than the median, and outliers do not affect it. */
function middleMean(given: readonly number[]): number {
  const sorted = given.toSorted((left, right) => left - right)
  const middle = sorted.slice(Math.floor(sorted.length / 4), Math.ceil((sorted.length * 3) / 4))
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

const without = await Service.start(['without-previews.ts'])
const withPreviews = await Service.start([])
const cases = [
  { name: 'no previews', service: without, ms: [] as number[] },
  { name: 'thumbnail', service: withPreviews, ms: [] as number[] },
  {
    name: 'thumbnail, and a spritesheet of the same video requested at its completion',
    service: withPreviews,
    ms: [] as number[],
  },
]
try {
  for (let round = -warmUps; round < rounds; round++) {
    for (const { name, service, ms } of round % 2 === 0 ? cases : cases.toReversed()) {
      const made = await service.make(round + warmUps)
      if (round >= 0) ms.push(made.ms)
      if (name.includes('spritesheet')) await service.get(`/v1/videos/${made.id}/content?variant=spritesheet`)
      // The thumbnail is made after the completion, and must not reach into the next measurement.
      else if (service === withPreviews) await service.get(`/v1/videos/${made.id}/content?variant=thumbnail`)
    }
  }
} finally {
  await Promise.all([without.stop(), withPreviews.stop()])
}

const [baseline] = cases
const baselineMs = middleMean(baseline?.ms ?? [])
console.log(`A video of 5 s at 720p, from the submit to its completion, mean of the middle half of ${rounds}:`)
let isWithin = true
for (const { name, ms } of cases) {
  const caseMs = middleMean(ms)
  const delayMs = caseMs - baselineMs
  isWithin &&= delayMs <= targetMs
  console.log(
    `${name.padEnd(76)} ${caseMs.toFixed(0).padStart(6)} ms  delay ${delayMs.toFixed(0).padStart(4)} ms  ratio ${(caseMs / baselineMs).toFixed(3)}`,
  )
}
console.log(`Target: a delay of at most ${targetMs} ms. ${isWithin ? 'Reached.' : 'Not reached.'}`)
process.exitCode = isWithin ? 0 : 1
