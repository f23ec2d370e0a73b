import { Readable } from 'node:stream'
import sharp from 'sharp'
import type { Driver } from '../../packages/server/src/drivers/driver.ts'

export type BenchDriver = 'none' | 'instant' | 'endless'

/** A driver that has done its work when it is first asked (`instant`), or that never comes to an end. */
export async function createBenchDriver(kind: BenchDriver): Promise<Driver> {
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#7a5c3e' } })
    .png()
    .toBuffer()
  return {
    name: 'bench',
    startsAgainFreely: true,
    start: async () => ({ begun: true }),
    poll: async () =>
      kind === 'instant'
        ? { state: 'succeeded', outputs: [{ contentType: 'image/png', location: null }] }
        : { state: 'running', progress: 40 },
    fetchOutput: async () => Readable.from([picture]),
    async [Symbol.asyncDispose]() {},
  }
}
