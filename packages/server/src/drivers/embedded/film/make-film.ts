import { writeFile } from 'node:fs/promises'
import { framesPerSecond } from '@framegate/contract'
import type { RenderOrder } from '../pool/render-order.ts'
import { composeAmbience } from '../sound/compose-ambience.ts'
import type { Renderer } from './renderer.ts'
import type { FilmEncoder } from './video-encoder.ts'
import { writeMp4, type EncodedFilm } from './write-mp4.ts'

export interface FilmTools {
  renderer: Renderer
  encoder: FilmEncoder
  signal: AbortSignal
  onFrame: (framesDone: number) => void
}

/** Renders, encodes and writes one film. Throws the signal's reason when it is stopped. */
export async function makeFilm(order: RenderOrder, { renderer, encoder, signal, onFrame }: FilmTools): Promise<void> {
  const { plan, hasSound, path } = order
  const video = await encoder.openVideo(plan, signal)
  try {
    const frames = renderer.frames(order, 'i420', signal)
    // The renderer sets its scene up as soon as it is asked; the sound is made meanwhile.
    const firstFrame = frames.next()
    firstFrame.catch(() => {})
    const sound = hasSound ? await encoder.encodeSound(composeAmbience(plan, plan.frames / framesPerSecond), signal) : undefined
    let framesDone = 0
    for (let next = await firstFrame; next.done !== true; next = await frames.next()) {
      await video.encode(next.value.bytes)
      next.value.release()
      onFrame(++framesDone)
    }
    const film: EncodedFilm = { video: await video.finish(), ...(sound && { sound }) }
    signal.throwIfAborted()
    await writeFile(path, await writeMp4(film))
  } finally {
    video.close()
  }
}
