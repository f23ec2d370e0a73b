import path from 'node:path'
import { resultsMax } from '@framegate/contract'
import type { GenerationRequest } from '../driver.ts'
import { listIn, objectIn } from '../upstream/read-json.ts'

/**
 * The addresses of the results in an output: models return one, a list, or an object of them. Files
 * of another kind are left out if there are others, such as the cover of a video.
 */
export function addressesIn(output: unknown, object: GenerationRequest['object']): string[] {
  const all = allIn(output)
  const fitting = all.filter((address) => kindOf(address) !== (object === 'video' ? 'image' : 'video'))
  return (fitting.length === 0 ? all : fitting).slice(0, resultsMax)
}

function allIn(output: unknown): string[] {
  if (typeof output === 'string') return /^(https?|data):/.test(output) ? [output] : []
  const inside = Array.isArray(output) ? listIn(output) : Object.values(objectIn(output))
  return inside.flatMap(allIn)
}

const kinds: Readonly<Record<string, GenerationRequest['object']>> = {
  '.png': 'image',
  '.jpg': 'image',
  '.jpeg': 'image',
  '.webp': 'image',
  '.mp4': 'video',
  '.webm': 'video',
  '.mov': 'video',
}

/** The kind of file at an address; undefined if the address does not show it. */
function kindOf(address: string): GenerationRequest['object'] | undefined {
  const type = /^data:(image|video)\//.exec(address)?.[1]
  if (type === 'image' || type === 'video') return type
  return URL.canParse(address) ? kinds[path.posix.extname(new URL(address).pathname).toLowerCase()] : undefined
}
