import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteCollector } from './byte-collector.ts'

it('a byte collector returns the added bytes for any chunks and any expected size', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 9000 }), { maxLength: 30 })
  fc.assert(
    fc.property(chunks, fc.nat(60_000), (chunks, expectedBytes) => {
      const collector = new ByteCollector(expectedBytes)
      for (const chunk of chunks) {
        const predictedBytes = collector.bytesAfterAppending(chunk.byteLength)
        collector.add(Buffer.from(chunk))
        expect(predictedBytes).toBeGreaterThanOrEqual(collector.length)
      }
      expect(collector.read()).toEqual(Buffer.concat(chunks))
    }),
  )
})

it('a byte collector takes at most twice the payload, or 4 KiB, when bytes arrive one by one', () => {
  const collector = new ByteCollector()
  const byte = Buffer.from('x')
  for (let count = 1; count <= 100_000; count++) {
    expect(collector.bytesAfterAppending(1)).toBeLessThanOrEqual(Math.max(4096, 2 * count))
    collector.add(byte)
  }
  expect(collector.length).toBe(100_000)
})
