import { ByteCollector } from '../lib/byte-collector.ts'
import type { ResponseBody } from './forwarding.ts'

/**
 * Reads a body to its end. If the body has more than `bytesMax` bytes, returns null and leaves the
 * rest unread. Rejects as `body.next` does.
 */
export async function collectBody(body: ResponseBody, bytesMax: number): Promise<Buffer | null> {
  const collector = new ByteCollector()
  for (;;) {
    const { value, done } = await body.next()
    if (done === true) return collector.read()
    if (collector.length + value.length > bytesMax) return null
    collector.add(value)
  }
}
