import { smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid } from '../../picture/warp-grid.ts'
import type { GivenVideo, PlanImage } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'
import { MotionEstimator } from './follow-motion.ts'

/** Share by which the image is enlarged, so that its edges stay outside the frame. */
const growth = 0.16
/** Time from the start until the image is enlarged by `growth`. */
const growthSeconds = 0.8
/** Maximum displacements, as shares of the image's sides. */
const cameraShareMax = 0.06
const localShareMax = 0.05

/**
 * Transfers the motion of a given video to a still image: the camera motion to the whole image, and
 * the motion of each block to the same part of it. `frame` is a buffer that the caller overwrites
 * with each frame of the video in its small size.
 */
export function paintMotion(stage: Stage, still: PlanImage, { width, height }: GivenVideo, frame: Uint8Array): Painter {
  const { compositor, geometry } = stage
  const picture = createPicture(compositor, still)
  const grid = new WarpGrid(compositor)
  const motion = new MotionEstimator(width, height)
  const frameScale = geometry.width / width
  return ({ seconds }) => {
    motion.addFrame(frame)
    const zoom = 1 + growth * smoothstep(0, growthSeconds, seconds)
    const camera = {
      x: limitSoftly(motion.camera.x * frameScale, cameraShareMax * geometry.width),
      y: limitSoftly(motion.camera.y * frameScale, cameraShareMax * geometry.height),
    }
    const local = { x: 0, y: 0 }
    grid.set((x, y, _index, source) => {
      motion.readShift(x / geometry.width, y / geometry.height, local)
      source.x = clampToSide(
        sourcePosition(x, geometry.width, zoom) - camera.x - limitSoftly(local.x * frameScale, localShareMax * geometry.width),
        geometry.width,
      )
      source.y = clampToSide(
        sourcePosition(y, geometry.height, zoom) - camera.y - limitSoftly(local.y * frameScale, localShareMax * geometry.height),
        geometry.height,
      )
    })
    grid.draw(picture, compositor.planes)
  }
}

/** Converts a position in the frame to the position in the image that is shown there. */
function sourcePosition(position: number, side: number, zoom: number): number {
  return side / 2 + (position - side / 2) / zoom
}

function limitSoftly(value: number, limit: number): number {
  return limit * Math.tanh(value / limit)
}

function clampToSide(position: number, side: number): number {
  return Math.max(0, Math.min(side - 1, position))
}
