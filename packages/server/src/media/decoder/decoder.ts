import type { ChildProcess } from 'node:child_process'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../lib/logger.ts'
import type { PoolMember } from '../../lib/warm-pool.ts'
import type { DecodedPicture, DecodeRequest, PictureSides, UnusablePicture, WantedPixels } from './decode-picture.ts'
import { channelNumber, startDecoderChild } from './decoder-command.ts'
import { logLines } from './log-lines.ts'
import { readMessages, writeMessage, type Message } from './messages.ts'

export type DecodeEnd =
  | { how: 'decoded'; picture: DecodedPicture }
  | { how: 'unusable'; unusable: UnusablePicture }
  /** The child did not survive it. */
  | { how: 'crashed' }
  | { how: 'too_slow' }

export interface DecoderOptions {
  /** The child's program. */
  script: string
  /** For one picture, the child's start included. */
  decodeMsMax: number
  log: Pick<Logger, 'warn'>
}

export type FromDecoder =
  | { kind: 'ready' }
  | ({ kind: 'pixels' } & Omit<DecodedPicture, 'rgba'>)
  | ({ kind: 'unusable' } & UnusablePicture)

/** More than any frame: 4096 x 4096. */
const pixelBytesMax = 64 * 1024 * 1024

/**
 * One child process that decodes one picture at a time. A picture that is given up, for its time or by the signal, ends
 * the child, which is then of no more use.
 */
export class Decoder implements PoolMember {
  readonly #child: ChildProcess
  readonly #channel: Duplex
  readonly #messages: AsyncGenerator<Message, void>
  readonly #exited: Promise<void>
  readonly #options: DecoderOptions
  #isReady = false
  #isClosed = false
  #hasExited = false

  constructor(options: DecoderOptions) {
    this.#options = options
    const { script, log } = options
    const child = startDecoderChild(script)
    const { pid: decoder } = child
    this.#child = child
    this.#exited = new Promise((resolve) => {
      child.on('error', (err) => {
        log.warn({ decoder, err }, 'a picture decoder cannot be started or ended')
        if (decoder === undefined) resolve()
      })
      child.once('exit', (code, signal) => {
        if (!this.#isClosed) log.warn({ decoder, code, signal }, 'a picture decoder crashed')
        this.#hasExited = true
        resolve()
      })
    })
    const channel = child.stdio?.[channelNumber]
    if (decoder === undefined || !channel || !child.stdin || !child.stderr) throw new Error('a picture decoder cannot be started')
    logLines(child.stderr, (line) => log.warn({ decoder, line }, 'a picture decoder says'))
    this.#channel = channel as Duplex
    // A pipe that breaks is only the sign of a child that has ended.
    for (const pipe of [this.#channel, child.stdin]) pipe.on('error', () => {})
    this.#messages = readMessages(this.#channel, pixelBytesMax)
  }

  get isDead(): boolean {
    return this.#isClosed || this.#hasExited
  }

  /** Throws the signal's reason when it aborts, and an error when the fault is not the picture's. */
  async decode(file: Buffer, request: DecodeRequest, signal: AbortSignal): Promise<DecodeEnd> {
    signal.throwIfAborted()
    const { decodeMsMax } = this.#options
    const { promise: givenUp, resolve, reject } = Promise.withResolvers<DecodeEnd>()
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    const timer = setTimeout(() => resolve({ how: 'too_slow' }), decodeMsMax)
    let end: DecodeEnd | undefined
    try {
      end = await Promise.race([this.#exchange(file, request), givenUp])
      if (end.how === 'too_slow') this.#reportSlow(decodeMsMax)
      return end
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      if (end?.how !== 'decoded' && end?.how !== 'unusable') void this.close()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#kill()
  }

  async #exchange(file: Buffer, request: DecodeRequest): Promise<DecodeEnd> {
    if (!this.#isReady) {
      if ((await this.#receive()) === undefined) throw new Error('a picture decoder ended before it was ready')
      this.#isReady = true
    }
    writeMessage(this.#channel, request, file)
    const message = await this.#receive()
    if (message === undefined) return { how: 'crashed' }
    const answer = message.header as FromDecoder
    if (answer.kind === 'unusable') return { how: 'unusable', unusable: { fault: answer.fault, sentence: answer.sentence } }
    const picture = pictureIn(message, request.wanted)
    return picture === undefined ? { how: 'crashed' } : { how: 'decoded', picture }
  }

  /** Undefined when the child has ended, or says what it should not. */
  async #receive(): Promise<Message | undefined> {
    try {
      const { value } = await this.#messages.next()
      if (value !== undefined) return value
    } catch (err) {
      this.#options.log.warn({ decoder: this.#child.pid, err }, 'a picture decoder cannot be understood')
    }
    // Its pipe may close before it has quite ended.
    await this.#kill()
    return undefined
  }

  async #kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  #reportSlow(decodeMsMax: number): void {
    this.#options.log.warn({ decoder: this.#child.pid, decodeMsMax }, 'a picture decoder took too long and was ended')
    if (!this.#isReady) throw new Error('a picture decoder was not ready in time')
  }
}

/** A child that a picture has got into its power may answer anything. */
function pictureIn({ header, body }: Message, { fit, width, height }: WantedPixels): DecodedPicture | undefined {
  const answer = header as FromDecoder
  if (answer.kind !== 'pixels') return undefined
  const isAsWanted =
    fit === 'cover'
      ? answer.width === width && answer.height === height
      : answer.width > 0 && answer.width <= width && answer.height > 0 && answer.height <= height
  if (!isAsWanted || body.byteLength !== answer.width * answer.height * 4) return undefined
  const whole: Partial<PictureSides> = answer.whole ?? {}
  if (!isSide(whole.width) || !isSide(whole.height)) return undefined
  return { width: answer.width, height: answer.height, rgba: body, whole: { width: whole.width, height: whole.height } }
}

function isSide(pixels: number | undefined): pixels is number {
  return pixels !== undefined && Number.isSafeInteger(pixels) && pixels > 0
}
