import sharp from 'sharp'
import { expect, it } from 'vitest'
import { countJpegScans } from './count-jpeg-scans.ts'

const gray = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#808080' } })
const scanMarker = Buffer.from([0xff, 0xda, 0, 2])

it('a baseline JPEG has one scan, a progressive JPEG has several scans, and counting stops at the limit', async () => {
  expect(countJpegScans(await gray().jpeg().toBuffer(), 100)).toBe(1)
  const progressive = await gray().jpeg({ progressive: true }).toBuffer()
  expect(countJpegScans(progressive, 100)).toBeGreaterThan(5)
  expect(countJpegScans(progressive, 3)).toBe(3)
})

it('scan markers in a segment or after the end are not counted', async () => {
  const jpeg = await gray().jpeg().toBuffer()
  expect(countJpegScans(Buffer.concat([jpeg, scanMarker]), 100)).toBe(1)
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 6]), scanMarker])
  expect(countJpegScans(Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]), 100)).toBe(1)
})

it.each([
  ['padding', [0xff, 0xff, 0xff]],
  ['an escaped byte', [0xff, 0x00]],
  ['a restart', [0xff, 0xd3]],
  ['a segment of length 0', [0xff, 0xe5, 0, 0]],
])('a JPEG scan after %s is counted', (_, before) => {
  expect(countJpegScans(Buffer.concat([Buffer.from([0xff, 0xd8, ...before]), scanMarker]), 100)).toBe(1)
})

it.each([[[]], [[0xff]], [[0xff, 0xd8]], [[0xff, 0xd8, 0xff]], [[0xff, 0xd8, 0xff, 0xda]], [[0xff, 0xd8, 0xff, 0xe1, 255, 255]]])(
  'the incomplete JPEG %j has no scans',
  (bytes) => {
    expect(countJpegScans(Buffer.from(bytes), 100)).toBe(0)
  },
)

it('counting JPEG scans in 20 MiB of marker bytes takes less than three seconds of CPU time', () => {
  const cpuBefore = process.threadCpuUsage()
  countJpegScans(Buffer.alloc(20 * 1024 * 1024, 0xff), 100)
  const { user, system } = process.threadCpuUsage(cpuBefore)
  expect((user + system) / 1000).toBeLessThan(3000)
})
