import { smoothstep } from '../../picture/curves.ts'
import { createPicture, WarpGrid } from '../../picture/warp-grid.ts'
import type { GivenVideo, PlanImage } from '../../render-plan.ts'
import type { Painter, Stage } from '../stage.ts'
import { FollowedMotion } from './follow-motion.ts'

/** The image grows by this share at the beginning, so that no edge comes into view when it moves. */
const growth = 0.16
const growthSeconds = 0.8
/** Largest displacements, as shares of the image's sides. */
const cameraMax = 0.06
const localMax = 0.05

/**
 * Moves a still image along with a given video: as a whole, and in each part as much as the same
 * part of the video moves. `frame` has the video's current frame in its small size.
 */
export function paintMotion(stage: Stage, still: PlanImage, { width, height }: GivenVideo, frame: Uint8Array): Painter {
  const { compositor, geometry } = stage
  const shown = createPicture(compositor, still)
  const grid = new WarpGrid(compositor)
  const motion = new FollowedMotion(width, height)
  const pixels = geometry.width / width
  return ({ seconds }) => {
    motion.addFrame(frame)
    const zoom = 1 + growth * smoothstep(0, growthSeconds, seconds)
    const camera = {
      x: clampMagnitude(motion.camera.x * pixels, cameraMax * geometry.width),
      y: clampMagnitude(motion.camera.y * pixels, cameraMax * geometry.height),
    }
    const local = { x: 0, y: 0 }
    grid.set((x, y, _index, source) => {
      motion.readShift(x / geometry.width, y / geometry.height, local)
      source.x = clampToSide(
        sourcePosition(x, geometry.width, zoom) - camera.x - clampMagnitude(local.x * pixels, localMax * geometry.width),
        geometry.width,
      )
      source.y = clampToSide(
        sourcePosition(y, geometry.height, zoom) - camera.y - clampMagnitude(local.y * pixels, localMax * geometry.height),
        geometry.height,
      )
    })
    grid.draw(shown, compositor.planes)
  }
}

/** The place of the image that is shown at a place of the frame. */
function sourcePosition(place: number, side: number, zoom: number): number {
  return side / 2 + (place - side / 2) / zoom
}

function clampMagnitude(value: number, limit: number): number {
  return limit * Math.tanh(value / limit)
}

function clampToSide(place: number, side: number): number {
  return Math.max(0, Math.min(side - 1, place))
}
