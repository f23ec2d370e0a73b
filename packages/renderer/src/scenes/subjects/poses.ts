import type { Layer } from '../../picture/compositor.ts'
import { clamp } from '../../picture/curves.ts'
import type { Subject } from '../prompt/scene-brief.ts'
import type { Moment, Stage } from '../stage.ts'
import { Figure, figureSpace, type FigureSpace } from './figure.ts'
import { isDark, lightAt } from './light.ts'
import type { Look, Model } from './model.ts'
import { castShadow, shadowScale, type Shadow } from './shadow.ts'

/**
 * Memory limit of all subjects of a scene, in bytes per pixel of the frame. `memoryPagesFor` relies
 * on it.
 */
const subjectBytesPerPixel = 17
/**
 * Planes of a layer: Y and A in full size; U, V and a second A with a quarter of the pixels. The
 * shadow is much smaller.
 */
const layerBytesPerPixel = 2.9
const leastDetail = 0.3
const movingDetail = 0.8
/** Figures up to this height are drawn in full detail. */
const sharpPixels = 160

interface Pose {
  body: Layer
  /** Offset from the foot to the body's top left corner, in layer pixels. */
  x: number
  y: number
  shadow: Shadow | undefined
}

/** The drawn pictures of one subject. */
export interface Poses {
  model: Model
  /** Size in frame pixels. */
  height: number
  at: (phase: number, member: number) => Pose | undefined
  /** Frame pixels per layer pixel. */
  scale: number
  foot: { x: number; y: number }
}

export interface PosesWanted {
  /** Size in frame pixels. */
  height: number
  /** Approximate position, for the light. */
  x: number
  ground: number
  /** 0 at the viewer, 1 at the horizon. */
  distance: number
  facesLeft?: boolean
  /** Subjects in the air or in the water cast no shadow. */
  hasShadow?: boolean
  /** Phase of each member in a still image. */
  stillPhases: readonly number[]
  /** Called for each picture while its pixels exist. */
  drawn?: (figure: Figure, foot: { x: number; y: number }) => void
}

/** Draws a subject's pictures once: a whole cycle for a video, or only those that a still shows. */
export function drawPoses(stage: Stage, subject: Subject, model: Model, wanted: PosesWanted): Poses {
  const { height, x, ground, facesLeft = false } = wanted
  const cycle = model.cycle?.poses ?? 1
  const variants = Math.max(1, Math.min(model.variants ?? 1, wanted.stillPhases.length))
  const shown = stage.isStill
    ? wanted.stillPhases
    : Array.from({ length: cycle * variants }, (_, index) => (index % cycle) / cycle)
  const space = affordableSpace(stage, model, { height, facesLeft, pictures: shown.length })
  const light = lightAt(stage, { x, y: ground - height * 0.6 }, wanted.distance)
  const figure = new Figure(stage.compositor, { ...space, light })
  const lean = clamp((x - stage.sun.x) / Math.max(1, ground - stage.sun.y), -1.3, 1.3)
  const poses = shown.map((phase, index): Pose => {
    const variant = stage.isStill ? index % variants : Math.floor(index / cycle)
    figure.clear()
    model.draw(figure, phase, lookOf(stage, subject, variant))
    wanted.drawn?.(figure, space.foot)
    const shadow = wanted.hasShadow ? castShadow(stage, figure, space.foot, lean) : undefined
    const { layer, left, top } = figure.toLayer()
    return { body: layer, x: left - space.foot.x, y: top - space.foot.y, shadow }
  })
  return {
    model,
    height,
    at: (phase, member) =>
      poses[stage.isStill ? member : (member % variants) * cycle + Math.floor((phase - Math.floor(phase)) * cycle)],
    scale: height / space.size,
    foot: space.foot,
  }
}

/** Draws one of the poses with its foot at `x`, `y` of the resting camera. */
export function showPose(
  stage: Stage,
  { at, scale }: Poses,
  { x, y, depth, phase, member, size = 1, ...rows }: Placement,
  moment: Moment,
): void {
  const pose = at(phase, member)
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

function lookOf(stage: Stage, { kind, colour, motion, rider }: Subject, variant: number): Look {
  const { brief } = stage
  return {
    colour,
    variant,
    isDark: isDark(stage),
    season: brief.season,
    motion,
    rider,
    random: () => stage.random(`shape of ${kind} ${variant}`),
  }
}

/** Reduces the detail if all pictures together would exceed the subject's share of memory. */
function affordableSpace(
  stage: Stage,
  { reach }: Model,
  { height, facesLeft, pictures }: { height: number; facesLeft: boolean; pictures: number },
): FigureSpace {
  const { geometry, brief } = stage
  const full = figureSpace(stage, { size: height * seenDetail(stage, height), reach, mirrored: facesLeft })
  const share = (subjectBytesPerPixel * geometry.width * geometry.height) / Math.max(1, brief.subjects.length)
  const detail = Math.sqrt(share / (full.width * full.height * layerBytesPerPixel * pictures))
  return detail < 1 ? figureSpace(stage, { size: full.size * Math.max(leastDetail, detail), reach, mirrored: facesLeft }) : full
}

/**
 * Large figures of a video are drawn a little smaller and enlarged: this costs a third less, and
 * movement hides the difference.
 */
function seenDetail({ isStill }: Stage, height: number): number {
  return isStill ? 1 : clamp(sharpPixels / height, movingDetail, 1)
}
