import { getOf, postOf, type RequestText } from '../http/requests.ts'
import type { Gateway, Submit } from './side.ts'

const bodyCount = 500
/** The load replaces this placeholder with the number of the request, in the same length. */
const numberPlaceholder = '{number}'

/** Returns submits with unique prompts for the load over plain sockets. */
export function submitTexts(submit: Submit, { key, headers }: Gateway): RequestText[] {
  return Array.from({ length: bodyCount }, (_, scene) =>
    postOf(submit.path, key, bodyOf(submit, numberPlaceholder, scene), headers),
  )
}

export function pollTexts(paths: readonly string[], { key, headers }: Gateway): RequestText[] {
  return paths.map((path) => getOf(path, key, headers))
}

/** Returns the body of a submit whose prompt contains this number. */
export function bodyOf({ fields, promptField = 'prompt' }: Submit, number: string, scene = 0): string {
  const prompt = `a red kite over the dunes at sunset, take ${number} of scene ${scene}, natural light, 35 mm`
  return JSON.stringify({ ...fields, [promptField]: prompt })
}
