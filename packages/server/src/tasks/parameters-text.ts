import type { ParsedParameters } from '../catalogue/model.ts'

/**
 * A task's parameters as stored: JSON that begins with those that the task's view shows. A task may carry megabytes of
 * pictures, and a view must not parse them at each poll.
 */
export function writeParameters(parameters: ParsedParameters): string {
  const { seconds, seed, ...others } = parameters
  return JSON.stringify({ ...(seconds !== undefined && { seconds }), ...(seed !== undefined && { seed }), ...others })
}

export interface ShownParameters {
  seconds: number | null
  seed: number | null
}

const headPattern = /^\{(?:"seconds":(\d{1,9}))?,?(?:"seed":(\d{1,16}))?/

export function readShownParameters(text: string): ShownParameters {
  const [, seconds, seed] = headPattern.exec(text) ?? []
  return { seconds: seconds === undefined ? null : Number(seconds), seed: seed === undefined ? null : Number(seed) }
}
