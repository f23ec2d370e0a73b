import type { Layer } from '../../picture/compositor.ts'
import { clamp } from '../../picture/curves.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Moment, Stage } from '../stage.ts'
import { Figure, figureSpace, type FigureSpace } from './figure.ts'
import { isDark, lightAt } from './light.ts'
import type { Look, Model } from './model.ts'
import { castShadow, shadowScale, type Shadow } from './shadow.ts'

/**
 * Limit of the memory for all subjects of a scene, in bytes per pixel of the frame.
 * `memoryPagesFor` relies on it.
 */
const subjectBytesPerPixel = 17
/**
 * Size of a layer's planes: Y and A have full size, and U, V and a second A have a quarter of the
 * pixels. The shadow is much smaller.
 */
const layerBytesPerPixel = 2.9
const detailMin = 0.3
const movingDetail = 0.8
/** Up to this height in pixels, the figures of a video are drawn in full detail. */
const sharpPixels = 160

interface DrawnPose {
  body: Layer
  /** Offset from the foot to the top left corner of the body's layer, in layer pixels. */
  x: number
  y: number
  shadow: Shadow | undefined
}

/** The drawn images of one subject. */
export interface Poses {
  poseAt: (phase: number, member: number) => DrawnPose | undefined
  /** Frame pixels per layer pixel. */
  scale: number
  /** Position of the drawing's point 0, 0 in the uncropped image, in layer pixels. */
  foot: { x: number; y: number }
}

export interface PosesRequest {
  /** Unit of the drawing, in frame pixels. */
  height: number
  /** Approximate position, for the light and the shadow. */
  x: number
  ground: number
  /** Distance from the viewer: 0 is at the viewer, 1 at the horizon. */
  distance: number
  isFacingLeft?: boolean
  /** Whether the subject has a shadow. Subjects in the air or in the water have none. */
  hasShadow?: boolean
  /** Phase of each member of the group in a still. */
  stillPhases: readonly number[]
  /** Called for each image while its pixels exist. */
  onDrawn?: (figure: Figure, foot: { x: number; y: number }) => void
}

/**
 * Draws the images of a subject once: the cycle of each variant for a video, or only the images
 * that a still shows.
 */
export function drawPoses(stage: Stage, subject: Subject, model: Model, request: PosesRequest): Poses {
  const { height, x, ground, isFacingLeft = false } = request
  const cycleLength = model.cycle?.poseCount ?? 1
  const variantCount = Math.max(1, Math.min(model.variantCount ?? 1, request.stillPhases.length))
  const shownPhases = stage.isStill
    ? request.stillPhases
    : Array.from({ length: cycleLength * variantCount }, (_, index) => (index % cycleLength) / cycleLength)
  const space = affordableSpace(stage, model, { height, isFacingLeft, imageCount: shownPhases.length })
  const light = lightAt(stage, { x, y: ground - height * 0.6 }, request.distance)
  const figure = new Figure(stage.compositor, { ...space, light })
  const lean = clamp((x - stage.sun.x) / Math.max(1, ground - stage.sun.y), -1.3, 1.3)
  const poses = shownPhases.map((phase, index): DrawnPose => {
    const variant = stage.isStill ? index % variantCount : Math.floor(index / cycleLength)
    figure.clear()
    model.draw(figure, phase, lookOf(stage, subject, variant))
    request.onDrawn?.(figure, space.foot)
    const shadow = request.hasShadow ? castShadow(stage, figure, space.foot, lean) : undefined
    const { layer, left, top } = figure.toLayer()
    return { body: layer, x: left - space.foot.x, y: top - space.foot.y, shadow }
  })
  return {
    poseAt: (phase, member) => {
      if (stage.isStill) return poses[member]
      return poses[(member % variantCount) * cycleLength + Math.floor((phase - Math.floor(phase)) * cycleLength)]
    },
    scale: height / space.size,
    foot: space.foot,
  }
}

/** Draws one of the poses with its foot at `x`, `y` for the camera at rest. */
export function showPose(
  stage: Stage,
  { poseAt, scale }: Poses,
  { x, y, depth, phase, member, size = 1, ...rows }: Placement,
  moment: Moment,
): void {
  const pose = poseAt(phase, member)
  if (!pose) return
  const zoom = scale * size
  const { body, shadow } = pose
  if (shadow)
    stage.drawAt(
      shadow.layer,
      { x: x + shadow.x * zoom, y: y + shadow.y * zoom, depth, scale: shadowScale * zoom, ...rows },
      moment,
    )
  stage.drawAt(body, { x: x + pose.x * zoom, y: y + pose.y * zoom, depth, scale: zoom, ...rows }, moment)
}

export interface Placement {
  x: number
  y: number
  depth: number
  phase: number
  member: number
  size?: number
  opacity?: number
  rowEnd?: number
}

function lookOf(stage: Stage, { kind, color, motion, rider }: Subject, variant: number): Look {
  const { brief } = stage
  return {
    color,
    variant,
    isDark: isDark(stage),
    season: brief.season,
    motion,
    rider,
    createRandom: () => stage.random(`shape of ${kind} ${variant}`),
  }
}

/** Reduces the detail if all images together would exceed the subject's share of memory. */
function affordableSpace(
  stage: Stage,
  { reach }: Model,
  { height, isFacingLeft, imageCount }: { height: number; isFacingLeft: boolean; imageCount: number },
): FigureSpace {
  const { geometry, brief } = stage
  const full = figureSpace(stage, { size: height * detailFor(stage, height), reach, isMirrored: isFacingLeft })
  const bytesMax = (subjectBytesPerPixel * geometry.width * geometry.height) / Math.max(1, brief.subjects.length)
  const detail = Math.sqrt(bytesMax / (full.width * full.height * layerBytesPerPixel * imageCount))
  return detail < 1
    ? figureSpace(stage, { size: full.size * Math.max(detailMin, detail), reach, isMirrored: isFacingLeft })
    : full
}

/**
 * Returns the share of full detail. Large figures of a video are drawn up to 20 percent smaller and
 * then enlarged, which saves a third of the work. Movement hides the difference.
 */
function detailFor({ isStill }: Stage, height: number): number {
  return isStill ? 1 : clamp(sharpPixels / height, movingDetail, 1)
}
