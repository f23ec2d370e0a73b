import { notFromService } from './framegate-error.ts'

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
