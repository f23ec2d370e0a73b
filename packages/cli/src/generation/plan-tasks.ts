import { randomInt } from 'node:crypto'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { generationRequest, type GenerationRequest } from './generation-request.ts'
import type { GenerationOptions } from './generation-options.ts'
import { numberedPlaces, type OutputPlace } from './output-file.ts'

/** One result that is wanted: what to ask for, and where it goes. */
export interface PlannedTask {
  prompt: string
  request: GenerationRequest
  place: OutputPlace
  /** Tells it from the others; empty when it is alone. */
  label: string
}

export const tasksMax = 100
/** Models take 32 bits; half of them leave room to count upwards. */
const seedStartMax = 2 ** 31

/** Every prompt `count` times, the variations of one by seeds that follow one another. */
export async function planTasks(
  prompts: readonly string[],
  { count, force, ...options }: GenerationOptions & { count: number; force?: true },
): Promise<PlannedTask[]> {
  const total = prompts.length * count
  if (total > tasksMax) {
    throw new CommandFailure(exitCodes.usage, `These are ${total} tasks; one command makes at most ${tasksMax}.`)
  }
  const places = numberedPlaces(options.output, force === true, total)
  const request = await generationRequest('', options)
  const firstSeed = options.seed ?? (count > 1 ? randomInt(seedStartMax) : undefined)
  return places.map((place, index) => {
    const prompt = prompts[Math.floor(index / count)] ?? ''
    const seed = firstSeed === undefined ? undefined : firstSeed + (index % count)
    const variation = count > 1 ? ` (seed ${seed})` : ''
    return { prompt, request: { ...request, prompt, seed }, place, label: total === 1 ? '' : prompt + variation }
  })
}
