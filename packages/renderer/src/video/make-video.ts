import { writeFile } from 'node:fs/promises'
import { framesPerSecond } from '@framegate/contract'
import type { RenderOrder } from '../pool/render-order.ts'
import { composeAmbience } from '../sound/compose-ambience.ts'
import type { Renderer } from './renderer.ts'
import { EarlyFrame } from './early-frame.ts'
import type { Packet } from './encoded-track.ts'
import type { H264Encoder } from './h264/h264-encoder.ts'
import { openingFrames } from './opening.ts'
import { overlayOnI420 } from './overlay-on-i420.ts'
import { encodeSound } from './sound-encoder.ts'
import { writeMp4, type EncodedVideo } from './write-mp4.ts'

export interface VideoTools {
  renderer: Renderer
  encoder: H264Encoder
  signal: AbortSignal
  onFrame: (framesDone: number) => void
}

/** Renders, encodes and writes one video. Throws the reason of the signal if the signal aborts. */
export async function makeVideo(order: RenderOrder, tools: VideoTools): Promise<void> {
  const { renderer, encoder, signal, onFrame } = tools
  const { plan, hasSound, opening, path } = order
  const config = encoder.open(plan)
  const frames = renderer.frames(order, 'i420', signal)
  // This call makes the renderer start to set up its scene. The sound is composed meanwhile.
  const firstFrame = frames.next()
  firstFrame.catch(() => {})
  const sound = hasSound ? await encodeSound(composeAmbience(plan, framesOf(order) / framesPerSecond), signal) : undefined
  const packets: Packet[] = []
  const earlyFrame = order.earlyFrame && new EarlyFrame(order.earlyFrame, plan)
  if (opening !== undefined) {
    const drawOverlay = plan.overlay === null ? undefined : overlayOnI420(plan.overlay, plan)
    for await (const frame of openingFrames(opening, plan, signal)) {
      drawOverlay?.(frame)
      earlyFrame?.take(frame)
      encoder.take(frame)
      packets.push(encoder.encode())
      onFrame(packets.length)
    }
  }
  for (let next = await firstFrame; next.done !== true; next = await frames.next()) {
    earlyFrame?.take(next.value.bytes)
    encoder.take(next.value.bytes)
    next.value.release()
    packets.push(encoder.encode())
    onFrame(packets.length)
  }
  signal.throwIfAborted()
  const video: EncodedVideo = { video: { config, packets }, ...(sound && { sound }) }
  await earlyFrame?.write()
  await writeFile(path, await writeMp4(video))
}

/** Returns the number of frames of an order: the frames of its opening and the rendered frames. */
export function framesOf({ plan, opening }: Pick<RenderOrder, 'plan' | 'opening'>): number {
  return (opening?.frames ?? 0) + plan.frames
}
