import { ByteCollector } from '../lib/byte-collector.ts'
import type { ResponseBody } from './forwarding.ts'

/**
 * Reads a body to its end. If the body has more than `bytesMax` bytes, returns null and leaves the
 * rest unread. Rejects as `body.next` does.
 */
export async function collectBody(body: ResponseBody, bytesMax: number): Promise<Buffer | null> {
  const collected = new ByteCollector()
  for (;;) {
    const { value, done } = await body.next()
    if (done === true) return collected.read()
    if (collected.length + value.length > bytesMax) return null
    collected.add(value)
  }
}
