import { notFromService } from './framegate-error.ts'
import { readTextChunks } from './read-text-chunks.ts'

/** Maximum length of a body. The responses of the service are shorter. */
const charactersMax = 64 * 1024 * 1024

/**
 * Reads a response whose body is a JSON object. Rejects with `unexpected_answer` if it is not one or
 * is longer than `charactersMax`. If the connection breaks, rejects with the error of `fetch`.
 */
export async function readObject(response: Response): Promise<object> {
  let text = ''
  // Some runtimes, such as React Native, have no streams.
  for await (const chunk of response.body ? readTextChunks(response.body) : [await response.text()]) {
    text += chunk
    if (text.length > charactersMax) throw notFromService(response)
  }
  return parseObject(text, response)
}

/**
 * Parses a JSON object, from a response or from an event. Throws `unexpected_answer` if the text is
 * not one, because it then comes from another server, such as a proxy.
 */
export function parseObject(text: string, response?: Response): object {
  try {
    const value = JSON.parse(text) as object
    if (Object.getPrototypeOf(value) === Object.prototype) return value
  } catch {
    // Reported below, like a value of another type.
  }
  throw notFromService(response)
}
