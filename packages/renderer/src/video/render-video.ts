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

export interface VideoTools {
  renderer: Renderer
  encoder: H264Encoder
  signal: AbortSignal
  onFrame: (framesDone: number) => void
}

/** Renders, encodes and writes one video. Throws the reason of the signal if the signal aborts. */
export async function renderVideo(order: RenderOrder, tools: VideoTools): Promise<void> {
  const frames = tools.renderer.frames(order, 'i420', tools.signal)
  try {
    await encodeAndWrite(order, frames, tools)
  } finally {
    // After an error, waits until the renderer is idle. Otherwise the next order would receive frames
    // of this one.
    await frames.return(undefined)
  }
}

async function encodeAndWrite(order: RenderOrder, frames: AsyncGenerator<RenderedFrame>, tools: VideoTools): Promise<void> {
  const { encoder, signal, onFrame } = tools
  const { plan, opening, path } = order
  const config = encoder.open(plan)
  // This call makes the renderer start to set up its scene. The sound is composed meanwhile.
  const firstFrame = frames.next()
  firstFrame.catch(() => {})
  const heard = await soundOf(order, signal)
  const sound = heard && (await encodeSound(heard, signal))
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
  const video: EncodedVideo = { video: { config, packets }, ...(sound && { sound }) }
  await earlyFrame?.write()
  await writeFile(path, await writeMp4(video))
}

/**
 * Returns the sound of a video. The ambience of the place is audible after the end of the given
 * sound.
 */
async function soundOf(order: RenderOrder, signal: AbortSignal): Promise<Sound | undefined> {
  const { plan, hasSound, givenSound } = order
  const seconds = framesOf(order) / framesPerSecond
  const ambience = hasSound ? composeAmbience(plan, seconds) : undefined
  const openedSound = givenSound && (await readSound(givenSound, signal))
  return openedSound === undefined ? ambience : joinSounds(openedSound, ambience, Math.round(seconds * soundRate))
}

/** Returns the number of frames of an order: the frames of its opening and the rendered frames. */
export function framesOf({ plan, opening }: Pick<RenderOrder, 'plan' | 'opening'>): number {
  return (opening?.frames ?? 0) + plan.frames
}
