import type { Task } from '@framegate/sdk'

/**
 * Returns the parameters of a task as names and values, without the seed, which is also a field of
 * the task.
 */
export function parameterFacts({ parameters = {} }: Task): (readonly [name: string, value: string])[] {
  const { prompt, seed: _seed, ...shownParameters } = parameters
  return Object.entries({ prompt, ...shownParameters }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, valueText(value)] as const],
  )
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (isDescribedFile(value)) return `${value.content_type}, ${value.size_bytes} bytes, SHA-256 ${value.sha256}`
  return JSON.stringify(value)
}

interface DescribedFile {
  content_type: string
  size_bytes: number
  sha256: string
}

/** Whether a value is the description of a file, which the API returns in place of a data URI. */
function isDescribedFile(value: unknown): value is DescribedFile {
  return typeof value === 'object' && value !== null && 'content_type' in value && 'size_bytes' in value && 'sha256' in value
}
