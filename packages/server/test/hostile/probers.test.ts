import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { probeMedia } from '../../src/media/probe-media.ts'
import { ProberPool, type ProberPoolOptions } from '../../src/media/prober/prober-pool.ts'
import { packetVideo } from '../packet-video.ts'
import { isAlive, proberPidOf, proberPidsOf, residentBytes, untilBusy } from './decoder-children.ts'
import { hostileVideos, mp4 } from './make-videos.ts'
import { quarters } from './image-row.ts'

vi.setConfig({ testTimeout: 120_000 })

const unabortedSignal = new AbortController().signal
const fileError = { name: 'MediaProbeError' }
/** An error caused by the machine or the service, not by the file. */
const machineError = { name: 'Error' }

let folder: string
let pool: ProberPool
let warnings: { details: object; message: string }[]

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-probers-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function openPool(options: Partial<ProberPoolOptions> = {}): void {
  warnings = []
  const recordWarning = (details: object, message: string) => void warnings.push({ details, message })
  pool = new ProberPool({ log: { warn: recordWarning } as ProberPoolOptions['log'], ...options })
}
afterEach(async () => {
  await pool[Symbol.asyncDispose]()
  expect(proberPidsOf(process.pid)).toEqual([])
})

function writeMediaFile(bytes: Buffer): string {
  const name = path.join(folder, 'file')
  writeFileSync(name, bytes)
  return name
}

const fixtureUrl = (name: string) => new URL(`./${name}.fixture.ts`, import.meta.url)
/**
 * Probes the file at a path. The fixture `misbehaving-prober` takes the path as the name of a
 * behavior.
 */
const probePath = (file: string, signal = unabortedSignal) => pool.probe(file, signal)
const image = { contentType: 'image/png', kind: 'image', width: 2, height: 1, durationSeconds: null, hasAudio: false }

