import { FramegateError } from './framegate-error.ts'

/**
 * Maximum size of a response. Responses of the service are smaller. Results of tasks are read as
 * streams, with another limit.
 */
const bytesMax = 64 * 1024 * 1024

/** Reads the body of a response as text. Rejects with `unexpected_answer` if it is too large. */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  for (let receivedBytes = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    receivedBytes += value.byteLength
    if (receivedBytes > bytesMax) {
      await reader.cancel().catch(() => undefined)
      const message = `The response is larger than ${bytesMax} bytes, so it is not from a Framegate server. Check the base URL.`
      throw new FramegateError({ status: response.status, code: 'unexpected_answer', message })
    }
    text += decoder.decode(value, { stream: true })
  }
}
