import { Readable } from 'node:stream'
import sharp from 'sharp'
import type { Driver, PollOutcome } from '../../packages/server/src/drivers/driver.ts'

export type BenchDriver = 'none' | 'instant' | 'refusing' | 'endless'

const outcomes: Record<BenchDriver, PollOutcome> = {
  none: { state: 'queued' },
  endless: { state: 'running', progress: 40 },
  instant: { state: 'succeeded', outputs: [{ contentType: 'image/png', location: null }] },
  refusing: { state: 'failed', code: 'content_policy', reason: 'The prompt was refused.', retryable: false },
}

/** Creates a driver whose jobs succeed or fail at the first poll, or never end. */
export async function createBenchDriver(kind: BenchDriver): Promise<Driver> {
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#7a5c3e' } })
    .png()
    .toBuffer()
  return {
    name: 'bench',
    isStartIdempotent: true,
    start: async () => ({ begun: true }),
    poll: async () => outcomes[kind],
    fetchOutput: async () => Readable.from([image]),
    async [Symbol.asyncDispose]() {},
  }
}