describe('a media prober', () => {
  it.each([
    ['a video', () => packetVideo({ withSound: true })],
    ['an image', () => quarters().png().toBuffer()],
    ['a minimal MP4', async () => mp4()],
  ])('a prober reports the same for %s as a probe in the test process, and is kept for the next file', async (_, make) => {
    openPool()
    const name = writeMediaFile(await make())
    expect(proberPidsOf(process.pid)).toEqual([])
    const media = await pool.probe(name, unabortedSignal)
    const [pid] = proberPidsOf(process.pid)
    expect(media).toEqual(await probeMedia(name))
    expect(await pool.probe(name, unabortedSignal)).toEqual(media)
    expect(proberPidsOf(process.pid)).toEqual([pid])
  })

  it('a prober rejects a web page and passes on the message of probeMedia', async () => {
    openPool()
    const message = 'the file is neither an image nor a video: it looks like a web page'
    await expect(pool.probe(writeMediaFile(Buffer.from('<html>')), unabortedSignal)).rejects.toMatchObject({
      ...fileError,
      message,
    })
  })

  it('a prober rejects an SVG drawing that begins like a JPEG', async () => {
    openPool()
    const drawing = Buffer.from('\xff\xd8\xff<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 'latin1')
    await expect(pool.probe(writeMediaFile(drawing), unabortedSignal)).rejects.toMatchObject(fileError)
  })

  it.each(hostileVideos)('a prober uses less than 600 MiB of memory to reject $name', async ({ make }) => {
    openPool()
    const probing = pool.probe(writeMediaFile(make()), unabortedSignal)
    let highestBytes = 0
    const sampling = setInterval(
      () => (highestBytes = Math.max(highestBytes, ...proberPidsOf(process.pid).map(residentBytes))),
      10,
    )
    await expect(probing).rejects.toMatchObject(fileError)
    clearInterval(sampling)
    expect(highestBytes).toBeLessThan(600 * 1024 * 1024)
    expect(await pool.probe(writeMediaFile(mp4()), unabortedSignal)).toMatchObject({ frames: 10 })
  })

  it('a missing file is reported as an error of the machine', async () => {
    openPool()
    await expect(pool.probe(path.join(folder, 'missing'), unabortedSignal)).rejects.toMatchObject({
      ...machineError,
      message: expect.stringContaining('ENOENT') as string,
    })
  })

  it('a prober that cannot start is reported as an error of the machine', async () => {
    openPool({ scriptUrl: fixtureUrl('unready-child') })
    await expect(probePath('anything')).rejects.toMatchObject({
      ...machineError,
      message: 'a media prober ended before it was ready',
    })
  })

  it('a suspended prober is killed after its time limit, and a timeout is reported', async () => {
    openPool({ probeMsMax: 4000 })
    await pool.probe(writeMediaFile(mp4()), unabortedSignal)
    const pid = await proberPidOf(process.pid)
    process.kill(pid, 'SIGSTOP')
    await expect(pool.probe(writeMediaFile(mp4()), unabortedSignal)).rejects.toMatchObject({ name: 'ProbeTimeout' })
    while (isAlive(pid)) await sleep(5)
  })

  it.each([
    ['SIGKILL', machineError],
    ['SIGXCPU', fileError],
    ['SIGABRT', fileError],
    ['SIGSEGV', fileError],
    ['throw', fileError],
  ])('if a prober ends with %s, its pool reports an error for the file and probes the next file', async (end, error) => {
    openPool({ scriptUrl: fixtureUrl('misbehaving-prober') })
    await expect(probePath(end)).rejects.toMatchObject(error)
    expect(await probePath('an image')).toEqual(image)
  })

  it.each([
    { width: '2' },
    { height: -1 },
    { contentType: 'text/html' },
    { kind: 'video', contentType: 'video/mp4', durationSeconds: null },
    { kind: 'video', contentType: 'video/mp4', durationSeconds: -5 },
    { hasAudio: 1 },
    { frames: 0.5 },
  ])('the response %j of a prober counts as an error of the file', async (nonsense) => {
    openPool({ scriptUrl: fixtureUrl('misbehaving-prober') })
    await expect(probePath(JSON.stringify(nonsense))).rejects.toMatchObject(fileError)
    expect(await probePath('an image')).toEqual(image)
  })

  it.runIf(process.platform === 'linux')('a prober has limits of 30 seconds of CPU time and 1,280 MiB of memory', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving-prober') })
    const { message } = (await probePath('limits').catch((error: unknown) => error)) as Error
    expect(message).toMatch(/^Max cpu time +30 /m)
    expect(message).toMatch(new RegExp(`^Max data size +${1280 * 1024 ** 2} `, 'm'))
  })

  it('a prober that has used more than 10 seconds of CPU time is replaced before the next file', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving-prober') })
    await probePath('an image')
    const [pid] = proberPidsOf(process.pid)
    await probePath('take CPU time')
    await probePath('an image')
    expect(proberPidsOf(process.pid)).not.toContain(pid)
    expect(warnings).toEqual([])
  })

  it('a cancelled probe kills its prober, and another prober continues', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving-prober') })
    const stopping = new AbortController()
    const abortedProbe = probePath('hang', stopping.signal)
    abortedProbe.catch(() => {})
    const pid = await proberPidOf(process.pid)
    expect(await probePath('an image')).toEqual(image)
    stopping.abort(new Error('cancelled by the client'))
    await expect(abortedProbe).rejects.toThrow('cancelled by the client')
    while (isAlive(pid)) await sleep(5)
  })

  it('files that are probed together each get their own outcome', async () => {
    openPool()
    const files: [string, Buffer, object][] = [
      ['small.png', await quarters().png().toBuffer(), { contentType: 'image/png', kind: 'image' }],
      ['photo.jpg', await quarters().jpeg().toBuffer(), { contentType: 'image/jpeg', kind: 'image' }],
      ['video.mp4', mp4(), { kind: 'video', frames: 10 }],
      ['cut.png', (await quarters().png().toBuffer()).subarray(0, -20), fileError],
      ['page.html', Buffer.from('<html>'), fileError],
    ]
    for (const [name, bytes] of files) writeFileSync(path.join(folder, name), bytes)
    const names = [...files, ...files, ...files, ...files].map(([name]) => path.join(folder, name))
    const outcomes = await Promise.all([...names, 'missing'].map((name) => probePath(name).catch((error: unknown) => error)))
    expect(outcomes.pop()).toMatchObject({ ...machineError, message: expect.stringContaining('ENOENT') as string })
    for (const [index, outcome] of outcomes.entries()) expect(outcome).toMatchObject(files[index % files.length]?.[2] ?? {})
    expect(warnings.map(({ message }) => message)).not.toContain('a media prober crashed')
  })

  it('files that wait at the same time share a message, and if a file crashes the prober, only that file fails', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving-prober') })
    const count = 12
    const sharing = await Promise.all(Array.from({ length: count }, () => probePath('how many')))
    expect(Math.max(...sharing.map(({ width }) => width))).toBeGreaterThan(count / 2)
    const names = Array.from({ length: count }, (_, index) => (index === count / 2 ? 'SIGSEGV' : 'an image'))
    const outcomes = await Promise.all(names.map((name) => probePath(name).catch((error: unknown) => error)))
    for (const [index, outcome] of outcomes.entries())
      expect(outcome).toMatchObject(names[index] === 'an image' ? image : fileError)
  })

  it('a cancelled probe does not affect the probes that wait with it', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving-prober') })
    const stopping = new AbortController()
    const cancelled = probePath('an image', stopping.signal)
    const otherProbes = Array.from({ length: 5 }, () => probePath('an image'))
    stopping.abort(new Error('cancelled by the client'))
    await expect(cancelled).rejects.toThrow('cancelled by the client')
    for (const probed of await Promise.all(otherProbes)) expect(probed).toEqual(image)
  })

  it('closing the pool kills a prober that is probing a file', async () => {
    openPool()
    const worst = hostileVideos.find(({ name }) => name.includes('encryption'))?.make() ?? Buffer.alloc(0)
    const probing = expect(pool.probe(writeMediaFile(worst), unabortedSignal)).rejects.toMatchObject(machineError)
    await untilBusy(await proberPidOf(process.pid), 1)
    await pool[Symbol.asyncDispose]()
    await probing
  })
})
