import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { openDiskMediaStore } from '../media/disk-media-store.ts'
import { hourPathOf } from '../media/stored-path.ts'
import { probeMedia } from '../media/probe-media.ts'
import type { ProbeUntrusted } from '../media/prober/prober-pool.ts'
import { packetVideo } from '../../test/packet-video.ts'
import { openCollector, type Collector } from './collect-result.ts'

const taskId = 'task_019af2c0ffee7000800000000000abcd'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-collect-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const scratch = (): string => path.join(folder, 'scratch')

const drawWatermark = async (): Promise<void> => {}

async function open(probeUntrustedFile: ProbeUntrusted = (file) => probeMedia(file)): Promise<Collector> {
  const mediaStore = await openDiskMediaStore(path.join(folder, 'media'))
  return openCollector({ mediaStore, drawWatermark, probeUntrustedFile, scratchDir: scratch(), retentionMs: 1000 })
}

function collect(
  collector: Collector,
  file: Buffer,
  driver: Partial<Driver> = { fetchOutput: async () => Readable.from([file]) },
  bytesMax = Infinity,
) {
  return collector.collect({
    taskId,
    attemptId: `${taskId}_1`,
    object: 'video',
    driver: driver as Driver,
    output: { contentType: 'video/mp4', location: null },
    position: 0,
    bytesMax,
    nowMs: 0,
    retentionMs: undefined,
    signal: new AbortController().signal,
  })
}

it('collecting leaves no temporary file, whether the result is usable or not', async () => {
  const collector = await open()
  expect(await collect(collector, await packetVideo())).toMatchObject({ objectKey: `${taskId}.mp4`, durationMs: 5000 })
  await expect(collect(collector, Buffer.from('<html>'))).rejects.toThrow()
  expect(readdirSync(path.join(scratch(), 'collected'))).toEqual([])
})

it('a local file of the driver is collected and not removed', async () => {
  const video = await packetVideo()
  const driverFile = path.join(folder, 'made.mp4')
  writeFileSync(driverFile, video)
  const collector = await open()
  const outputFile = () => ({ path: driverFile, isOwn: true }) as const
  expect(await collect(collector, video, { outputFile })).toMatchObject({ sizeBytes: video.byteLength })
  expect(readFileSync(driverFile)).toEqual(video)
})

it('an untrusted local file is probed as untrusted, stored without a copy, and not removed', async () => {
  const file = path.join(folder, 'kept')
  writeFileSync(file, await packetVideo())
  const probed: string[] = []
  const collector = await open((path) => {
    probed.push(path)
    return probeMedia(path)
  })
  const { objectKey } = await collect(collector, Buffer.alloc(0), { outputFile: () => ({ path: file }) })
  expect(probed).toEqual([file])
  const storedPath = hourPathOf(path.join(folder, 'media'), objectKey)
  expect(statSync(storedPath).ino).toBe(statSync(file).ino)
})

it.each([
  ['missing', 'none', Infinity],
  ['larger than the limit', 'kept', 10],
])('a task whose local result file is %s has an unusable result', async (_, name, bytesMax) => {
  writeFileSync(path.join(folder, 'kept'), await packetVideo())
  const collecting = collect(await open(), Buffer.alloc(0), { outputFile: () => ({ path: path.join(folder, name) }) }, bytesMax)
  await expect(collecting).rejects.toMatchObject({ name: 'UnusableResult' })
})

it('temporary files of a killed process are removed when the collector opens, and no other files', async () => {
  mkdirSync(path.join(scratch(), 'collected'), { recursive: true })
  writeFileSync(path.join(scratch(), 'collected', 'task_0_1.half'), 'half a video')
  writeFileSync(path.join(scratch(), 'another'), 'of somebody else')
  await open()
  expect(readdirSync(path.join(scratch(), 'collected'))).toEqual([])
  expect(existsSync(path.join(scratch(), 'another'))).toBe(true)
})
