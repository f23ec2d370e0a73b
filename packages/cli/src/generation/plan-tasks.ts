import { randomInt } from 'node:crypto'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { promptFields, requestWithoutPrompt, type GenerationRequest } from './generation-request.ts'
import type { GenerationOptions } from './generation-options.ts'
import { numberedTargets, type OutputTarget } from './output-file.ts'

/** One planned task: its request and the destination of its results. */
export interface PlannedTask {
  prompt: string
  request: GenerationRequest
  target: OutputTarget
  /** Prefix that identifies the task in messages. Empty if there is only one task. */
  label: string
}

export const tasksMax = 100
/**
 * Upper bound of a random first seed. Models accept 32-bit seeds, so the consecutive seeds of
 * further variations stay in range.
 */
const seedStartMax = 2 ** 31

/** Plans `count` tasks per prompt. Variations of a prompt get consecutive seeds. */
export async function planTasks(
  prompts: readonly string[],
  { count, force, ...options }: GenerationOptions & { count: number; force?: true },
): Promise<PlannedTask[]> {
  const taskCount = prompts.length * count
  if (taskCount > tasksMax) {
    throw new CommandFailure(exitCodes.usage, `These prompts need ${taskCount} tasks, but a command submits at most ${tasksMax}.`)
  }
  const targets = numberedTargets(options.output, force === true, taskCount)
  const request = await requestWithoutPrompt(options)
  const fieldsOfPrompts = await Promise.all(prompts.map((prompt) => promptFields(request.model, prompt)))
  const firstSeed = options.seed ?? (count > 1 ? randomInt(seedStartMax) : undefined)
  return targets.map((target, index) => {
    const prompt = prompts[Math.floor(index / count)] ?? ''
    const seed = firstSeed === undefined ? undefined : firstSeed + (index % count)
    const variationText = count > 1 ? ` (seed ${seed})` : ''
    return {
      prompt,
      request: { ...request, ...fieldsOfPrompts[Math.floor(index / count)], seed },
      target,
      label: taskCount === 1 ? '' : prompt + variationText,
    }
  })
}
