import { writeFile } from 'node:fs/promises'
import { framesPerSecond } from '@framegate/contract'
import type { RenderOrder } from '../pool/render-order.ts'
import { composeAmbience } from '../sound/compose-ambience.ts'
import { decodedFrames } from './decoded-frames.ts'
import { joinSounds, readSound } from './given-sound.ts'
import type { RenderedFrame, Renderer } from './renderer.ts'
import { EarlyFrame } from './early-frame.ts'
import type { Packet } from './encoded-track.ts'
import type { H264Encoder } from './h264/h264-encoder.ts'
import { overlayOnI420 } from './overlay-on-i420.ts'
import { encodeSound, soundRate, type Sound } from './sound-encoder.ts'
import { writeMp4, type EncodedVideo } from './write-mp4.ts'

export interface VideoContext {
  renderer: Renderer
  encoder: H264Encoder
  signal: AbortSignal
  onFrame: (framesDone: number) => void
}

/** Renders, encodes and writes one video. Throws the reason of the signal if the signal aborts. */
export async function renderVideo(order: RenderOrder, context: VideoContext): Promise<void> {
  const frames = context.renderer.frames(order, 'i420', context.signal)
  try {
    await encodeAndWrite(order, frames, context)
  } finally {
    // After an error, waits until the renderer is idle. Otherwise the next order would receive
    // frames of this one.
    await frames.return(undefined)
  }
}

async function encodeAndWrite(order: RenderOrder, frames: AsyncGenerator<RenderedFrame>, context: VideoContext): Promise<void> {
  const { encoder, signal, onFrame } = context
  const { plan, opening, path } = order
  const config = encoder.open(plan)
  // The renderer sets up its scene while this thread composes the sound.
  const firstFrame = frames.next()
  firstFrame.catch(() => {})
  const sound = await soundOf(order, signal)
  const encodedSound = sound && (await encodeSound(sound, signal))
  const packets: Packet[] = []
  const earlyFrame = order.earlyFrame && new EarlyFrame(order.earlyFrame, plan)
  if (opening !== undefined) {
    const drawOverlay = plan.overlay === null ? undefined : overlayOnI420(plan.overlay, plan)
    for await (const frame of decodedFrames(opening, plan, signal)) {
      drawOverlay?.(frame)
      earlyFrame?.consider(frame)
      encoder.copyFrame(frame)
      packets.push(encoder.encode())
      onFrame(packets.length)
    }
  }
  for (let next = await firstFrame; next.done !== true; next = await frames.next()) {
    earlyFrame?.consider(next.value.bytes)
    encoder.copyFrame(next.value.bytes)
    next.value.release()
    packets.push(encoder.encode())
    onFrame(packets.length)
  }
  signal.throwIfAborted()
  const video: EncodedVideo = { video: { config, packets }, ...(encodedSound && { sound: encodedSound }) }
  await earlyFrame?.write()
  await writeFile(path, await writeMp4(video))
}

/**
 * Returns the sound of a video, if it has any: the given sound, followed by the ambience, or one of
 * them.
 */
async function soundOf(order: RenderOrder, signal: AbortSignal): Promise<Sound | undefined> {
  const { plan, hasAmbience, givenSound } = order
  const seconds = frameCountOf(order) / framesPerSecond
  const ambience = hasAmbience ? composeAmbience(plan, seconds) : undefined
  const decodedSound = givenSound && (await readSound(givenSound, signal))
  return decodedSound === undefined ? ambience : joinSounds(decodedSound, ambience, Math.round(seconds * soundRate))
}

/** Returns the number of frames of the video: the frames before the rendered ones (`opening`), if any,
 * and the rendered frames. */
export function frameCountOf({ plan, opening }: Pick<RenderOrder, 'plan' | 'opening'>): number {
  return (opening?.frames ?? 0) + plan.frames
}
