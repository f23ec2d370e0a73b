import path from 'node:path'
import { resultsMax } from '@framegate/contract'
import type { GenerationRequest } from '../driver.ts'
import { listIn, objectIn } from '../upstream/read-json.ts'

/**
 * Returns the URLs of the results in an output, at most `resultsMax`. A model returns one URL, a
 * list, or an object with URLs. A file of another kind than the task's object, such as the cover
 * image of a video, is a result only if all files are of another kind.
 */
export function outputUrls(output: unknown, object: GenerationRequest['object']): string[] {
  const urls = allUrls(output)
  const urlsOfKind = urls.filter((url) => kindOf(url) !== (object === 'video' ? 'image' : 'video'))
  return (urlsOfKind.length === 0 ? urls : urlsOfKind).slice(0, resultsMax)
}

function allUrls(output: unknown): string[] {
  if (typeof output === 'string') return /^(https?|data):/.test(output) ? [output] : []
  const entries = Array.isArray(output) ? listIn(output) : Object.values(objectIn(output))
  return entries.flatMap(allUrls)
}

const objectByExtension: Readonly<Record<string, GenerationRequest['object']>> = {
  '.png': 'image',
  '.jpg': 'image',
  '.jpeg': 'image',
  '.webp': 'image',
  '.mp4': 'video',
  '.webm': 'video',
  '.mov': 'video',
}

/** Returns the kind of the file at a URL. Undefined if the URL does not show it. */
function kindOf(url: string): GenerationRequest['object'] | undefined {
  const type = /^data:(image|video)\//.exec(url)?.[1]
  if (type === 'image' || type === 'video') return type
  return URL.canParse(url) ? objectByExtension[path.posix.extname(new URL(url).pathname).toLowerCase()] : undefined
}
