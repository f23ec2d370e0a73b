import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { decodeImage } from '../../src/media/decoder/decode-image.ts'
import type { DecodeRequest } from '../../src/media/decoder/decode-image.ts'
import { DecoderPool, type DecoderPoolOptions } from '../../src/media/decoder/decoder-pool.ts'
import { defaultImageLimits } from '../../src/media/image-limits.ts'
import { InvalidImage } from '../../src/media/invalid-image.ts'
import { createReadImage } from '../../src/media/read-image.ts'
import { decoderPidOf, decoderPidsOf, isAlive, untilBusy } from './decoder-children.ts'
import { singleColor } from './make-avifs.ts'
import { quarters } from './image-row.ts'

/** An image that takes at least a second of CPU time to decode. */
let slowImage: Buffer
let smallImage: Buffer
beforeAll(async () => {
  slowImage = await singleColor(5000, 4000)
  smallImage = await quarters().png().toBuffer()
})

const unabortedSignal = new AbortController().signal
const decodeRequest = (type: DecodeRequest['type'] = 'image/png'): DecodeRequest => ({
  type,
  requested: { fit: 'inside', width: 500, height: 400 },
  limits: defaultImageLimits,
})

let pool: DecoderPool
let warnings: { details: object; message: string }[]

function openPool(options: Partial<DecoderPoolOptions> = {}): void {
  warnings = []
  const recordWarning = (details: object, message: string) => void warnings.push({ details, message })
  pool = new DecoderPool({ log: { warn: recordWarning } as DecoderPoolOptions['log'], decodersMax: 1, ...options })
}
afterEach(async () => {
  await pool[Symbol.asyncDispose]()
  expect(decoderPidsOf(process.pid)).toEqual([])
})

const fetchUntrusted = () => Promise.reject(new Error('must not be fetched'))
const fixtureUrl = (name: string) => new URL(`./${name}-child.fixture.ts`, import.meta.url)
const decodeSlow = () => pool.decode(slowImage, decodeRequest('image/avif'), unabortedSignal)
const decodeSmall = async () => (await pool.decode(smallImage, decodeRequest(), unabortedSignal)).outcome
/** `behavior` is one of those that `misbehaving-child.fixture.ts` implements. */
const decodeAs = async (behavior: string) => (await pool.decode(Buffer.from(behavior), decodeRequest(), unabortedSignal)).outcome

/**
 * Waits until the first decoder has used more CPU time than its loading takes, and returns its
 * process id.
 */
async function awaitBusyDecoder(): Promise<number> {
  const pid = await decoderPidOf(process.pid)
  await untilBusy(pid, 0.9)
  return pid
}

/**
 * Suspends all decoders with SIGSTOP and returns the process id of the first. The next
 * decode in each of them never ends.
 */
function suspendDecoders(): number {
  const pids = decoderPidsOf(process.pid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const [firstPid] = pids
  if (firstPid === undefined) throw new Error('no decoder is running')
  return firstPid
}

describe('an image decoder', () => {
  it('a decoder returns the same pixels as decodeImage in the test process, in memory that can be transferred', async () => {
    openPool()
    const decoded = await pool.decode(smallImage, decodeRequest(), unabortedSignal)
    const decodedHere = await decodeImage(smallImage, decodeRequest())
    if (decoded.outcome !== 'decoded' || 'code' in decodedHere) throw new Error('one of the two cannot read the image')
    const { rgba } = decoded.image
    expect(Buffer.compare(rgba, decodedHere.rgba)).toBe(0)
    expect(rgba.buffer.byteLength).toBe(rgba.byteLength)
    structuredClone(rgba.buffer, { transfer: [rgba.buffer as ArrayBuffer] })
    expect(rgba).toHaveLength(0)
  })

  it('a decoder is started for the first image and kept for the next ones', async () => {
    openPool()
    expect(decoderPidsOf(process.pid)).toEqual([])
    expect(await decodeSmall()).toBe('decoded')
    const [pid] = decoderPidsOf(process.pid)
    expect(await decodeSmall()).toBe('decoded')
    expect(decoderPidsOf(process.pid)).toEqual([pid])
  })

  it('a decoder that is killed while it decodes an image fails only that image', async () => {
    openPool({ decodersMax: 2 })
    await decodeSmall()
    const pid = suspendDecoders()
    const killed = pool.decode(smallImage, decodeRequest(), unabortedSignal)
    const other = decodeSmall()
    // Both images are sent to decoders within this tick.
    await nextTick()
    process.kill(pid, 'SIGKILL')
    expect(await Promise.all([killed, other])).toEqual([{ outcome: 'crashed' }, 'decoded'])
    expect(await decodeSmall()).toBe('decoded')
    expect(warnings).toMatchObject([{ details: { signal: 'SIGKILL' }, message: 'an image decoder crashed' }])
  })

  it('a decoder that is killed while idle fails no image', async () => {
    openPool()
    await decodeSmall()
    process.kill(await decoderPidOf(process.pid), 'SIGKILL')
    while (warnings.length === 0) await sleep(5)
    expect(await decodeSmall()).toBe('decoded')
  })

  it('a decoder that is suspended by a signal is killed after its time limit', async () => {
    openPool({ decodeMsMax: 6000 })
    expect(await decodeSmall()).toBe('decoded')
    const pid = await decoderPidOf(process.pid)
    process.kill(pid, 'SIGSTOP')
    expect((await pool.decode(smallImage, decodeRequest(), unabortedSignal)).outcome).toBe('too_slow')
    expect(await decodeSmall()).toBe('decoded')
    expect(isAlive(pid)).toBe(false)
  })

  it('a decoder that exceeds its memory limit fails only its image', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving') })
    expect(await decodeAs('take memory')).toBe('crashed')
    expect(await decodeAs('go on')).toBe('decoded')
  })

  it.each([
    'abort',
    'exit',
    'response too short',
    'response too large',
    'response with impossible sides',
    'response without end',
    'response that is not JSON',
  ])('a decoder that crashes or breaks the protocol fails only its image: %s', async (behavior) => {
    openPool({ scriptUrl: fixtureUrl('misbehaving') })
    expect(await decodeAs(behavior)).toBe('crashed')
    expect(await decodeAs('go on')).toBe('decoded')
  })

  it('the number and the length of the logged lines of a decoder are limited', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving') })
    expect(await decodeAs('print many lines')).toBe('decoded')
    await pool[Symbol.asyncDispose]()
    const lines = warnings.map(({ details }) => ('line' in details ? String(details.line) : ''))
    expect(lines.slice(0, 2)).toEqual(['x'.repeat(500), 'a word'])
    expect(lines).toHaveLength(50)
  })

  it('a decoder that cannot start is not reported as an error of the image', async () => {
    openPool({ scriptUrl: fixtureUrl('unready') })
    await expect(decodeSmall()).rejects.toThrow('ended before it was ready')
    expect(warnings.map(({ details }) => JSON.stringify(details)).join()).toContain('the library is not there')
  })

  it('more images than one decoder handles are decoded without a warning', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving') })
    for (let count = 0; count < 210; count++) expect(await decodeAs('go on')).toBe('decoded')
    expect(warnings).toEqual([])
  })

  it('a decoder ignores the signals that stop a service', async () => {
    openPool()
    const decoding = decodeSlow()
    const pid = await awaitBusyDecoder()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
    expect((await decoding).outcome).toBe('decoded')
  })
})

describe('cancelled decodes and a closed pool', () => {
  it('a cancelled decode ends the decoder immediately, and another decoder reads the next image', async () => {
    openPool()
    await decodeSmall()
    const pid = suspendDecoders()
    const stopping = new AbortController()
    const abortedDecode = pool.decode(smallImage, decodeRequest(), stopping.signal)
    abortedDecode.catch(() => {})
    const nextDecode = decodeSmall()
    // The first image is sent to the decoder within this tick.
    await nextTick()
    stopping.abort(new Error('cancelled by the client'))
    await expect(abortedDecode).rejects.toThrow('cancelled by the client')
    expect(await nextDecode).toBe('decoded')
    expect(isAlive(pid)).toBe(false)
    expect(warnings).toEqual([])
  })

  it('a cancelled decode that waits for a decoder is rejected before the decode in progress ends', async () => {
    openPool({ scriptUrl: fixtureUrl('misbehaving') })
    const [firstController, secondController] = [new AbortController(), new AbortController()]
    const hanging = pool.decode(Buffer.from('hang'), decodeRequest(), firstController.signal)
    const waiting = pool.decode(Buffer.from('go on'), decodeRequest(), secondController.signal)
    secondController.abort(new Error('no longer wanted'))
    await expect(waiting).rejects.toThrow('no longer wanted')
    firstController.abort(new Error('nor this one'))
    await expect(hanging).rejects.toThrow('nor this one')
  })

  it('closing the pool during decodes reports no error of the images and leaves no process', async () => {
    openPool({ decodersMax: 2 })
    await Promise.all([decodeSmall(), decodeSmall()])
    suspendDecoders()
    expect(decoderPidsOf(process.pid)).toHaveLength(2)
    const [working, alsoWorking, waiting] = [decodeSmall(), decodeSmall(), decodeSmall()].map((decoding) =>
      expect(decoding).rejects.toThrow('the image decoders are closed'),
    )
    // Two images are sent to the decoders within this tick.
    await nextTick()
    await pool[Symbol.asyncDispose]()
    expect(decoderPidsOf(process.pid)).toEqual([])
    await Promise.all([working, alsoWorking, waiting])
  })
})

it('many images are decoded concurrently by at most the allowed number of decoders', async () => {
  openPool({ decodersMax: 2 })
  const outcomes = Promise.all(Array.from({ length: 60 }, decodeSmall))
  let decoderCountMax = 0
  const watching = setInterval(() => (decoderCountMax = Math.max(decoderCountMax, decoderPidsOf(process.pid).length)), 10)
  expect(new Set(await outcomes)).toEqual(new Set(['decoded']))
  clearInterval(watching)
  expect(decoderCountMax).toBe(2)
})

it.each([
  ['abort', 'damaged', 'first_frame: the image cannot be decoded; save it again and send a JPEG, PNG, WebP, AVIF or GIF image'],
  ['hang', 'too_large', 'first_frame: the image takes too long to decode; send a smaller one'],
])('an image that makes its decoder %s is rejected with the name of its field', async (behavior, code, message) => {
  openPool({ scriptUrl: fixtureUrl('misbehaving'), decodeMsMax: 2000 })
  // The first bytes pass the type check.
  const decoders = {
    decode: (_file: Buffer, ...rest: [DecodeRequest, AbortSignal]) => pool.decode(Buffer.from(behavior), ...rest),
  }
  const reading = createReadImage({ fetchUntrusted, decoders })(`data:;base64,${smallImage.toString('base64')}`, {
    ...decodeRequest().requested,
    signal: unabortedSignal,
    position: 'first_frame',
  })
  const refusal = await reading.catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(InvalidImage)
  expect(refusal).toMatchObject({ code, message, isTransient: false })
})
